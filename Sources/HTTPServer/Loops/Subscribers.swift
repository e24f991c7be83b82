/// The connections of one event loop that are subscribed to one topic.
///
/// Each knows its place here, so that one that leaves is forgotten at once.
final class Subscribers {
    /// A connection's part in it.
    struct Subscription {
        let subscribers: Subscribers
        /// Its place among the members.
        fileprivate(set) var place: Int
    }

    private struct Member {
        let connection: Connection
        /// Which of its connection's subscriptions this is.
        let index: Int
    }

    let topic: Topic
    private var members: [Member] = []

    /// Those that have not been notified yet.
    private var pending: [ConnectionID] = []
    private var isNotifiedAgain = false

    init(_ topic: Topic) {
        self.topic = topic
    }

    var isEmpty: Bool { members.isEmpty }

    var count: Int { members.count }

    func add(_ connection: Connection) {
        let index = connection.subscriptions.count
        connection.subscriptions.append(Subscription(subscribers: self, place: members.count))
        members.append(Member(connection: connection, index: index))
    }

    /// Forgets the member at `place`; the last one takes the place.
    func remove(at place: Int) {
        guard let last = members.popLast(), place < members.count else { return }
        members[place] = last
        last.connection.subscriptions[last.index].place = place
    }
}

/// Notifying: a few at a time, so that many subscribers do not keep the others of their loop
/// waiting.
extension Subscribers {
    /// Begins to notify all members, or notes that all are to be notified once more.
    ///
    /// - Returns: Whether this begins.
    func beginNotifying() -> Bool {
        guard pending.isEmpty else {
            isNotifiedAgain = true
            return false
        }
        pending = members.map(\.connection.id)
        return !pending.isEmpty
    }

    /// The members whose turn it is.
    func nextTurn() -> [ConnectionID] {
        let turn = Array(pending.suffix(Subscribers.turnCount))
        pending.removeLast(turn.count)
        if pending.isEmpty, isNotifiedAgain {
            isNotifiedAgain = false
            pending = members.map(\.connection.id)
        }
        return turn
    }

    /// Whether some have not been notified yet.
    var hasTurns: Bool { !pending.isEmpty }

    private static let turnCount = 4
}
