import Synchronization

/// A subject that long polls and streams wait for.
///
/// Any thread may notify its subscribers. Each event loop with subscribers gets one message,
/// however many they are.
package final class Topic: Sendable {
    private struct State {
        /// The closures to call, by owner; each is called once.
        var subscribers: [ObjectIdentifier: @Sendable () -> Void] = [:]
        var expectations: [Expectation] = []
    }

    /// A closure that is called as soon as there are `count` subscribers.
    private struct Expectation {
        let count: Int
        let call: @Sendable () -> Void
    }

    private let state = Mutex(State())

    /// An object that all subscribers share.
    package let shared: (any AnyObject & Sendable)?

    /// Makes a topic without subscribers.
    package init(shared: (any AnyObject & Sendable)? = nil) {
        self.shared = shared
    }

    /// Notifies all subscribers; they must subscribe again for the next notification.
    package func notify() {
        let notified = state.withLock { state in
            defer { state.subscribers = [:] }
            return state.subscribers
        }
        for call in notified.values { call() }
    }

    /// Subscribes `owner`: `call` is called at the next ``notify()``, on its thread.
    ///
    /// - Parameters:
    ///   - owner: The subscriber; a later subscription replaces its earlier one.
    ///   - call: Must not block.
    package func subscribe(
        _ owner: some AnyObject & Sendable,
        _ call: @escaping @Sendable () -> Void
    ) {
        change { $0[ObjectIdentifier(owner)] = call }
    }

    /// Removes the subscription of `owner`.
    package func unsubscribe(_ owner: some AnyObject & Sendable) {
        change { $0[ObjectIdentifier(owner)] = nil }
    }

    /// Calls `call` once, on any thread, as soon as there are `count` subscribers.
    package func whenSubscriberCount(is count: Int, _ call: @escaping @Sendable () -> Void) {
        let isNow = state.withLock { state in
            if state.subscribers.count == count { return true }
            state.expectations.append(Expectation(count: count, call: call))
            return false
        }
        if isNow { call() }
    }

    /// Changes the subscriptions, and calls the closures that expected this number of them.
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
