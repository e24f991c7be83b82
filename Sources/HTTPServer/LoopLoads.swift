import Synchronization

/// How many connections each loop has, for the others to see.
final class LoopLoads: Sendable {
    private final class Count: Sendable {
        let value = Atomic(0)
    }

    private let counts: [Count]

    init(count: Int) {
        counts = (0..<count).map { _ in Count() }
    }

    subscript(index: Int) -> Int {
        get { counts[index].value.load(ordering: .relaxed) }
        set { counts[index].value.store(newValue, ordering: .relaxed) }
    }

    /// The loop with the fewest connections, if that are fewer than another has by so many.
    func lighterLoop(than index: Int, by difference: Int) -> Int? {
        let own = self[index]
        guard own >= difference else { return nil }
        var lightest = index
        for other in counts.indices where self[other] < self[lightest] { lightest = other }
        return self[lightest] + difference <= own ? lightest : nil
    }
}
