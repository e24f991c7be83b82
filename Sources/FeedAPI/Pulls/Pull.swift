import FeedModel
import FeedStore
import HTTPServer
import HTTPWire

/// A pull with the state of its feeds at one moment.
struct Pull: Sendable {
    let selection: FeedSelection
    let parts: ReadParts
    /// The content of Preference-Applied; not `nil` for a request that may wait, and for a `QUERY`:
    /// no cache may store the responses to these.
    let applied: WaitPreference.Applied?
    /// The version of each feed; `nil` for a feed that does not exist, or that the caller may not
    /// read.
    let versions: [Version?]
    /// The least polling hint of the feeds, in seconds; `nil` if none of them exists.
    let hint: Int?
    /// The entity tag: a hash of the names with their tokens or absence, and of the view.
    let tag: EntityTag

    /// The selected feeds in the order of the request.
    var entries: [FeedSelection.Entry] { selection.entries }

    /// Whether nothing is new for the client, so that a request may wait; a missing feed is new
    /// only to a client that had a version of it.
    var isUnchanged: Bool {
        switch parts.condition.outcome(tag) {
        case .send: zip(entries, versions).allSatisfy { $0.since == $1?.token }
        case .notModified: true
        case .failed: false
        }
    }

    /// Whether some feed has changes or a snapshot to send; otherwise compression gains nothing,
    /// however many feeds there are.
    var hasNews: Bool {
        zip(entries, versions).contains { entry, found in
            found.map { $0.token != entry.since } ?? false
        }
    }
}

/// Computes the tag of a pull: a hash of the names of its feeds with their tokens or absence, and
/// of the view.
///
/// The hash has 128 bits and takes eight bytes at a time, by two multiplications to 128 bits whose
/// halves are exchanged (the principle of wyhash, Wang Yi). It need not withstand chosen input: the
/// responses to one request differ only in the tokens, which the server makes.
struct PullTag {
    private var low: UInt64 = 0x243f_6a88_85a3_08d3
    private var high: UInt64 = 0x1319_8a2e_0370_7344

    /// Adds a feed with the token of its version; `nil` if the feed is missing.
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
