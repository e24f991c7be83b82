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

    init(feedCount: Int) {
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

    /// The least bytes of a pull that may be worth coding: each of its documents is coded by itself.
    static let codedMinimum = 256

    /// Whether documents in it are compressed.
    var isCoded: Bool { feeds.contains { $0.document?.part != nil } }

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

extension Payload {
    /// The bytes of the document before it was coded as a part.
    var contentByteCount: Int { part?.contentCount ?? bodyByteCount }
}
