/// The connections of one event loop that are subscribed to one topic.
///
/// Each connection knows its index here, so that removing it takes constant time.
final class Subscribers {
    /// A connection's membership.
    struct Subscription {
        let subscribers: Subscribers
        /// The index of the connection among the members.
        fileprivate(set) var place: Int
    }

    /// A connection that is to be notified.
    struct Notified {
        let id: ConnectionID
        /// The address of the connection in memory, if it still exists; used to fetch it into the
        /// core's cache.
        let address: UnsafeRawPointer
    }

    private struct Member {
        let connection: Connection
        let id: ConnectionID
        /// The index among the connection's subscriptions.
        let index: Int
    }

    let topic: Topic
    private var members: [Member] = []

    /// The connections that are still to be notified, the next one last, and their number.
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

    /// Removes the member at `place`; the last member takes its index.
    func remove(at place: Int) {
        let moved: Member? = changeMembers { members in
            guard let last = members.popLast(), place < members.count else { return nil }
            members[place] = last
            return last
        }
        if let moved { moved.connection.subscriptions[moved.index].place = place }
    }

    /// Changes the members while they are taken out of the property: Swift would check every access
    /// to the property for exclusivity if a call were made within one.
    private func changeMembers<Result>(_ change: (inout [Member]) -> Result) -> Result {
        var members: [Member] = []
        swap(&members, &self.members)
        defer { swap(&members, &self.members) }
        return change(&members)
    }
}

/// Notifying, a few members at a time, so that many subscribers do not keep the loop's other
/// connections waiting.
extension Subscribers {
    /// Begins to notify all members, or has them notified once more if notifying is under way.
    ///
    /// - Returns: Whether notifying begins now.
    func beginNotifying() -> Bool {
        guard !hasTurns else {
            isNotifiedAgain = true
            return false
        }
        notifyAll()
        return hasTurns
    }

    /// Takes the member whose turn it is; `nil` when all have been notified.
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

    /// Returns the member whose turn comes after `distance` others.
    func upcoming(_ distance: Int) -> Notified? {
        pendingCount > distance ? pending[pendingCount - 1 - distance] : nil
    }

    /// Whether some members have not been notified yet.
    var hasTurns: Bool { pendingCount > 0 }

    private func notifyAll() {
        // The connections are not touched here, because few of them are in the core's cache.
        pending = members.map { member in
            let address = Unmanaged.passUnretained(member.connection).toOpaque()
            return Notified(id: member.id, address: UnsafeRawPointer(address))
        }
        pendingCount = pending.count
    }
}
