import Synchronization

/// Something that waiting requests and streams want to hear of.
///
/// Any thread may notify; each event loop with somebody who waits gets one message, however many
/// they are.
package final class Topic: Sendable {
    /// By whom they are; each is told once.
    private let listeners = Mutex<[ObjectIdentifier: @Sendable () -> Void]>([:])

    /// Makes a topic that nobody listens to.
    package init() {}

    /// Tells all who listen, who must listen again to hear of the next time.
    package func notify() {
        let told = listeners.withLock { listeners in
            defer { listeners = [:] }
            return listeners
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
        listeners.withLock { $0[ObjectIdentifier(owner)] = listener }
    }

    /// Forgets the listener of `owner`.
    package func ignore(_ owner: some AnyObject & Sendable) {
        listeners.withLock { $0[ObjectIdentifier(owner)] = nil }
    }

    /// How many loops or others listen, for tests and figures.
    package var listenerCount: Int { listeners.withLock(\.count) }
}
