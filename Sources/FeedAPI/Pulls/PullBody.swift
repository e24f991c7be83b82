import FeedDiff
import FeedModel
import Gzip
import HTTPServer
import HTTPWire

/// The body of a pull: the documents of the feeds within a JSON object.
struct PullBody {
    struct Feed {
        let name: String
        /// The document; `nil` for a missing feed.
        let document: Payload?
    }

    /// The feeds in the order of the request.
    private(set) var feeds: [Feed] = []
    /// The bytes of the documents in the form in which they are cached.
    private(set) var documentByteCount = 0
    /// The bytes of the content without a coding, except for the documents of existing feeds.
    private var frameByteCount: Int
    /// The bytes of the content without a coding.
    private(set) var plainByteCount: Int

    /// Makes a body without feeds.
    init(feedCount: Int, isCoded: Bool) {
        self.isCoded = isCoded
        feeds.reserveCapacity(feedCount)
        frameByteCount = PullWriter.byteCount(feeds: feedCount)
        plainByteCount = frameByteCount
    }

    /// Adds a feed and its document; `nil` for a missing feed.
    mutating func add(_ name: String, _ document: Payload?) {
        feeds.append(Feed(name: name, document: document))
        let frame =
            document == nil
            ? PullBody.missing(name).count + PullBody.jsonByteCount(name) - 2 : name.utf8.count
        frameByteCount += frame
        plainByteCount += frame + (document?.contentByteCount ?? 0)
        documentByteCount += document?.bodyByteCount ?? 0
    }

    /// The least bytes of a pull for which compression may be worth it: each document is compressed
    /// separately.
    static let codedMinimum = 256

    /// Whether the documents are parts of a gzip stream.
    let isCoded: Bool

    /// Whether the body is sent without a coding: it is short, or compression does not make it
    /// smaller.
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

    /// Returns whether compression makes a pull smaller.
    ///
    /// - Parameters:
    ///   - coded: The bytes of the names and the compressed documents.
    ///   - plain: The bytes of the names and the documents without a coding.
    ///   - count: The number of feeds.
    static func gains(_ coded: Int, _ plain: Int, feeds count: Int) -> Bool {
        // The text around each document is a stored block of its own.
        let coded = coded + GzipFrame.byteCount(storedBlocks: count + 1)
        return ContentCoding.isWorth(coded, insteadOf: plain)
    }

    /// Returns the content in a coding as one array; for any coding but identity the documents must
    /// be parts of a gzip stream.
    func bytes(_ coding: ContentCoding) -> [UInt8] {
        var writer = PullWriter(
            coding,
            documentByteCount: documentByteCount,
            feedCount: feeds.count
        )
        write(to: &writer)
        return writer.finish()
    }

    /// Returns the content in a coding as pieces in their order.
    ///
    /// The pieces with documents are shared by all clients that get the same documents.
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

    /// Returns the document of a missing feed.
    static func missing(_ name: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("kind", "missing")
        writer.member("feed", name)
        writer.endObject()
        return writer.finish()
    }
}

/// Writes the content of a pull: as one array, or as pieces that alternate with shared ones.
struct PullWriter {
    /// The bytes since the last shared piece; with the documents, if these are copied.
    private var own: [UInt8] = []
    private var pieces: [[UInt8]] = []
    private let copies: Bool
    /// The gzip stream; `nil` if the content has no coding.
    private var frame: GzipFrame?
    private var isFirst = true

    /// Makes a writer of one array.
    init(_ coding: ContentCoding, documentByteCount: Int, feedCount: Int) {
        copies = true
        own.reserveCapacity(documentByteCount + 64 + 80 * feedCount)
        begin(coding)
    }

    /// Makes a writer of pieces.
    init(_ coding: ContentCoding) {
        copies = false
        begin(coding)
    }

    private mutating func begin(_ coding: ContentCoding) {
        guard coding != .identity else { return }
        frame = GzipFrame()
        frame?.appendHeader(to: &own)
    }

    /// Adds a feed with its document, which must be a part of a gzip stream if the content has a
    /// coding.
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

    /// Adds a missing feed.
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

    /// Adds bytes that are not shared.
    private mutating func store(_ write: (inout [UInt8]) -> Void) {
        if frame?.store(in: &own, write) == nil { write(&own) }
    }

    /// Ends the content, and returns all of it.
    consuming func finish() -> [UInt8] {
        end()
        return own
    }

    /// Ends the content, and returns its pieces.
    consuming func finishPieces() -> [[UInt8]] {
        end()
        return pieces + [own]
    }

    private mutating func end() {
        store { $0.append(addingCapacity: PullWriter.endByteCount) { $0.append(PullWriter.end) } }
        frame?.appendTrailer(to: &own)
    }

    /// Returns the bytes of the content around the names and documents of so many feeds, without a
    /// coding.
    static func byteCount(feeds count: Int) -> Int {
        start.utf8CodeUnitCount + (count - 1) * next.utf8CodeUnitCount + 3 * count + endByteCount
    }

    fileprivate static var start: StaticString { #"{"kind":"pull","feeds":{"# }
    fileprivate static var next: StaticString { "," }
    static var end: StaticString { "}}" }
    private static var endByteCount: Int { end.utf8CodeUnitCount }
    /// The most bytes before a document, without the feed's name.
    fileprivate static var startByteLimit: Int { start.utf8CodeUnitCount + 3 }
}

extension OutputSpan<UInt8> {
    fileprivate mutating func append(startOf isFirst: Bool) {
        if isFirst { append(PullWriter.start) } else { append(PullWriter.next) }
    }

    /// Appends the text before a feed's document; a valid feed name needs no escapes in JSON.
    mutating func append(nameOf name: Span<UInt8>, isFirst: Bool) {
        append(startOf: isFirst)
        append(UInt8(ascii: "\""))
        name.withUnsafeBufferPointer { append(copying: $0) }
        append("\":")
    }
}
