import FeedModel
import FeedStore
import HTTPServer
import HTTPWire
import Synchronization

/// The parsed request of a pull, which can be answered more than once.
struct PullRead: Sendable {
    let selection: FeedSelection
    var caller: Access.Caller
    var parts: ReadParts
    let wait: WaitPreference?
    /// Whether the feeds are named in the body of a `QUERY`, which caches do not compare.
    let isQuery: Bool
    /// The value of the Origin field, for a request that waits: a reload may list other origins.
    let origin: String?

    /// The wait mark of the answer: for a client that is ready to wait, and for a `QUERY`, whose
    /// answer must not be stored.
    var mark: WaitPreference.Mark? {
        wait?.mark ?? (isQuery ? WaitPreference.Mark(preferred: nil) : nil)
    }
}

/// The part of a pull about one existing feed.
struct PullPart: Sendable {
    let version: Version
    /// The responses about the version.
    let responses: VersionResponses
    /// The version that the client has.
    let since: Token?

    /// Whether the client has this version.
    var isUnchanged: Bool { since == version.token }

    /// Returns the document that leads to the version in a form, if it was made before.
    ///
    /// The version that the client has is not looked up: a cached document with this key is right.
    func found(_ presentation: borrowing Presentation, _ form: ResponseKey.Form) -> Payload? {
        let kind = ResponseKey.Kind(since: since, presentation, now: version.token)
        return responses.response(kind, presentation.view, form)
    }
}

/// The state of all feeds of a pull at one moment.
struct Pull: Sendable {
    /// The selected feeds in the order of the request.
    let entries: [FeedSelection.Entry]
    /// A part for each feed; `nil` for a feed that does not exist, or that the caller may not read.
    let parts: [PullPart?]
    let presentation: Presentation
    /// The least polling hint of the feeds, in seconds; `nil` if none of them exists.
    let hint: Int?
    /// A hash of the names with their tokens or absence, and of the view.
    let tag: EntityTag

    /// Returns whether nothing is new for the client; a missing feed is news only if the client had
    /// a version of it.
    func isStill(_ read: ReadParts) -> Bool {
        switch read.condition.outcome(tag) {
        case .send:
            zip(entries, parts).allSatisfy { entry, part in
                part.map(\.isUnchanged) ?? (entry.since == nil)
            }
        case .notModified: true
        case .failed: false
        }
    }
}

extension Pull {
    /// Whether some feed has changes or a snapshot to send; otherwise compression gains nothing,
    /// however many feeds there are.
    var hasNews: Bool { parts.contains { $0?.isUnchanged == false } }

    /// Whether there are so few feeds that the body may be too short to compress
    /// (``PullBody/codedMinimum``).
    var mayBeShort: Bool { entries.count <= 4 }

    /// Returns the body that consists of these documents, all in one form.
    func body(_ documents: [Payload?], _ form: ResponseKey.Form) -> PullBody {
        var body = PullBody(feedCount: entries.count, isCoded: form.isCoded)
        for (entry, document) in zip(entries, documents) { body.add(entry.name, document) }
        return body
    }
}

/// The versions that a waiting pull has checked, without news for the client.
///
/// As long as all of them are current, the pull is not checked again.
final class SeenPull: Sendable {
    private struct Record {
        /// The API whose rights were used; a strong reference, so that no other API can have the
        /// same address.
        let api: FeedAPI
        /// The status of each feed's version; `nil` for a feed that the caller could not see.
        let statuses: [VersionStatus?]
    }

    private let record: Mutex<Record>

    init(_ pull: Pull, by api: FeedAPI) { record = Mutex(SeenPull.record(of: pull, by: api)) }

    func note(_ pull: Pull, by api: FeedAPI) {
        record.withLock { $0 = SeenPull.record(of: pull, by: api) }
    }

    private static func record(of pull: Pull, by api: FeedAPI) -> Record {
        Record(api: api, statuses: pull.parts.map { $0?.version.status })
    }

    func isCurrent(for read: PullRead, _ api: FeedAPI) -> Bool {
        let record = record.withLock(\.self)
        guard record.api === api else { return false }
        return zip(read.selection.entries, record.statuses).allSatisfy { entry, status in
            status?.isCurrent ?? (api.visible(entry.feed, to: read.caller) == nil)
        }
    }
}

/// Computes the tag of a pull: a hash of the names of its feeds with their tokens or absence, and
/// of the view.
///
/// The hash has 128 bits and takes eight bytes at a time, by two multiplications to 128 bits whose
/// halves are exchanged (the principle of wyhash, Wang Yi). It need not withstand chosen input: for
/// one request only the tokens differ, and the server makes these.
struct PullTag {
    private var low: UInt64 = 0x243f_6a88_85a3_08d3
    private var high: UInt64 = 0x1319_8a2e_0370_7344

    /// Adds a feed.
    ///
    /// - Parameters:
    ///   - name: The name of the feed.
    ///   - token: The token of its version; `nil` if the feed is missing.
    mutating func add(_ name: Span<UInt8>, _ token: Token?) {
        add(name)
        // No epoch has the code 0, so it can stand for a missing feed.
        add(number: token?.epochCode ?? 0)
        if let token { add(number: UInt64(token.version)) }
    }

    /// Returns the tag of all added feeds in a view.
    consuming func tag(_ view: FeedView) -> EntityTag {
        add(number: UInt64(bitPattern: Int64(view.limit ?? -1)))
        if let sections = view.sections {
            add(number: UInt64(sections.count))
            for section in sections.map(\.string).sorted() { add(section.utf8.span) }
        }
        // Two more rounds spread the last word over all bits.
        add(number: 0)
        add(number: 0)
        return EntityTag(hash: low, high)
    }

    /// Adds the number of bytes and then the bytes, so that different sequences of texts have
    /// different words.
    private mutating func add(_ bytes: Span<UInt8>) {
        add(number: UInt64(bytes.count))
        guard bytes.count >= 8 else { return add(number: bytes.shortWord) }
        var index = 0
        while index + 8 < bytes.count {
            add(number: bytes.word(at: index))
            index += 8
        }
        // The last word may repeat some bytes of the word before.
        add(number: bytes.word(at: bytes.count - 8))
    }

    private mutating func add(number: UInt64) {
        let first = (low ^ number).multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
        let second = (high &+ number).multipliedFullWidth(by: 0xd1b5_4a32_d192_ed03)
        low = first.low ^ second.high
        high = second.low ^ first.high
    }
}
