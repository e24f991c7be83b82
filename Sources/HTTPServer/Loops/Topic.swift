import Synchronization

/// A subject of notifications, such as the changes of a feed, to which long polls and streams
/// subscribe.
///
/// Any thread may notify. Each event loop with subscribed connections gets one message, however
/// many of its connections are subscribed.
package final class Topic: Sendable {
    /// The closures to call at the next notification, by owner; each is called once.
    private let subscribers = Mutex<[ObjectIdentifier: @Sendable () -> Void]>([:])

    /// Makes a topic without subscribers.
    package init() {}

    /// Notifies all subscribers; they must subscribe again for the next notification.
    package func notify() {
        let notified = subscribers.withLock { subscribers in
            defer { subscribers = [:] }
            return subscribers
        }
        for call in notified.values { call() }
    }

    /// Subscribes `owner` to the next ``notify()``; a later subscription replaces an earlier one.
    ///
    /// - Parameter call: Called once, on the thread that notifies; must not block.
    package func subscribe(
        _ owner: some AnyObject & Sendable,
        _ call: @escaping @Sendable () -> Void
    ) {
        subscribers.withLock { $0[ObjectIdentifier(owner)] = call }
    }

    /// Removes the subscription of `owner`.
    package func unsubscribe(_ owner: some AnyObject & Sendable) {
        subscribers.withLock { $0[ObjectIdentifier(owner)] = nil }
    }

    /// The number of subscribers that wait for the next notification.
    package var subscriberCount: Int { subscribers.withLock(\.count) }
}

/// The connections of one event loop that are subscribed to one topic.
///
/// Each connection knows its index here, so that removing it takes constant time.
final class Subscribers {
    /// A subscribed connection, and the index of this subscription in its
    /// ``Connection/subscriptions``.
    typealias Member = (id: ConnectionID, index: Int)

    let topic: Topic
    private var members: [Member] = []

    /// The connections that are still to be notified, the next one last.
    private var pending: [ConnectionID] = []
    /// Whether all members must be notified once more after the pending ones.
    private var isNotifiedAgain = false

    init(_ topic: Topic) {
        self.topic = topic
    }

    var isEmpty: Bool { members.isEmpty }

    var count: Int { members.count }

    func add(_ connection: Connection) {
        members.append((connection.id, connection.subscriptions.count))
        connection.subscriptions.append((self, members.count - 1))
    }

    /// Removes the member at `index`, and moves the last member there; returns the member that was
    /// moved, whose connection must store the new index; `nil`: none was moved.
    func remove(at index: Int) -> Member? {
        guard let last = members.popLast(), index < members.count else { return nil }
        members[index] = last
        return last
    }
}

/// Notifies the members a few at a time, so that many subscribers do not delay the loop's other
/// connections.
extension Subscribers {
    /// Begins to notify all members, and returns whether notification begins now; members being
    /// notified already are notified again afterwards.
    @discardableResult
    func beginNotifying() -> Bool {
        guard !hasPending else {
            isNotifiedAgain = true
            return false
        }
        // Ids are copied, not references: reading every connection here would miss the processor's
        // cache.
        pending = members.map { $0.id }
        return hasPending
    }

    /// Takes the next member to notify; `nil` when all have been notified.
    func next() -> ConnectionID? {
        let next = pending.popLast()
        if pending.isEmpty {
            pending = []
            if isNotifiedAgain {
                isNotifiedAgain = false
                beginNotifying()
            }
        }
        return next
    }

    /// Whether some members have not been notified yet.
    var hasPending: Bool { !pending.isEmpty }
}

/// Subscribes this loop's connections to topics, and notifies them.
extension EventLoop {
    /// Subscribes `connection` to `topics`.
    func subscribe(_ connection: Connection, to topics: [Topic]) {
        for topic in topics {
            let id = ObjectIdentifier(topic)
            if let subscribers = subscribersByTopic[id] {
                subscribers.add(connection)
            } else {
                let subscribers = Subscribers(topic)
                subscribersByTopic[id] = subscribers
                subscribers.add(connection)
                askForNextNotification(of: topic)
            }
        }
    }

    /// Removes all subscriptions of `connection`.
    func unsubscribe(_ connection: Connection) {
        for (subscribers, index) in connection.subscriptions {
            if let moved = subscribers.remove(at: index) {
                self.connection(moved.id)?.subscriptions[moved.index].index = index
            }
            guard subscribers.isEmpty else { continue }
            subscribersByTopic[ObjectIdentifier(subscribers.topic)] = nil
            subscribers.topic.unsubscribe(mailbox)
        }
        connection.subscriptions = []
    }

    /// Notifies the subscribers of `topic`.
    func notifySubscribers(of topic: Topic) {
        guard let subscribers = subscribersByTopic[ObjectIdentifier(topic)] else { return }
        // The mailbox subscribes first, so that a change after a subscriber's check is notified as
        // well.
        askForNextNotification(of: topic)
        if subscribers.beginNotifying() { continueNotifying(of: subscribers) }
    }

    /// Continues to notify the subscribers of `topic`, after the loop has served other connections.
    func continueNotifying(of topic: Topic) {
        guard let subscribers = subscribersByTopic[ObjectIdentifier(topic)] else { return }
        continueNotifying(of: subscribers)
    }

    /// Returns the number of this loop's connections that are subscribed to `topic`.
    func readerCount(of topic: Topic) -> Int {
        subscribersByTopic[ObjectIdentifier(topic)]?.count ?? 0
    }

    private func continueNotifying(of subscribers: Subscribers) {
        let start = System.monotonicNanoseconds() - notifyingNanoseconds
        while subscribers.hasPending, notifyingNanoseconds < EventLoop.notifyingLimit {
            batchOutput {
                for number in 1...EventLoop.batchCount {
                    guard let id = subscribers.next() else { break }
                    connection(id)?.topicDidNotify()
                    // The clock is read for every fourth subscriber.
                    guard number & 3 == 0 else { continue }
                    notifyingNanoseconds = System.monotonicNanoseconds() - start
                    if notifyingNanoseconds >= EventLoop.notifyingLimit { break }
                }
            }
            notifyingNanoseconds = System.monotonicNanoseconds() - start
        }
        if subscribers.hasPending { mailbox.post(.continueNotifying(subscribers.topic)) }
    }

    /// The number of subscribers whose output is deferred and sent together.
    private static let batchCount = 16

    /// The most time that a round of the loop spends on notifying subscribers, in nanoseconds.
    private static let notifyingLimit = 1_000_000

    /// Subscribes the loop's mailbox to `topic`; the subscription ends with the next notification.
    private func askForNextNotification(of topic: Topic) {
        topic.subscribe(mailbox) { [mailbox] in mailbox.post(.notified(topic)) }
    }
}
