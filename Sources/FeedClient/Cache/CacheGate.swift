import Synchronization

/// Lets feeds at what is kept on disk, until a person signs out.
///
/// Feeds from before a sign-out neither read nor write any more, and a sign-out waits for those
/// that are at it, so that nothing which it removed comes back.
final class CacheGate: Sendable {
    private struct State {
        var generation = 0
        var users = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// How often it was closed; a feed is of the generation in which it was made.
    var generation: Int { state.withLock(\.generation) }

    /// Uses the cache, unless the gate was closed since a generation.
    ///
    /// - Returns: The result of the closure; `nil` where the gate was closed.
    func use<Result>(in generation: Int, _ body: () -> Result) -> Result? {
        let isOpen = state.withLock { state in
            guard state.generation == generation else { return false }
            state.users += 1
            return true
        }
        guard isOpen else { return nil }
        defer { leave() }
        return body()
    }

    private func leave() {
        let waiters = state.withLock { state in
            state.users -= 1
            guard state.users == 0 else { return [CheckedContinuation<Void, Never>]() }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Closes it for all feeds that there are, and waits for those that use the cache now.
    func close() async {
        await withCheckedContinuation { waiter in
            let isFree = state.withLock { state in
                state.generation += 1
                guard state.users > 0 else { return true }
                state.waiters.append(waiter)
                return false
            }
            if isFree { waiter.resume() }
        }
    }
}
