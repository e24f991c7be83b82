import Synchronization

/// Holds a value, and lets tasks wait until it changes.
final class ChangeMonitor<Value: Equatable & Sendable>: Sendable {
    private struct State {
        var value: Value
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var count = 0
    }

    private let state: Mutex<State>

    init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    /// The current value.
    var value: Value { state.withLock(\.value) }

    /// Changes the value, wakes the waiting tasks if it differs, and returns the value before.
    @discardableResult
    func update(_ change: (inout Value) -> Void) -> Value {
        let (old, waiters) = state.withLock { state in
            let old = state.value
            change(&state.value)
            guard old != state.value else {
                return (old, [Int: CheckedContinuation<Void, Never>]())
            }
            defer { state.waiters = [:] }
            return (old, state.waiters)
        }
        for waiter in waiters.values { waiter.resume() }
        return old
    }

    /// Waits until the value differs from this one, or the task is cancelled.
    func waitForChange(from value: Value) async {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let waits = state.withLock { state in
                    guard state.value == value, !Task.isCancelled else { return false }
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
