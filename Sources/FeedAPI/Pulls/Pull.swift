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

    /// Whether there are so few feeds that the body may be too short to compress.
    var mayBeShort: Bool { entries.count <= 4 }
}

/// Computes the tag of a pull: half of the SHA-256 digest of the names of its feeds with their
/// tokens or absence, and of the view.
struct PullTag {
    private var bytes: [UInt8] = []

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
        return EntityTag(SHA256Digest(of: bytes.span))
    }

    /// Adds the number of bytes and then the bytes, so that different sequences of texts have
    /// different digests.
    private mutating func add(_ text: Span<UInt8>) {
        add(number: UInt64(text.count))
        text.withUnsafeBufferPointer { bytes += $0 }
    }

    private mutating func add(number: UInt64) {
        withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }
}
