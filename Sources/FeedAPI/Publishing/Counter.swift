import Synchronization

/// Counts what happens on any thread, seldom enough that they share the number.
final class Counter: Sendable {
    private let sum = Atomic(0)

    var value: Int { sum.load(ordering: .relaxed) }

    func add() { sum.add(1, ordering: .relaxed) }
}
