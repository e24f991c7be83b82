import Synchronization

/// Collects what is made in different places, and hands it on when it is complete.
final class Gathering: Sendable {
    private struct State {
        var found: [Made?]
        var missing: Int
    }

    private let state: Mutex<State>
    private let complete: @Sendable ([Made?]) -> Void

    /// - Parameters:
    ///   - count: How many there will be, at least one.
    ///   - complete: Is called once, by whoever brings the last.
    init(_ count: Int, complete: @escaping @Sendable ([Made?]) -> Void) {
        state = Mutex(State(found: Array(repeating: nil, count: count), missing: count))
        self.complete = complete
    }

    /// Brings what stands at `index`; once for each.
    func put(_ made: Made?, at index: Int) {
        let found = state.withLock { state in
            state.found[index] = made
            state.missing -= 1
            return state.missing == 0 ? state.found : nil
        }
        if let found { complete(found) }
    }
}
