import Synchronization

/// Something that waiting requests and streams want to hear of.
///
/// Any thread may notify; each event loop with somebody who waits gets one message, however many
/// they are.
package final class Topic: Sendable {
    private struct State {
        /// By whom they are; each is told once.
        var listeners: [ObjectIdentifier: @Sendable () -> Void] = [:]
        var expectations: [Expectation] = []
    }

    /// What is to be called once there are so many listeners.
    private struct Expectation {
        let count: Int
        let call: @Sendable () -> Void
    }

    private let state = Mutex(State())

    /// Makes a topic that nobody listens to.
    package init() {}

    /// Tells all who listen, who must listen again to hear of the next time.
    package func notify() {
        let told = state.withLock { state in
            defer { state.listeners = [:] }
            return state.listeners
        }
        for listener in told.values { listener() }
    }

    /// Has `listener` called at the next ``notify()``, on its thread.
    ///
    /// - Parameters:
    ///   - owner: Whose it is; of one owner the last counts.
    ///   - listener: Must not block.
    package func listen(
        _ owner: some AnyObject & Sendable,
        _ listener: @escaping @Sendable () -> Void
    ) {
        change { $0[ObjectIdentifier(owner)] = listener }
    }

    /// Forgets the listener of `owner`.
    package func ignore(_ owner: some AnyObject & Sendable) {
        change { $0[ObjectIdentifier(owner)] = nil }
    }

    /// Has `call` called once, on any thread, as soon as so many loops or others listen.
    package func whenListenerCount(is count: Int, _ call: @escaping @Sendable () -> Void) {
        let isNow = state.withLock { state in
            if state.listeners.count == count { return true }
            state.expectations.append(Expectation(count: count, call: call))
            return false
        }
        if isNow { call() }
    }

    /// Changes who listens, and tells whoever expected that many.
    private func change(_ body: (inout [ObjectIdentifier: @Sendable () -> Void]) -> Void) {
        let met = state.withLock { state -> [Expectation] in
            body(&state.listeners)
            let count = state.listeners.count
            let met = state.expectations.filter { $0.count == count }
            if !met.isEmpty { state.expectations.removeAll { $0.count == count } }
            return met
        }
        for expectation in met { expectation.call() }
    }
}
