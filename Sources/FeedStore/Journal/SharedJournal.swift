package import FeedModel
import Synchronization

/// A journal that several servers write to, each with feeds of its own in memory.
///
/// An entry of this server is kept only on top of the newest version that any server made. The
/// steps of other servers are handed over in the order of a feed's versions, and in one order with
/// the outcomes of this server's own entries.
package protocol SharedJournal: Journal {
    /// Sets the receiver of other servers' steps; called once, before ``Journal/recover(_:)``.
    ///
    /// - Parameters:
    ///   - receive: Called on the queue on which entries are decided.
    ///   - reconnected: Called for each new connection after the first, before anything is appended
    ///     by it. Versions that were made before it was called, and are not kept yet, are late.
    func follow(
        _ receive: @escaping @Sendable (FeedStep) -> Void,
        reconnected: @escaping @Sendable () -> Void
    )

    /// Looks for newer versions of some feeds now.
    ///
    /// - Parameter completion: Called once, after everything that was found was handed over, with
    ///   whether the journal answered.
    func catchUp(_ feeds: [FeedName], completion: @escaping @Sendable (Bool) -> Void)

    /// Finds the kept answer to a request with an Idempotency-Key.
    ///
    /// - Parameter completion: Called once; gets `nil` within when there is none, and an error when
    ///   the journal does not answer.
    func findAnswer(
        owner: [UInt8],
        key: [UInt8],
        completion: @escaping @Sendable (Result<JournalAnswer?, JournalError>) -> Void
    )

    /// Asks to be the leader, the one server that does work which only one may do at a time.
    ///
    /// Called once. When the leader is gone, or has stood still for some seconds, another server
    /// leads within ten. Of all servers, the leader alone can keep states of sources.
    ///
    /// - Parameter change: Called with what concerns leading, in order; at first this server does
    ///   not lead.
    func lead(_ change: @escaping @Sendable (LeadershipEvent) -> Void)

    /// Sends a text to the leader, if there is one; a failed delivery is not reported.
    ///
    /// - Parameter words: A text of at most 7,500 bytes.
    func tellLeader(_ words: String)

    /// The time for which nothing can have been heard of other servers' versions; `nil` while
    /// connected.
    var cutOffTime: Duration? { get }
}

/// An event that concerns the one server of several that leads.
package enum LeadershipEvent: Sendable {
    /// This server leads from now on; with all states of sources that are kept.
    case began(SourceStates)
    /// This server does not lead any more.
    case ended
    /// The leader, another server, has kept these states of sources.
    case kept(SourceStates)
    /// Another server tells the leader, which this one is, something.
    case told(String)
}

/// A change of a feed that another server made.
package enum FeedStep: Sendable {
    /// A later version of the same incarnation.
    case version(RecoveredFeed.Version, of: FeedName)
    /// The feed as a whole, in place of its known versions.
    case feed(RecoveredFeed)
    /// A version that is not the newest is to be forgotten.
    case forgotten(Token, of: FeedName)
    /// The feed is deleted; with the latest second of a publish of a feed that is deleted now, if
    /// that is known.
    case removal(FeedName, latestDeleted: Double?)

    /// The feed's name.
    package var name: FeedName {
        switch self {
        case .version(_, let name), .forgotten(_, let name), .removal(let name, _): name
        case .feed(let feed): feed.feed
        }
    }
}

/// Makes numbers that tell the versions of this process apart, also versions that other servers
/// made.
package enum VersionNumber {
    private static let last = Atomic(0)

    /// Returns a number that was never given before.
    package static func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}
