import FeedStore
import TestSupport
import Testing

@testable import FeedAPI

/// docs/PROTOCOL.md, "Caches": with the default settings, on an open feed, heads are
/// short; a byte that is not sent is not paid for.
@Suite struct ShortHeads {
    private static let filler = String(repeating: "the same words ", count: 200)

    private static func feed(_ number: Int) -> String {
        let items = (0..<40).map { #"{"id":"i\#($0)","n":\#(number),"text":"item \#($0)"}"# }
        return #"{"title":"\#(filler)","items":[\#(items.joined(separator: ","))]}"#
    }

    /// The head of an answer, and the bytes that it takes.
    private func head(
        _ server: SocketServer,
        _ target: String,
        _ fields: String
    ) throws -> (head: RawResponse, byteCount: Int) {
        let client = try RawClient(port: server.port)
        try client.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n")
        let bytes = try client.readHead()
        return (try RawResponse(head: bytes), bytes.count + 4)
    }

    @Test func aNotModifiedHasWhatCachesNeedAndNoMore() throws {
        let api = FeedAPI(store: FeedStore())
        let server = try SocketServer(api)
        let token = try LiveAPI.put("news", Self.feed(1), in: api.store)
        for (target, field) in [
            ("/feeds/news", ""), ("/feeds/news?limit=3", ""), ("/pull?feed=news", ""),
            ("/feeds/news", "Origin: https://page.example\r\n"),
        ] {
            let tag =
                target.hasPrefix("/pull")
                ? try #require(try head(server, target, "").head["etag"]) : "\"\(token)\""
            for coding in ["", "Accept-Encoding: gzip\r\n"] {
                let fields = "If-None-Match: \(tag)\r\n\(coding)\(field)"
                let (head, byteCount) = try head(server, target, fields)
                #expect(head.status == 304)
                #expect(byteCount <= (target.hasPrefix("/pull") ? 250 : 210), "\(target)")
                let known: Set = [
                    "etag", "cache-control", "vary", "refresh-after", "date",
                    "access-control-allow-origin",
                ]
                #expect(Set(head.fields.map { $0.name.lowercased() }) == known)
            }
        }
    }

    @Test(arguments: ["/feeds", "/feeds.opml"])
    func aNotModifiedListHasNoMoreEither(_ target: String) throws {
        let api = FeedAPI(store: FeedStore())
        let server = try SocketServer(api)
        try LiveAPI.put("news", Self.feed(1), in: api.store)
        let tag = try #require(try head(server, target, "").head["etag"])
        for coding in ["", "Accept-Encoding: gzip\r\n"] {
            let (head, byteCount) = try head(server, target, "If-None-Match: \(tag)\r\n\(coding)")
            #expect(head.status == 304)
            #expect(byteCount <= 210)
            let known: Set = [
                "etag", "cache-control", "vary", "date", "access-control-allow-origin",
            ]
            #expect(Set(head.fields.map { $0.name.lowercased() }) == known)
        }
    }

    @Test func aDeltaInGzipHasAShortHead() throws {
        let api = FeedAPI(store: FeedStore())
        let server = try SocketServer(api)
        let old = try LiveAPI.put("news", Self.feed(1), in: api.store)
        try LiveAPI.put("news", Self.feed(2), in: api.store)
        let target = "/feeds/news?since=\(old)"
        let (head, byteCount) = try head(server, target, "Accept-Encoding: gzip, br\r\n")
        #expect(head.status == 200)
        #expect(head["content-encoding"] == "gzip")
        #expect(byteCount <= 310)
    }
}
