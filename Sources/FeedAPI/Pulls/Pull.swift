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
    func foreseenCoding(_ accepted: CodingChoice) -> ContentCoding? {
        if accepted.coding == .identity || accepted.isForced { return accepted.coding }
        if !hasNews { return .identity }
        return choices.contains { $0?.isSurelyLong == true } ? accepted.coding : nil
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

/// Hashes the tag of a pull: the names of its feeds with their tokens or absence, and the view.
///
/// Eight bytes at a time go into a hash of 128 bits, by two multiplications to 128 bits whose
/// halves are exchanged (the principle of wyhash, Wang Yi). It need not withstand chosen input: the
/// names stand in the request, so all that differs for one request are tokens, which the server
/// draws and counts.
struct PullTag {
    private var low: UInt64 = 0x243f_6a88_85a3_08d3
    private var high: UInt64 = 0x1319_8a2e_0370_7344

    /// Adds a feed.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - token: The token of its version; `nil`: it is not there.
    mutating func add(_ name: Span<UInt8>, _ token: Token?) {
        add(name)
        // No epoch's code is 0.
        add(number: token?.epochCode ?? 0)
        if let token { add(number: UInt64(token.version)) }
    }

    /// The tag of all that was added, shown through a view.
    consuming func tag(_ view: FeedView) -> EntityTag {
        add(number: UInt64(bitPattern: Int64(view.limit ?? -1)))
        if let sections = view.sections {
            add(number: UInt64(sections.count))
            for section in sections.map(\.string).sorted() { add(section.utf8.span) }
        }
        // The last word has reached every bit once others follow it.
        add(number: 0)
        add(number: 0)
        return EntityTag(hash: low, high)
    }

    /// Adds bytes behind their number, so that no two rows of them are the same words.
    private mutating func add(_ bytes: Span<UInt8>) {
        add(number: UInt64(bytes.count))
        guard bytes.count >= 8 else {
            var word: UInt64 = 0
            for index in bytes.indices { word = word << 8 | UInt64(bytes[index]) }
            return add(number: word)
        }
        var index = 0
        while index + 8 < bytes.count {
            add(number: bytes.word(at: index))
            index += 8
        }
        // The last eight bytes; some of them were perhaps in the word before.
        add(number: bytes.word(at: bytes.count - 8))
    }

    private mutating func add(number: UInt64) {
        let first = (low ^ number).multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
        let second = (high &+ number).multipliedFullWidth(by: 0xd1b5_4a32_d192_ed03)
        low = first.low ^ second.high
        high = second.low ^ first.high
    }
}
