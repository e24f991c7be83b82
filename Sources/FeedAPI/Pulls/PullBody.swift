import FeedDiff
import FeedModel
import Gzip
import HTTPServer
import HTTPWire

/// The body of the response to a pull: the documents of the feeds within a JSON object, in pieces.
struct PullBody {
    /// The pieces in their order; a long document is a piece that all clients share.
    private var pieces: [Response.Body] = []
    /// The bytes behind the last piece.
    private var end: [UInt8] = []
    /// The stream of a coded body.
    private var frame: GzipFrame?
    /// The number of bytes of all pieces.
    private var byteCount = 0
    /// The number of bytes of the uncompressed content.
    private var contentByteCount = 0

    /// The least number of bytes of content for which compression may be worth it: each document is
    /// compressed separately.
    private static let codedMinimum = 256
    /// The bytes from which a document is a piece of its own.
    private static let pieceByteCount = 4 << 10

    /// Makes a body.
    ///
    /// - Parameters:
    ///   - entries: The feeds in the order of the request.
    ///   - documents: The documents of these feeds, in any coding but identity as parts of a gzip
    ///     stream; `nil` for a missing feed.
    init(_ entries: [FeedSelection.Entry], _ documents: [Payload?], in coding: ContentCoding) {
        if coding != .identity { frame = GzipFrame() }
        end.reserveCapacity(
            documents.reduce(64) {
                $0 + 80 + min($1?.bodyByteCount ?? 0, PullBody.pieceByteCount)
            }
        )
        frame?.appendHeader(to: &end)
        var text = Array(#"{"kind":"pull","feeds":{"#.utf8)
        for (index, entry) in entries.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            guard let document = documents[index] else {
                text.append(jsonString: entry.name)
                text.append(UInt8(ascii: ":"))
                text += DocumentEncoder.missing(entry.name)
                continue
            }
            // A valid feed name needs no escapes in JSON.
            text.append(UInt8(ascii: "\""))
            text.append(copying: entry.name.utf8.span)
            text.append(UInt8(ascii: "\""))
            text.append(UInt8(ascii: ":"))
            add(text)
            add(document)
            text.removeAll(keepingCapacity: true)
        }
        add(text + Array("}}".utf8))
        frame?.appendTrailer(to: &end)
        byteCount += end.count
    }

    /// The body as it is sent.
    var body: Response.Body { pieces.isEmpty ? .bytes(end) : .parts(pieces + [.bytes(end)]) }

    /// Whether the coding makes the body shorter.
    var isWorthCoding: Bool {
        contentByteCount >= PullBody.codedMinimum
            && ContentCoding.isWorth(byteCount, insteadOf: contentByteCount)
    }

    /// Adds text between documents, which a coded body has in a stored block.
    private mutating func add(_ text: [UInt8]) {
        contentByteCount += text.count
        if frame?.store(in: &end, { $0.append(copying: text.span) }) == nil {
            end.append(copying: text.span)
        }
    }

    private mutating func add(_ document: Payload) {
        contentByteCount += document.contentByteCount
        if let part = document.part { frame?.add(part) }
        guard document.bodyByteCount >= PullBody.pieceByteCount else {
            let count = document.bodyByteCount
            return end.append(addingCapacity: count) { document.writeBody(to: &$0) }
        }
        byteCount += end.count + document.bodyByteCount
        pieces += [.bytes(end), .bytes(document.body)]
        end = []
    }
}
