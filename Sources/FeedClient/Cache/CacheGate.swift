import Synchronization

/// Controls which feeds may use the cache on disk, so that nothing is written back after a
/// sign-out.
///
/// A sign-out closes the gate for all feeds made before it, and waits for those that are reading or
/// writing at that moment.
final class CacheGate: Sendable {
    private struct State {
        var generation = 0
        var users = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// The number of times that the gate was closed.
    ///
    /// A feed belongs to the generation in which it was made.
    var generation: Int { state.withLock(\.generation) }

    /// Runs `body`, unless the gate was closed after a generation; then returns `nil`.
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

    /// Closes the gate for all existing feeds, and waits for those that are using the cache.
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
