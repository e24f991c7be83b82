import HTTPServer
import Synchronization

/// Collects what is made in different places, and hands it on when it is complete.
final class Join: Sendable {
    private struct State {
        var found: [CachedResponse?]
        var missing: Int
        var isRefused = false
    }

    private let state: Mutex<State>
    private let complete: @Sendable ([CachedResponse?]?) -> Void

    /// - Parameters:
    ///   - found: What is there already.
    ///   - missing: How many are not, at least one.
    ///   - complete: Is called once, by whoever brings the last; with `nil` when one was refused.
    init(
        _ found: [CachedResponse?],
        missing: Int,
        complete: @escaping @Sendable ([CachedResponse?]?) -> Void
    ) {
        state = Mutex(State(found: found, missing: missing))
        self.complete = complete
    }

    /// Whether one of them was refused, so that the others are of no use.
    var isRefused: Bool { state.withLock(\.isRefused) }

    /// Brings what stands at `index`; once for each that is missing; `nil`: it was refused.
    func put(_ made: CachedResponse?, at index: Int) {
        let (isComplete, found) = state.withLock { state -> (Bool, [CachedResponse?]?) in
            state.found[index] = made
            state.missing -= 1
            if made == nil { state.isRefused = true }
            return (state.missing == 0, state.isRefused ? nil : state.found)
        }
        if isComplete { complete(found) }
    }
}
