import FeedDiff
import FeedModel
import HTTPServer
import HTTPWire

/// The document of a pull: pieces of ours around the documents of the feeds.
struct PullBody {
    struct Feed {
        let name: String
        /// `nil` for a feed that is not there.
        let document: CachedResponse?
    }

    /// As they were asked for.
    private(set) var feeds: [Feed] = []
    /// Bytes of the documents as they are kept.
    private(set) var documentByteCount = 0

    init(feedCount: Int) { feeds.reserveCapacity(feedCount) }

    /// Adds a feed and its document; `nil` for one that is not there.
    mutating func add(_ name: String, _ document: CachedResponse?) {
        feeds.append(Feed(name: name, document: document))
        documentByteCount += document?.body.count ?? 0
    }

    /// Whether it is too short to be worth compressing.
    var isShort: Bool {
        let count = feeds.reduce(0) { $0 + ($1.document?.contentByteCount ?? 0) }
        guard count < ResponseBuilder.codedMinimum else { return false }
        return bytes(.identity).count < ResponseBuilder.codedMinimum
    }

    /// All of it, in a coding; for any but identity the documents are parts of a gzip stream.
    func bytes(_ coding: ContentCoding) -> [UInt8] {
        var writer = PullWriter(
            coding,
            documentByteCount: documentByteCount,
            feedCount: feeds.count
        )
        write(to: &writer)
        return writer.finish()
    }

    /// The same in pieces, in their order: those of the feeds are shared with all who get the same.
    func pieces(_ coding: ContentCoding) -> [[UInt8]] {
        var writer = PullWriter(coding)
        write(to: &writer)
        return writer.finishPieces()
    }

    private func write(to writer: inout PullWriter) {
        for feed in feeds {
            if let document = feed.document {
                writer.add(feed.name.utf8.span, document)
            } else {
                writer.addMissing(feed.name)
            }
        }
    }

    /// The document of a feed that is not there.
    static func missing(_ name: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("kind", "missing")
        writer.member("feed", name)
        writer.endObject()
        return writer.finish()
    }
}

/// Writes the document of a pull: to one array, or in pieces between those that are shared.
struct PullWriter {
    /// What belongs to this one alone; with the documents, where those are copied.
    private var own: [UInt8] = []
    private var pieces: [[UInt8]] = []
    private let copies: Bool
    /// `nil`: the content is not coded.
    private var frame: GzipFrame?
    private var isFirst = true

    /// Writes to one array.
    init(_ coding: ContentCoding, documentByteCount: Int, feedCount: Int) {
        copies = true
        own.reserveCapacity(documentByteCount + 64 + 80 * feedCount)
        begin(coding)
    }

    /// Writes pieces.
    init(_ coding: ContentCoding) {
        copies = false
        begin(coding)
    }

    private mutating func begin(_ coding: ContentCoding) {
        guard coding != .identity else { return }
        frame = GzipFrame(coding)
        frame?.appendHeader(to: &own)
    }

    /// Adds the document of a feed of that name; as part of a gzip stream, where it is coded.
    mutating func add(_ name: Span<UInt8>, _ document: CachedResponse) {
        let isFirst = isFirst
        self.isFirst = false
        if let part = document.part, frame != nil {
            frame?.store(in: &own) { $0.append(name: name, isFirst: isFirst) }
            frame?.add(part)
            addShared(part.blocks)
        } else {
            own.append(name: name, isFirst: isFirst)
            addShared(document.part?.content ?? document.body)
        }
    }

    /// Says of a feed that it is not there.
    mutating func addMissing(_ name: String) {
        let isFirst = isFirst
        self.isFirst = false
        store { bytes in
            bytes.append(bytesOf: isFirst ? PullWriter.start : PullWriter.next)
            bytes.append(jsonString: name)
            bytes.append(UInt8(ascii: ":"))
            bytes += PullBody.missing(name)
        }
    }

    private mutating func addShared(_ bytes: [UInt8]) {
        if copies { return own.append(bytesOf: bytes) }
        pieces.append(own)
        pieces.append(bytes)
        own = []
    }

    /// Adds what belongs to this one alone.
    private mutating func store(_ write: (inout [UInt8]) -> Void) {
        if frame?.store(in: &own, write) == nil { write(&own) }
    }

    /// Ends it, and gives all of it.
    consuming func finish() -> [UInt8] {
        end()
        return own
    }

    /// Ends it, and gives the pieces.
    consuming func finishPieces() -> [[UInt8]] {
        end()
        return pieces + [own]
    }

    private mutating func end() {
        store { $0.append(bytesOf: PullWriter.end) }
        frame?.appendTrailer(to: &own)
    }

    fileprivate static let start = Array(#"{"kind":"pull","feeds":{"#.utf8)
    fileprivate static let next = Array(",".utf8)
    private static let end = Array("}}".utf8)
}

extension [UInt8] {
    /// Adds what stands before the document of a feed. What can be a feed's name stands in JSON as it
    /// is.
    fileprivate mutating func append(name: Span<UInt8>, isFirst: Bool) {
        append(bytesOf: isFirst ? PullWriter.start : PullWriter.next)
        append(UInt8(ascii: "\""))
        name.withUnsafeBufferPointer { append(contentsOf: $0) }
        append(UInt8(ascii: "\""))
        append(UInt8(ascii: ":"))
    }
}

extension CachedResponse {
    /// The bytes of the document before it was coded as a part.
    var contentByteCount: Int { part?.contentCount ?? body.count }
}
