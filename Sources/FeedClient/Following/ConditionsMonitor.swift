import Synchronization

/// Keeps the conditions of the network, and wakes those who go by them.
final class ConditionsMonitor: Sendable {
    private struct State {
        var conditions = NetworkConditions()
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var count = 0
    }

    private let state = Mutex(State())

    /// The conditions now.
    var conditions: NetworkConditions { state.withLock(\.conditions) }

    /// Takes new conditions.
    ///
    /// - Returns: The ones before.
    func change(to conditions: NetworkConditions) -> NetworkConditions {
        let (old, waiters) = state.withLock { state in
            let old = state.conditions
            state.conditions = conditions
            guard old != conditions else { return (old, [Int: CheckedContinuation<Void, Never>]()) }
            defer { state.waiters = [:] }
            return (old, state.waiters)
        }
        for waiter in waiters.values { waiter.resume() }
        return old
    }

    /// Waits until the conditions are no longer these, or the task is cancelled.
    func waitForChange(from conditions: NetworkConditions) async {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let waits = state.withLock { state in
                    guard state.conditions == conditions, !Task.isCancelled else { return false }
                    state.waiters[number] = waiter
                    return true
                }
                if !waits { waiter.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
        }
    }
}
