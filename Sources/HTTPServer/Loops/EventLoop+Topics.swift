/// Subscriptions of this loop's connections to topics, and their notification.
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
        for subscription in connection.subscriptions {
            let subscribers = subscription.subscribers
            subscribers.remove(at: subscription.place)
            guard subscribers.isEmpty else { continue }
            subscribersByTopic[ObjectIdentifier(subscribers.topic)] = nil
            subscribers.topic.unsubscribe(mailbox)
        }
        connection.subscriptions = []
    }

    /// Notifies the subscribers of `topic`.
    func notifySubscribers(of topic: Topic) {
        guard let subscribers = subscribersByTopic[ObjectIdentifier(topic)] else { return }
        // This precedes the notification, so that changes after a subscriber's look are notified
        // too.
        askForNextNotification(of: topic)
        if subscribers.beginNotifying() { continueNotifying(of: subscribers) }
    }

    /// Continues notifying, after other connections had their turn.
    func continueNotifying(of topic: Topic) {
        guard let subscribers = subscribersByTopic[ObjectIdentifier(topic)] else { return }
        continueNotifying(of: subscribers)
    }

    /// Returns the number of connections that are subscribed to `topic`.
    func readerCount(of topic: Topic) -> Int {
        subscribersByTopic[ObjectIdentifier(topic)]?.count ?? 0
    }

    private func continueNotifying(of subscribers: Subscribers) {
        let start = System.monotonicNanoseconds() - notifyingNanoseconds
        while subscribers.hasTurns, notifyingNanoseconds < EventLoop.notifyingLimit {
            gatherOutput {
                for number in 1...EventLoop.gatheredCount {
                    prefetch(subscribers)
                    guard let id = subscribers.next() else { break }
                    connection(id)?.topicNotified()
                    // The clock is read once for four subscribers.
                    guard number & 3 == 0 else { continue }
                    notifyingNanoseconds = System.monotonicNanoseconds() - start
                    if notifyingNanoseconds >= EventLoop.notifyingLimit { break }
                }
            }
            notifyingNanoseconds = System.monotonicNanoseconds() - start
        }
        if subscribers.hasTurns { mailbox.post(.continueNotifying(subscribers.topic)) }
    }

    /// Fetches the memory for the next subscribers' turns into the core's cache.
    private func prefetch(_ subscribers: Subscribers) {
        if let next = subscribers.upcoming(1) { connection(next.id)?.prefetchParts() }
        if let later = subscribers.upcoming(3) { Connection.prefetch(at: later.address) }
    }

    /// The number of subscribers whose output is sent together.
    private static let gatheredCount = 16

    /// The nanoseconds for which subscribers are notified in a round, before others have their
    /// turn.
    private static let notifyingLimit = 1_000_000

    /// Subscribes the mailbox to the next notification of `topic`, which is sent once.
    private func askForNextNotification(of topic: Topic) {
        topic.subscribe(mailbox) { [mailbox] in mailbox.post(.notified(topic)) }
    }
}
