import FeedDiff
import FeedModel
import Gzip
import HTTPServer
import HTTPWire

/// The body of the response to a pull: the documents of the feeds within a JSON object.
struct PullBody {
    /// The feeds in the order of the request.
    private let entries: [FeedSelection.Entry]
    /// The documents of the feeds; `nil` for a missing feed.
    private let documents: [Payload?]
    /// Whether the documents are parts of a gzip stream.
    let isCoded: Bool
    /// The number of bytes of the documents as they are cached: compressed if ``isCoded``.
    private(set) var documentByteCount = 0
    /// The number of bytes of the uncompressed content, except for the documents of existing feeds.
    private var frameByteCount: Int
    /// The number of bytes of the uncompressed content.
    private(set) var plainByteCount: Int

    /// The least number of bytes of a pull for which compression may be worth it: each document is
    /// compressed separately.
    static let codedMinimum = 256

    /// Makes a body.
    ///
    /// - Parameters:
    ///   - entries: The feeds in the order of the request.
    ///   - documents: The documents of these feeds; `nil` for a missing feed.
    ///   - isCoded: Whether all documents are parts of a gzip stream; otherwise none is.
    init(_ entries: [FeedSelection.Entry], _ documents: [Payload?], isCoded: Bool) {
        (self.entries, self.documents, self.isCoded) = (entries, documents, isCoded)
        frameByteCount =
            PullBody.start.utf8CodeUnitCount + (entries.count - 1) + 3 * entries.count
            + PullBody.end.utf8CodeUnitCount
        plainByteCount = frameByteCount
        for (entry, document) in zip(entries, documents) {
            let frame =
                document == nil
                ? DocumentEncoder.missing(entry.name).count + PullBody.jsonByteCount(entry.name) - 2
                : entry.name.utf8.count
            frameByteCount += frame
            plainByteCount += frame + (document?.contentByteCount ?? 0)
            documentByteCount += document?.bodyByteCount ?? 0
        }
    }

    /// Whether the body should be sent without a coding: it is short, or compression does not make
    /// it smaller, or its documents are not compressed.
    var isPlain: Bool {
        guard isCoded, plainByteCount >= PullBody.codedMinimum else { return true }
        // The text around each document is a stored block of its own.
        let coded =
            frameByteCount + documentByteCount
            + GzipFrame.byteCount(storedBlocks: entries.count + 1)
        return !ContentCoding.isWorth(coded, insteadOf: plainByteCount)
    }

    private static func jsonByteCount(_ text: String) -> Int {
        var bytes: [UInt8] = []
        bytes.append(jsonString: text)
        return bytes.count
    }
}

/// Writes the content in a coding.
extension PullBody {
    private static var start: StaticString { #"{"kind":"pull","feeds":{"# }
    private static var end: StaticString { "}}" }

    /// Returns the content in a coding as one array; for any coding but identity the documents must
    /// be parts of a gzip stream.
    func bytes(_ coding: ContentCoding) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(documentByteCount + 64 + 80 * entries.count)
        var pieces: [[UInt8]]?
        write(coding, to: &bytes, &pieces)
        return bytes
    }

    /// Returns the content in a coding as pieces in their order.
    ///
    /// The pieces with documents are shared by all clients that get the same documents.
    func pieces(_ coding: ContentCoding) -> [[UInt8]] {
        var bytes: [UInt8] = []
        var pieces: [[UInt8]]? = []
        write(coding, to: &bytes, &pieces)
        return (pieces ?? []) + [bytes]
    }

    /// Writes the content.
    ///
    /// - Parameters:
    ///   - coding: The coding of the content.
    ///   - own: Receives the bytes behind the last document; all bytes if `pieces` is `nil`.
    ///   - pieces: Receives the documents, and the bytes before each; `nil`: the documents are
    ///     copied to `own`.
    private func write(
        _ coding: ContentCoding,
        to own: inout [UInt8],
        _ pieces: inout [[UInt8]]?
    ) {
        var frame = coding == .identity ? nil : GzipFrame()
        frame?.appendHeader(to: &own)
        for (index, document) in documents.enumerated() {
            let name = entries[index].name
            PullBody.store(in: &own, &frame) {
                PullBody.appendName(name, isFirst: index == 0, isMissing: document == nil, to: &$0)
            }
            guard let document else { continue }
            if frame == nil, pieces == nil, document.part == nil {
                own.append(addingCapacity: document.bodyByteCount) { document.writeBody(to: &$0) }
                continue
            }
            let shared = PullBody.shared(document, &frame)
            if pieces == nil {
                own.append(copying: shared.span)
            } else {
                pieces?.append(own)
                pieces?.append(shared)
                own = []
            }
        }
        PullBody.store(in: &own, &frame) { bytes in
            bytes.append(addingCapacity: PullBody.end.utf8CodeUnitCount) { $0.append(PullBody.end) }
        }
        frame?.appendTrailer(to: &own)
    }

    /// Appends bytes that are not shared, within the gzip stream if there is one.
    private static func store(
        in own: inout [UInt8],
        _ frame: inout GzipFrame?,
        _ write: (inout [UInt8]) -> Void
    ) {
        if frame?.store(in: &own, write) == nil { write(&own) }
    }

    /// Returns the bytes of a document that all clients share, as the content has them: plain, or
    /// compressed if there is a gzip stream.
    private static func shared(_ document: Payload, _ frame: inout GzipFrame?) -> [UInt8] {
        guard frame != nil else { return document.part?.content ?? document.body }
        guard let part = document.part else { preconditionFailure("a coded pull is made of parts") }
        frame?.add(part)
        return part.blocks
    }

    /// Appends the text before a feed's document, and the whole document of a missing feed.
    private static func appendName(
        _ name: String,
        isFirst: Bool,
        isMissing: Bool,
        to bytes: inout [UInt8]
    ) {
        let utf8 = name.utf8.span
        bytes.append(addingCapacity: start.utf8CodeUnitCount + 3 + utf8.count) { bytes in
            if isFirst { bytes.append(start) } else { bytes.append(",") }
            guard !isMissing else { return }
            // A valid feed name needs no escapes in JSON.
            bytes.append(UInt8(ascii: "\""))
            bytes.append(copying: utf8)
            bytes.append("\":")
        }
        guard isMissing else { return }
        bytes.append(jsonString: name)
        bytes.append(UInt8(ascii: ":"))
        bytes += DocumentEncoder.missing(name)
    }
}
