package import FeedModel
import FeedStore

/// A source that a server follows: a database that several servers share, or the server that it
/// mirrors.
package protocol Upstream: AnyObject, Sendable {
    /// Brings the store up to date with some feeds.
    ///
    /// - Parameters:
    ///   - questions: Each feed once, with the newest token that a client has of it.
    ///   - completion: Called once, when the store has what the upstream said; with whether it did.
    func ask(
        _ questions: [(feed: FeedName, token: Token?)],
        completion: @escaping @Sendable (Bool) -> Void
    )

    /// For how long nothing can have been heard of what changed; `nil` while it is connected.
    var cutOffTime: Duration? { get }

    /// Whether a feed that is not here is not there either, as far as is known.
    var knowsAllFeeds: Bool { get }

    /// Whether it takes publishes, as a database does for its servers.
    var takesPublishes: Bool { get }
}

/// A database that several servers share, as what each of them follows.
final class JournalUpstream: Upstream {
    private let journal: any SharedJournal

    init(_ journal: any SharedJournal) {
        self.journal = journal
    }

    func ask(
        _ questions: [(feed: FeedName, token: Token?)],
        completion: @escaping @Sendable (Bool) -> Void
    ) {
        journal.catchUp(questions.map(\.feed), completion: completion)
    }

    var cutOffTime: Duration? { journal.cutOffTime }

    var knowsAllFeeds: Bool { true }

    var takesPublishes: Bool { true }
}
