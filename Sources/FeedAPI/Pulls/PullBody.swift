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
        var count = feeds.reduce(0) { $0 + ($1.document?.contentByteCount ?? 0) }
        guard count < ResponseBuilder.codedMinimum else { return false }
        var own: [UInt8] = []
        for index in feeds.indices { appendStart(of: index, to: &own) }
        for feed in feeds where feed.document == nil { own += PullBody.missing(feed.name) }
        count += own.count + PullBody.end.count
        return count < ResponseBuilder.codedMinimum
    }

    /// All of it, in a coding; for any but identity the documents are parts of a gzip stream.
    func bytes(_ coding: ContentCoding) -> [UInt8] {
        var output = PullOutput(capacity: documentByteCount + 64 + 80 * feeds.count)
        write(coding, to: &output)
        return output.own
    }

    /// The same in pieces, in their order: those of the feeds are shared with all who get the same.
    func pieces(_ coding: ContentCoding) -> [[UInt8]] {
        var output = PullOutput()
        write(coding, to: &output)
        return output.pieces + [output.own]
    }

    private func write(_ coding: ContentCoding, to output: inout PullOutput) {
        guard coding != .identity else {
            for (index, feed) in feeds.enumerated() {
                appendStart(of: index, to: &output.own)
                if let document = feed.document {
                    output.add(document.part?.content ?? document.body)
                } else {
                    output.own += PullBody.missing(feed.name)
                }
            }
            output.own.append(bytesOf: PullBody.end)
            return
        }
        var frame = GzipFrame(coding)
        frame.appendHeader(to: &output.own)
        for (index, feed) in feeds.enumerated() {
            frame.store(in: &output.own) { appendStart(of: index, to: &$0) }
            if let part = feed.document?.part {
                frame.add(part)
                output.add(part.blocks)
            } else {
                frame.store(in: &output.own) { $0 += PullBody.missing(feed.name) }
            }
        }
        frame.store(in: &output.own) { $0.append(bytesOf: PullBody.end) }
        frame.appendTrailer(to: &output.own)
    }

    /// Adds what stands before the document of a feed.
    private func appendStart(of index: Int, to bytes: inout [UInt8]) {
        if index == 0 {
            bytes.append(bytesOf: PullBody.firstStart)
        } else {
            bytes.append(UInt8(ascii: ","))
        }
        bytes.append(jsonString: feeds[index].name)
        bytes.append(UInt8(ascii: ":"))
    }

    private static let firstStart = Array(#"{"kind":"pull","feeds":{"#.utf8)
    private static let end = Array("}}".utf8)

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

/// Where the document of a pull is written to: one array, or pieces between those that are shared.
private struct PullOutput {
    /// What belongs to this one alone; with the documents, where those are copied.
    var own: [UInt8] = []
    private(set) var pieces: [[UInt8]] = []
    private let copies: Bool

    init(capacity: Int) {
        copies = true
        own.reserveCapacity(capacity)
    }

    init() { copies = false }

    /// Adds the document of a feed.
    mutating func add(_ document: [UInt8]) {
        if copies {
            own.append(bytesOf: document)
        } else {
            pieces.append(own)
            pieces.append(document)
            own = []
        }
    }
}

extension CachedResponse {
    /// The bytes of the document before it was coded as a part.
    fileprivate var contentByteCount: Int { part?.contentCount ?? body.count }
}
