import Synchronization

/// Collects what is made in different places, and hands it on when it is complete.
final class Join: Sendable {
    private struct State {
        var found: [CachedDocument?]
        var missing: Int
    }

    private let state: Mutex<State>
    private let complete: @Sendable ([CachedDocument?]) -> Void

    /// - Parameters:
    ///   - count: How many there will be, at least one.
    ///   - complete: Is called once, by whoever brings the last.
    init(_ count: Int, complete: @escaping @Sendable ([CachedDocument?]) -> Void) {
        state = Mutex(State(found: Array(repeating: nil, count: count), missing: count))
        self.complete = complete
    }

    /// Brings what stands at `index`; once for each.
    func put(_ made: CachedDocument?, at index: Int) {
        let found = state.withLock { state in
            state.found[index] = made
            state.missing -= 1
            return state.missing == 0 ? state.found : nil
        }
        if let found { complete(found) }
    }
}
