/// Topics: who on this loop waits for which, and telling them.
extension EventLoop {
    /// Has `connection` told of every notification of `topics`.
    func subscribe(_ connection: Connection, to topics: [Topic]) {
        for topic in topics {
            let id = ObjectIdentifier(topic)
            if let audience = audiences[id] {
                audience.add(connection)
            } else {
                let audience = Audience(topic)
                audiences[id] = audience
                audience.add(connection)
                listen(to: topic)
            }
        }
    }

    /// Forgets that `connection` waits for anything.
    func unsubscribe(_ connection: Connection) {
        for membership in connection.memberships {
            let audience = membership.audience
            audience.remove(at: membership.place)
            guard audience.isEmpty else { continue }
            audiences[ObjectIdentifier(audience.topic)] = nil
            audience.topic.ignore(mailbox)
        }
        connection.memberships = []
    }

    /// Tells whoever waits for `topic`.
    func notified(_ topic: Topic) {
        guard let audience = audiences[ObjectIdentifier(topic)] else { return }
        // Before anybody looks, so that what comes after their look is told too.
        listen(to: topic)
        if audience.notified() { tellNext(of: audience) }
    }

    /// Goes on telling, after the others' turn.
    func tellNext(of topic: Topic) {
        guard let audience = audiences[ObjectIdentifier(topic)] else { return }
        tellNext(of: audience)
    }

    private func tellNext(of audience: Audience) {
        for id in audience.nextTurn() { connection(id)?.notified() }
        if audience.hasTurns { mailbox.post(.tellNext(audience.topic)) }
    }

    private func listen(to topic: Topic) {
        topic.listen(mailbox) { [mailbox] in mailbox.post(.notified(topic)) }
    }
}
