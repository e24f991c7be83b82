import FeedModel
import FeedStore
import Gzip
import HTTPServer
import HTTPWire
import TestSupport
import Testing

@testable import FeedAPI

/// A client of a stream: reads chunks, takes the coding off, and reads events strictly
/// (RFC 9112 §7.1; HTML Standard, "Server-sent events").
final class EventReader {
    /// One event.
    struct StreamEvent {
        var name: String
        var data: TestJSON
        var id: String?
    }

    let head: RawResponse
    private let client: RawClient
    private let decoder: ContentDecoder?
    private var text = ""

    /// Begins to read; with a body by POST or by another method, perhaps in gzip.
    init(
        _ port: Int,
        _ target: String,
        _ fields: String = "",
        body: String? = nil,
        isCoded: Bool = false,
        method: String? = nil
    ) throws {
        client = try RawClient(port: port)
        let method = method ?? (body == nil ? "GET" : "POST")
        let bytes = body.map { Array($0.utf8) }
        let content = isCoded ? bytes.map { ContentCoding.gzip.compress($0) } : bytes
        let length = content.map { "Content-Length: \($0.count)\r\n" } ?? ""
        let coding = isCoded ? "Content-Encoding: gzip\r\n" : ""
        let request =
            "\(method) \(target) HTTP/1.1\r\nHost: a\r\n\(fields)\(coding)\(length)\r\n"
        try client.send(Array(request.utf8) + (content ?? []))
        head = try RawResponse(head: try client.readHead())
        decoder = head["content-encoding"] == "gzip" ? ContentDecoder() : nil
    }

    /// The next event; comments and times to come again are passed over.
    func next() throws -> StreamEvent {
        while true {
            while let end = text.firstRange(of: "\n\n") {
                let block = text[..<end.lowerBound]
                text = String(text[end.upperBound...])
                if let event = EventReader.event(block) { return event }
            }
            try #require(try readChunk())
        }
    }

    private static func event(_ block: Substring) -> StreamEvent? {
        var event = StreamEvent(name: "message", data: .null)
        var hasData = false
        for line in block.split(separator: "\n") where !line.hasPrefix(":") {
            let parts = line.split(separator: ": ", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count == 2 ? String(parts[1]) : ""
            switch parts[0] {
            case "event": event.name = value
            case "id": event.id = value
            case "data":
                hasData = true
                event.data = TestJSON(Array(value.utf8)) ?? .null
            default: break
            }
        }
        let isSaying = block.split(separator: "\n").contains { !$0.hasPrefix(":") }
        #expect(hasData || !isSaying, "some clients take each block for an event: \(block)")
        return hasData ? event : nil
    }

    /// - Returns: `false` at the end of the stream.
    private func readChunk() throws -> Bool {
        let line = try client.read(through: "\r\n").dropLast()
        let count = try #require(Int(line, radix: 16))
        let bytes = try client.read(count)
        #expect(try client.read(2) == [13, 10])
        guard count > 0 else { return false }
        let decoded = try #require(decoder.map { $0.decode(bytes) } ?? bytes)
        text += String(decoding: decoded, as: UTF8.self)
        return true
    }

    /// Reads to the end, and tells whether the coding is at its end there too.
    func isWholeAtTheEnd() throws -> Bool {
        while try readChunk() {}
        return decoder?.isAtEnd ?? true
    }

    /// Says that it sends nothing more: a server that ended the stream need not wait for that.
    func endSending() {
        client.endSending()
    }

    /// Applies events to what a client holds until it has what the server has.
    func take(into feeds: inout [String: NaiveFeed], upTo live: LiveAPI) throws {
        let tokens = live.api.store.all().map { "\($0.token)" }.sorted()
        while true {
            let event = try next()
            let name = try #require(event.data["feed"]?.string)
            switch event.name {
            case "snapshot": feeds[name] = NaiveFeed(document: event.data)
            case "changes": feeds[name]?.apply(try #require(event.data["changes"]))
            default: Issue.record("unexpected \(event.name)")
            }
            #expect(feeds[name]?.order == event.data["order"]?.string)
            if event.id?.split(separator: ",").map(String.init).sorted() == tokens { return }
        }
    }
}
