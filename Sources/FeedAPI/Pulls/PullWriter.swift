import FeedModel
import HTTPServer
import HTTPWire

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

    /// Adds the document of a feed of that name without a coding, if all of it stays below `limit`
    /// bytes.
    mutating func add(_ name: Span<UInt8>, _ document: CachedResponse, upTo limit: Int) -> Bool {
        guard own.count + name.count + document.bodyByteCount < limit else { return false }
        own.append(name: name, isFirst: isFirst, document)
        isFirst = false
        return true
    }

    /// Adds the document of a feed of that name; as part of a gzip stream, where it is coded.
    mutating func add(_ name: Span<UInt8>, _ document: CachedResponse) {
        let isFirst = isFirst
        self.isFirst = false
        store { $0.append(name: name, isFirst: isFirst) }
        guard frame != nil else { return addShared(document.part?.content ?? document.body) }
        guard let part = document.part else {
            preconditionFailure("a coded pull is made of parts")
        }
        frame?.add(part)
        addShared(part.blocks)
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
    /// Adds what stands before the document of a feed, and the document. What can be a feed's name
    /// stands in JSON as it is.
    fileprivate mutating func append(
        name: Span<UInt8>,
        isFirst: Bool,
        _ document: CachedResponse? = nil
    ) {
        let start = isFirst ? PullWriter.start : PullWriter.next
        let byteCount = document?.bodyByteCount ?? 0
        append(addingCapacity: start.count + name.count + 3 + byteCount) { output in
            output.append(bytesOf: start)
            output.append(UInt8(ascii: "\""))
            name.withUnsafeBufferPointer { output.append(copying: $0) }
            output.append(UInt8(ascii: "\""))
            output.append(UInt8(ascii: ":"))
            document?.writeBody(to: &output)
        }
    }
}
