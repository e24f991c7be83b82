package import FeedModel

/// A journal that several servers write to, each with all feeds in memory.
///
/// An entry of this server is kept only if it was made from the newest version of any server. The
/// changes by other servers are delivered in the order of a feed's versions, and on the same queue
/// as the outcomes of this server's entries.
package protocol SharedJournal: Journal {
    /// Sets the receiver of changes by other servers; called once, before ``Journal/recover(_:)``.
    ///
    /// - Parameters:
    ///   - receive: Called with each change, on the queue on which entries are decided.
    ///   - reconnected: Called for each new connection after the first, before any entry is written
    ///     by it. Versions that were made before that call and are not kept yet are late.
    func follow(
        _ receive: @escaping @Sendable (FeedStep) -> Void,
        reconnected: @escaping @Sendable () -> Void
    )

    /// Reads newer versions of some feeds now.
    ///
    /// - Parameters:
    ///   - feeds: The feeds.
    ///   - completion: Called once, after all changes were delivered, with whether the journal
    ///     answered.
    func catchUp(_ feeds: [FeedName], completion: @escaping @Sendable (Bool) -> Void)

    /// Finds the kept answer to a request with an Idempotency-Key.
    ///
    /// - Parameters:
    ///   - owner: The digest of the requester's bearer key.
    ///   - key: The bytes that identify the request (``JournalAnswer/key``).
    ///   - completion: Called once, with the answer, with `nil` if there is none, or with an error
    ///     if the journal does not respond.
    func findAnswer(
        owner: [UInt8],
        key: [UInt8],
        completion: @escaping @Sendable (Result<JournalAnswer?, JournalError>) -> Void
    )

    /// Makes this server a candidate for leader, the server that does work which only one may do at
    /// a time; called once.
    ///
    /// When the leader is gone, or has hung for some seconds, another server leads within ten. Only
    /// the leader can keep states of sources.
    ///
    /// - Parameter change: Called with each event, in order. At first this server does not lead.
    func lead(_ change: @escaping @Sendable (LeadershipEvent) -> Void)

    /// Sends a text to the leader, if there is one; a failed delivery is not reported.
    ///
    /// - Parameter words: A text of at most 7,500 bytes.
    func tellLeader(_ words: String)

    /// The time since versions of other servers could last be received; `nil` while connected.
    var cutOffTime: Duration? { get }
}

/// An event about the leader of several servers.
package enum LeadershipEvent: Sendable {
    /// This server leads from now on. The event has all states of sources.
    case began(SourceStates)
    /// This server does not lead any more.
    case ended
    /// The leader, another server, has kept these states of sources.
    case kept(SourceStates)
    /// This server leads, and another server has sent it this text.
    case told(String)
}

/// A change of a feed that another server made.
package enum FeedStep: Sendable {
    /// A later version of the same incarnation.
    case version(RecoveredFeed.Version, of: FeedName)
    /// The feed as a whole, in place of its known versions.
    case feed(RecoveredFeed)
    /// A version that is not the newest was forgotten.
    case forgotten(Token, of: FeedName)
    /// The feed was deleted. `latestDeleted` is the latest publish of any deleted feed, in seconds
    /// since 1970; `nil`: unknown.
    case removal(FeedName, latestDeleted: Double?)

    /// The feed's name.
    package var name: FeedName {
        switch self {
        case .version(_, let name), .forgotten(_, let name), .removal(let name, _): name
        case .feed(let feed): feed.feed
        }
    }
}
