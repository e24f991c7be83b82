import Dispatch
import Foundation
import Synchronization

/// Handles SIGHUP as a request to reload; signals during a reload lead to one more reload.
final class ReloadSignal {
    private let source: SignalSource
    private let queue = DispatchQueue(label: "freshet.reload", qos: .utility)
    private let action = SignalAction()

    /// Keeps the signal from ending the process; a signal waits for ``start(_:)``.
    ///
    /// - Throws: ``CommandFailure`` where no descriptor is left.
    init() throws(CommandFailure) {
        source = try SignalSource([SIGHUP], on: queue) { [action] in action.arrived() }
    }

    deinit { source.cancel() }

    /// Calls `reload` on a queue of its own when the signal comes, never twice at once.
    func start(_ reload: @escaping @Sendable () -> Void) {
        if action.begin(reload) { queue.async(execute: reload) }
    }

    /// Ignores the signal from now on.
    func stop() {
        source.cancel()
    }
}

/// The action of the signal; a signal that comes before the action is set is remembered.
private final class SignalAction: Sendable {
    private struct State {
        var reload: (@Sendable () -> Void)?
        /// Whether the signal came before the action was set.
        var isWaiting = false
    }

    private let state = Mutex(State())

    /// Sets the action.
    ///
    /// - Returns: Whether the signal came before the action was set.
    func begin(_ reload: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            state.reload = reload
            return state.isWaiting
        }
    }

    func arrived() {
        let reload = state.withLock { state in
            state.isWaiting = state.reload == nil
            return state.reload
        }
        reload?()
    }
}
