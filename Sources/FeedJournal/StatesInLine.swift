import FeedStore

/// The states of sources that wait to be kept, with those who wait for that.
struct StatesInLine: Sendable {
    private(set) var states: SourceStates = [:]
    private var completions: [@Sendable (Bool) -> Void] = []

    var isEmpty: Bool { completions.isEmpty }

    /// Adds states, which replace earlier ones of their names.
    mutating func add(
        _ other: SourceStates,
        _ completion: @escaping @Sendable (Bool) -> Void
    ) {
        states.merge(other) { $1 }
        completions.append(completion)
    }

    /// Calls the completions with whether the states are kept.
    func tell(_ areKept: Bool) {
        for completion in completions { completion(areKept) }
    }
}
