/// Topics: who on this loop is subscribed to which, and notifying them.
extension EventLoop {
    /// Has `connection` notified of `topics`.
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

    /// Forgets that `connection` waits for anything.
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
        // Before anybody looks, so that they are notified of what comes after their look, too.
        askForNextNotification(of: topic)
        if subscribers.beginNotifying() { continueNotifying(of: subscribers) }
    }

    /// Goes on notifying, after the others' turn.
    func continueNotifying(of topic: Topic) {
        guard let subscribers = subscribersByTopic[ObjectIdentifier(topic)] else { return }
        continueNotifying(of: subscribers)
    }

    /// How many connections are subscribed to `topic`.
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
                    // The clock is read once for four.
                    guard number & 3 == 0 else { continue }
                    notifyingNanoseconds = System.monotonicNanoseconds() - start
                    if notifyingNanoseconds >= EventLoop.notifyingLimit { break }
                }
            }
            notifyingNanoseconds = System.monotonicNanoseconds() - start
        }
        if subscribers.hasTurns { mailbox.post(.continueNotifying(subscribers.topic)) }
    }

    /// Has what the next ones' turns look at fetched to the core's cache meanwhile.
    private func prefetch(_ subscribers: Subscribers) {
        if let next = subscribers.upcoming(1) { connection(next.id)?.prefetchParts() }
        if let later = subscribers.upcoming(3) { Connection.prefetch(at: later.address) }
    }

    /// Subscribers whose output is sent together.
    private static let gatheredCount = 16

    /// For how many nanoseconds subscribers are notified in a round, before others have their turn.
    private static let notifyingLimit = 1_000_000

    /// Has the mailbox told when `topic` is notified the next time, which is told once.
    private func askForNextNotification(of topic: Topic) {
        topic.subscribe(mailbox) { [mailbox] in mailbox.post(.notified(topic)) }
    }
}
