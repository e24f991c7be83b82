import FeedDiff
import FeedModel
import Gzip
import HTTPServer
import HTTPWire

/// The document of a pull: pieces of ours around the documents of the feeds.
struct PullBody {
    struct Feed {
        let name: String
        /// `nil` for a feed that is not there.
        let document: Payload?
    }

    /// As they were asked for.
    private(set) var feeds: [Feed] = []
    /// Bytes of the documents as they are kept.
    private(set) var documentByteCount = 0
    /// Bytes of the content without a coding, but for the documents of the feeds that are there.
    private var frameByteCount: Int
    /// Bytes of the content without a coding.
    private(set) var plainByteCount: Int

    /// Makes a body without feeds.
    init(feedCount: Int, isCoded: Bool) {
        self.isCoded = isCoded
        feeds.reserveCapacity(feedCount)
        frameByteCount = PullWriter.byteCount(feeds: feedCount)
        plainByteCount = frameByteCount
    }

    /// Adds a feed and its document; `nil` for one that is not there.
    mutating func add(_ name: String, _ document: Payload?) {
        feeds.append(Feed(name: name, document: document))
        let frame =
            document == nil
            ? PullBody.missing(name).count + PullBody.jsonByteCount(name) - 2 : name.utf8.count
        frameByteCount += frame
        plainByteCount += frame + (document?.contentByteCount ?? 0)
        documentByteCount += document?.bodyByteCount ?? 0
    }

    /// The least bytes of a pull that may be worth coding: each of its documents is coded by
    /// itself.
    static let codedMinimum = 256

    /// Whether its documents are pieces of a gzip stream.
    let isCoded: Bool

    /// Whether it is sent without a coding: it is short, or compression makes it no smaller.
    var isPlain: Bool {
        guard isCoded, plainByteCount >= PullBody.codedMinimum else { return true }
        let coded = frameByteCount + documentByteCount
        return !PullBody.gains(coded, plainByteCount, feeds: feeds.count)
    }

    private static func jsonByteCount(_ text: String) -> Int {
        var bytes: [UInt8] = []
        bytes.append(jsonString: text)
        return bytes.count
    }

    /// Whether a pull becomes smaller by compression.
    ///
    /// - Parameters:
    ///   - coded: Bytes of the names and the compressed documents.
    ///   - plain: The bytes of the names and the documents as they are.
    ///   - count: How many feeds there are.
    static func gains(_ coded: Int, _ plain: Int, feeds count: Int) -> Bool {
        // What stands around the documents is in blocks of its own.
        let coded = coded + GzipFrame.byteCount(storedBlocks: count + 1)
        return ContentCoding.isWorth(coded, insteadOf: plain)
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

    /// Returns all of it in pieces, in their order.
    ///
    /// The feeds' pieces are shared among all clients that get the same documents.
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
    /// The bytes that belong to this pull alone; with the documents, where those are copied.
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
        frame = GzipFrame()
        frame?.appendHeader(to: &own)
    }

    /// Adds the document of a feed of that name; as part of a gzip stream, where it is coded.
    mutating func add(_ name: Span<UInt8>, _ document: Payload) {
        let isFirst = isFirst
        self.isFirst = false
        store { bytes in
            bytes.append(addingCapacity: PullWriter.startByteLimit + name.count) {
                $0.append(nameOf: name, isFirst: isFirst)
            }
        }
        guard frame != nil else { return addPlain(document) }
        guard let part = document.part else {
            preconditionFailure("a coded pull is made of parts")
        }
        frame?.add(part)
        addShared(part.blocks)
    }

    private mutating func addPlain(_ document: Payload) {
        if !copies || document.part != nil {
            return addShared(document.part?.content ?? document.body)
        }
        own.append(addingCapacity: document.bodyByteCount) { document.writeBody(to: &$0) }
    }

    /// Says of a feed that it is not there.
    mutating func addMissing(_ name: String) {
        let isFirst = isFirst
        self.isFirst = false
        store { bytes in
            bytes.append(addingCapacity: PullWriter.startByteLimit) { $0.append(startOf: isFirst) }
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
        store { $0.append(addingCapacity: PullWriter.endByteCount) { $0.append(PullWriter.end) } }
        frame?.appendTrailer(to: &own)
    }

    /// Bytes of the content beside the names and documents of so many feeds, not coded.
    static func byteCount(feeds count: Int) -> Int {
        start.utf8CodeUnitCount + (count - 1) * next.utf8CodeUnitCount + 3 * count + endByteCount
    }

    fileprivate static var start: StaticString { #"{"kind":"pull","feeds":{"# }
    fileprivate static var next: StaticString { "," }
    static var end: StaticString { "}}" }
    private static var endByteCount: Int { end.utf8CodeUnitCount }
    /// The most bytes that stand before a document, but for the feed's name.
    fileprivate static var startByteLimit: Int { start.utf8CodeUnitCount + 3 }
}

extension OutputSpan<UInt8> {
    fileprivate mutating func append(startOf isFirst: Bool) {
        if isFirst { append(PullWriter.start) } else { append(PullWriter.next) }
    }

    /// Adds what stands before the document of a feed. What can be a feed's name stands in JSON as
    /// it is.
    mutating func append(nameOf name: Span<UInt8>, isFirst: Bool) {
        append(startOf: isFirst)
        append(UInt8(ascii: "\""))
        name.withUnsafeBufferPointer { append(copying: $0) }
        append("\":")
    }
}
