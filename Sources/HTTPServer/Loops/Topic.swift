import Synchronization

/// Something that long polls and streams wait for.
///
/// Any thread may notify; each event loop with subscribers gets one message, however many they are.
package final class Topic: Sendable {
    private struct State {
        /// What to call, by whose it is; each is called once.
        var subscribers: [ObjectIdentifier: @Sendable () -> Void] = [:]
        var expectations: [Expectation] = []
    }

    /// What is to be called once there are so many subscribers.
    private struct Expectation {
        let count: Int
        let call: @Sendable () -> Void
    }

    private let state = Mutex(State())

    /// What those who wait for it share.
    package let shared: (any AnyObject & Sendable)?

    /// Makes a topic without subscribers.
    package init(shared: (any AnyObject & Sendable)? = nil) {
        self.shared = shared
    }

    /// Notifies all subscribers, who must subscribe again to hear of the next time.
    package func notify() {
        let notified = state.withLock { state in
            defer { state.subscribers = [:] }
            return state.subscribers
        }
        for call in notified.values { call() }
    }

    /// Has `call` called at the next ``notify()``, on its thread.
    ///
    /// - Parameters:
    ///   - owner: Whose it is; of one owner the last counts.
    ///   - call: Must not block.
    package func subscribe(
        _ owner: some AnyObject & Sendable,
        _ call: @escaping @Sendable () -> Void
    ) {
        change { $0[ObjectIdentifier(owner)] = call }
    }

    /// Forgets what `owner` subscribed with.
    package func unsubscribe(_ owner: some AnyObject & Sendable) {
        change { $0[ObjectIdentifier(owner)] = nil }
    }

    /// Has `call` called once, on any thread, as soon as so many loops or others are
    /// subscribed.
    package func whenSubscriberCount(is count: Int, _ call: @escaping @Sendable () -> Void) {
        let isNow = state.withLock { state in
            if state.subscribers.count == count { return true }
            state.expectations.append(Expectation(count: count, call: call))
            return false
        }
        if isNow { call() }
    }

    /// Changes who is subscribed, and calls what expected that many.
    private func change(_ body: (inout [ObjectIdentifier: @Sendable () -> Void]) -> Void) {
        let met = state.withLock { state -> [Expectation] in
            body(&state.subscribers)
            let count = state.subscribers.count
            let met = state.expectations.filter { $0.count == count }
            if !met.isEmpty { state.expectations.removeAll { $0.count == count } }
            return met
        }
        for expectation in met { expectation.call() }
    }
}
