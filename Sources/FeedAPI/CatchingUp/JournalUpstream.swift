import FeedJournal
import FeedModel

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
