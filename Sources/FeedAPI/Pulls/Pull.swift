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

/// The part of a pull that is about one feed which is there: a version, and the document that leads
/// to it.
struct PullPart: Sendable {
    let version: Version
    /// The responses about the version.
    let responses: VersionResponses
    /// The document that has what is new; `nil` if the client has this version.
    let news: DocumentChoice?

    /// Returns the document in a form, if it was made before.
    func found(_ view: FeedView, _ form: ResponseKey.Form) -> Payload? {
        responses.response(news?.kind ?? .unchanged, view, form)
    }

    /// Returns the document to make.
    func document(_ presentation: Presentation) -> DocumentChoice {
        news ?? DocumentChoice(
            FeedQuery(since: version.token, presentation),
            old: version,
            version: version
        )
    }
}

/// The documents of several feeds at one moment.
struct Pull: Sendable {
    /// The feeds as they were asked for.
    let entries: [FeedSelection.Entry]
    /// A part for each feed; `nil` for one that is not there for the caller.
    let parts: [PullPart?]
    let presentation: Presentation
    /// The time after which the first of the feeds is worth asking for again, in seconds.
    let hint: Int?
    /// A hash of the names with their tokens or absence, and of the view.
    let tag: EntityTag

    /// Returns whether there is nothing new for the client: a missing feed is news only for a
    /// client that had it.
    func isStill(_ read: ReadParts) -> Bool {
        switch read.condition.outcome(tag) {
        case .send:
            zip(entries, parts).allSatisfy { entry, part in
                part.map { $0.news == nil } ?? (entry.since == nil)
            }
        case .notModified: true
        case .failed: false
        }
    }
}

extension Pull {
    /// Whether it says more of a feed than that there is nothing new, or no such feed. What says no
    /// more gains nothing by compression, of however many feeds.
    var hasNews: Bool { parts.contains { $0?.news != nil } }

    /// Returns the body that is made of these documents, each in this form.
    func body(_ documents: [Payload?], _ form: ResponseKey.Form) -> PullBody {
        var body = PullBody(feedCount: entries.count, isCoded: form.isCoded)
        for (entry, document) in zip(entries, documents) { body.add(entry.name, document) }
        return body
    }

    /// Returns how it would be coded, if that can be told without the documents.
    func foreseenCoding(_ accepted: CodingChoice) -> ContentCoding? {
        if accepted.coding == .identity || accepted.isForced { return accepted.coding }
        if !hasNews { return .identity }
        return parts.contains { $0?.news?.isSurelyLong == true } ? accepted.coding : nil
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
        Sight(api: api, statuses: pull.parts.map { $0?.version.status })
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
        guard bytes.count >= 8 else { return add(number: bytes.shortWord) }
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
