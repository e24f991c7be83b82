import FeedModel
import Gzip
import HTTPServer
import HTTPWire

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
