import FeedModel
import FeedStore
import HTTPServer
import HTTPWire
import Synchronization

/// A pull, taken apart, so that it can be answered more than once.
struct PullRead: Sendable {
    let selection: FeedSelection
    var caller: Access.Caller
    var parts: ReadParts
    let wait: WaitPreference?
    /// Whether the feeds are named in a body, which no cache looks at.
    let isQuery: Bool
    /// The value of the Origin field of a request that waits: a reload may list other origins.
    let origin: String?

    /// The mark in an answer for a client that was ready to wait, or in one that is not to be
    /// stored.
    var mark: WaitPreference.Mark? {
        wait?.mark ?? (isQuery ? WaitPreference.Mark(preferred: nil) : nil)
    }
}

/// The documents of several feeds at one moment.
struct Pull: Sendable {
    /// As they were asked for.
    let entries: [FeedSelection.Entry]
    /// For each its answer; `nil` for one that is not there for the caller.
    let choices: [DocumentChoice?]
    let view: FeedView
    /// A hash of the names with their tokens or absence, and of the view.
    let tag: EntityTag

    init(_ entries: [FeedSelection.Entry], choices: [DocumentChoice?], view: FeedView) {
        self.entries = entries
        self.choices = choices
        self.view = view
        var tag = PullTag()
        for (entry, choice) in zip(entries, choices) {
            tag.add(entry.name.utf8.span, choice?.version.token)
        }
        self.tag = tag.tag(view)
    }

    /// Whether there is nothing new for the client: a missing feed is news only for a client that
    /// had it.
    func isStill(_ parts: ReadParts) -> Bool {
        switch parts.condition.outcome(tag) {
        case .send:
            zip(entries, choices).allSatisfy { entry, choice in
                choice?.isUnchanged ?? (entry.since == nil)
            }
        case .notModified: true
        case .failed: false
        }
    }
}

extension Pull {
    /// Whether it says more of a feed than that there is nothing new, or no such feed. What says no
    /// more gains nothing by compression, of however many feeds.
    var hasNews: Bool { choices.contains { $0?.isUnchanged == false } }

    /// Returns the body that is made of these documents, each in this form.
    func body(_ documents: [Payload?], _ form: ResponseKey.Form) -> PullBody {
        var body = PullBody(feedCount: entries.count, isCoded: form.isCoded)
        for (entry, document) in zip(entries, documents) { body.add(entry.name, document) }
        return body
    }

    /// How it would be coded, where that can be told without the documents.
    func foreseenCoding(_ wish: CodingChoice) -> ContentCoding? {
        if wish.coding == .identity || wish.isForced { return wish.coding }
        if !hasNews { return .identity }
        return choices.contains { $0?.isSurelyLong == true } ? wish.coding : nil
    }
}

/// The versions that a waiting pull has seen last, which were nothing new.
///
/// As long as all of them are current, no part of the pull needs to be looked at again.
final class SeenPull: Sendable {
    private struct Sight {
        /// Whose rights it was seen by; held, so that no other can have its place in memory.
        let api: FeedAPI
        /// For each feed its version's; `nil` for one that was not there for the caller.
        let statuses: [VersionStatus?]
    }

    private let sight: Mutex<Sight>

    init(_ pull: Pull, by api: FeedAPI) { sight = Mutex(SeenPull.sight(of: pull, by: api)) }

    func note(_ pull: Pull, by api: FeedAPI) {
        sight.withLock { $0 = SeenPull.sight(of: pull, by: api) }
    }

    private static func sight(of pull: Pull, by api: FeedAPI) -> Sight {
        Sight(api: api, statuses: pull.choices.map { $0?.version.status })
    }

    func isCurrent(for read: PullRead, _ api: FeedAPI) -> Bool {
        let sight = sight.withLock(\.self)
        guard sight.api === api else { return false }
        return zip(read.selection.entries, sight.statuses).allSatisfy { entry, status in
            status?.isCurrent ?? (api.visible(entry.feed, to: read.caller) == nil)
        }
    }
}
