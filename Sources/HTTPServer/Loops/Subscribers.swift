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

    /// A connection whose turn comes.
    struct Notified {
        let id: ConnectionID
        /// Where it is in memory, if it still is; to be fetched to the core's cache.
        let address: UnsafeRawPointer
    }

    private struct Member {
        let connection: Connection
        let id: ConnectionID
        /// Which of its connection's subscriptions this is.
        let index: Int
    }

    let topic: Topic
    private var members: [Member] = []

    /// Those that are notified, the last of them first, and how many are left.
    private var pending: [Notified] = []
    private var pendingCount = 0
    private var isNotifiedAgain = false

    init(_ topic: Topic) {
        self.topic = topic
    }

    var isEmpty: Bool { members.isEmpty }

    var count: Int { members.count }

    func add(_ connection: Connection) {
        let subscription = Subscription(subscribers: self, place: members.count)
        let member = Member(
            connection: connection,
            id: connection.id,
            index: connection.subscriptions.count
        )
        connection.subscriptions.append(subscription)
        changeMembers { $0.append(member) }
    }

    /// Forgets the member at `place`; the last one takes the place.
    func remove(at place: Int) {
        let moved: Member? = changeMembers { members in
            guard let last = members.popLast(), place < members.count else { return nil }
            members[place] = last
            return last
        }
        if let moved { moved.connection.subscriptions[moved.index].place = place }
    }

    /// Changes the members, with nothing else looking at them meanwhile: a call within an access
    /// would cost every look at the property a check for exclusivity.
    private func changeMembers<Result>(_ change: (inout [Member]) -> Result) -> Result {
        var members: [Member] = []
        swap(&members, &self.members)
        defer { swap(&members, &self.members) }
        return change(&members)
    }
}

/// Notifying: a few at a time, so that many subscribers do not keep the others of their loop
/// waiting.
extension Subscribers {
    /// Begins to notify all members, or notes that all are to be notified once more.
    ///
    /// - Returns: Whether this begins.
    func beginNotifying() -> Bool {
        guard !hasTurns else {
            isNotifiedAgain = true
            return false
        }
        notifyAll()
        return hasTurns
    }

    /// The member whose turn it is; `nil` when all have been notified.
    func next() -> ConnectionID? {
        guard hasTurns else { return nil }
        pendingCount -= 1
        let next = pending[pendingCount].id
        if pendingCount == 0 {
            pending = []
            if isNotifiedAgain {
                isNotifiedAgain = false
                notifyAll()
            }
        }
        return next
    }

    /// Whose turn it is after so many others.
    func upcoming(_ distance: Int) -> Notified? {
        pendingCount > distance ? pending[pendingCount - 1 - distance] : nil
    }

    /// Whether some have not been notified yet.
    var hasTurns: Bool { pendingCount > 0 }

    private func notifyAll() {
        // Without a look at the connections, few of which are in the core's cache.
        pending = members.map { member in
            let address = Unmanaged.passUnretained(member.connection).toOpaque()
            return Notified(id: member.id, address: UnsafeRawPointer(address))
        }
        pendingCount = pending.count
    }
}
