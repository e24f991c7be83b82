package import FeedModel

/// A journal that several servers write to, each with all feeds in memory.
///
/// An entry is stored only if it was made from the feed's newest version, whichever server made
/// that version. The changes by other servers are delivered in the order of a feed's versions, and
/// on the same queue as the outcomes of this server's entries.
package protocol SharedJournal: Journal {
    /// Sets the receiver of changes by other servers; called once, before ``Journal/recover(_:)``.
    ///
    /// - Parameters:
    ///   - receive: Called with each change, on the queue on which the outcomes of entries are
    ///     reported.
    ///   - reconnected: Called for each new connection after the first, before any entry is written
    ///     by it. Entries for versions that were made before that call and are not stored yet get
    ///     ``JournalOutcome/late``.
    func follow(
        _ receive: @escaping @Sendable (RemoteChange) -> Void,
        reconnected: @escaping @Sendable () -> Void
    )

    /// Reads newer versions of some feeds now.
    ///
    /// - Parameter completion: Called once, after all changes were delivered, with whether the
    ///   journal answered.
    func catchUp(_ feeds: [FeedName], completion: @escaping @Sendable (Bool) -> Void)

    /// Finds the stored response to a request with an Idempotency-Key.
    ///
    /// - Parameters:
    ///   - owner: The digest of the requester's bearer key.
    ///   - key: The bytes that identify the request (``JournalAnswer/key``).
    ///   - completion: Called once, with the response, with `nil` if there is none, or with an
    ///     error if the journal does not respond.
    func findAnswer(
        owner: [UInt8],
        key: [UInt8],
        completion: @escaping @Sendable (Result<JournalAnswer?, JournalError>) -> Void
    )

    /// Makes this server a candidate for leader, the server that does work which only one may do at
    /// a time; called once.
    ///
    /// When the leader is gone, or has hung for some seconds, another server becomes the leader
    /// within ten seconds. Only the leader can store states of sources.
    ///
    /// - Parameter change: Called with each event, in order. At first this server is not the
    ///   leader.
    func lead(_ change: @escaping @Sendable (LeadershipEvent) -> Void)

    /// Sends a text to the leader, if there is one; a failed delivery is not reported.
    ///
    /// - Parameter words: The text; one of more than 7,500 bytes is not delivered.
    func tellLeader(_ words: String)

    /// The time since versions of other servers could last be received; `nil` while connected.
    var cutOffTime: Duration? { get }
}

/// An event about the leader of several servers.
package enum LeadershipEvent: Sendable {
    /// This server is the leader from now on; the stored states of all sources are given.
    case began(SourceStates)
    /// This server is no longer the leader.
    case ended
    /// The leader, another server, has stored these states of sources.
    case kept(SourceStates)
    /// This server is the leader, and another server has sent it this text.
    case told(String)
}

/// A change of a feed that another server made.
package enum RemoteChange: Sendable {
    /// A later version of a feed that was not deleted and created anew in between.
    case version(VersionContent, of: FeedName)
    /// The feed as a whole, which replaces all its versions in memory.
    case feed(RecoveredFeed)
    /// A version that is not the newest was removed.
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
