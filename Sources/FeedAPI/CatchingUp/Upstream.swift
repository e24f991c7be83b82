package import FeedModel
import FeedStore

/// The origin of a server's feeds: a database that several servers share, or the server that this
/// one mirrors.
package protocol Upstream: AnyObject, Sendable {
    /// Brings the store up to date with some feeds.
    ///
    /// - Parameters:
    ///   - questions: The feeds, each once, with the newest token that a client has of each.
    ///   - completion: Called once: with true when the upstream's answer is in the store, or with
    ///     false if there was no answer.
    func ask(
        _ questions: [(feed: FeedName, token: Token?)],
        completion: @escaping @Sendable (Bool) -> Void
    )

    /// The time since the connection to the upstream was lost; `nil` while it is connected.
    var cutOffTime: Duration? { get }

    /// The reason why the store does not get the upstream's versions although it is connected, in
    /// words; `nil` while it gets them.
    var trouble: String? { get }

    /// Whether the store has all feeds of the upstream; only then does a missing feed not exist.
    var knowsAllFeeds: Bool { get }

    /// Whether publishes to this server reach the upstream, as with a shared database.
    var takesPublishes: Bool { get }
}

/// The database that several servers share, as the upstream of each of them.
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

    var trouble: String? { nil }

    var knowsAllFeeds: Bool { true }

    var takesPublishes: Bool { true }
}
