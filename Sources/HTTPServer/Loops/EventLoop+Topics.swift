/// Topics: who on this loop waits for which, and telling them.
extension EventLoop {
    /// Has `connection` told of every notification of `topics`.
    func subscribe(_ connection: Connection, to topics: [Topic]) {
        for topic in topics {
            let id = ObjectIdentifier(topic)
            if let subscribers = subscribersByTopic[id] {
                subscribers.add(connection)
            } else {
                let subscribers = Subscribers(topic)
                subscribersByTopic[id] = subscribers
                subscribers.add(connection)
                listen(to: topic)
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
            subscribers.topic.ignore(mailbox)
        }
        connection.subscriptions = []
    }

    /// Tells whoever waits for `topic`.
    func notified(_ topic: Topic) {
        guard let subscribers = subscribersByTopic[ObjectIdentifier(topic)] else { return }
        // Before anybody looks, so that what comes after their look is told too.
        listen(to: topic)
        if subscribers.notified() { notifyNext(of: subscribers) }
    }

    /// Goes on telling, after the others' turn.
    func notifyNext(of topic: Topic) {
        guard let subscribers = subscribersByTopic[ObjectIdentifier(topic)] else { return }
        notifyNext(of: subscribers)
    }

    /// How many connections wait for `topic`.
    func readerCount(of topic: Topic) -> Int {
        subscribersByTopic[ObjectIdentifier(topic)]?.count ?? 0
    }

    private func notifyNext(of subscribers: Subscribers) {
        let start = System.monotonicNanoseconds()
        var time = 0
        while subscribers.hasTurns, tellingNanoseconds + time < EventLoop.tellingLimit {
            for id in subscribers.nextTurn() { connection(id)?.notified() }
            time = System.monotonicNanoseconds() - start
        }
        tellingNanoseconds += time
        if subscribers.hasTurns { mailbox.post(.notifyNext(subscribers.topic)) }
    }

    /// For how many nanoseconds subscribers are told of news in a round, before others have their
    /// turn.
    private static let tellingLimit = 1_000_000

    private func listen(to topic: Topic) {
        topic.listen(mailbox) { [mailbox] in mailbox.post(.notified(topic)) }
    }
}
