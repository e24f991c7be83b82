import FeedModel
import Gzip
import HTTPServer
import HTTPWire
import TestSupport
import Testing

@testable import FeedAPI

/// What is answered without content says of it what the content would have (RFC 9110 §9.3.2,
/// §15.4.5), whether or not that was made before.
@Suite(.timeLimit(.minutes(2))) struct AnswersWithoutContent {
    private static let targets = [
        "/feeds/F", "/feeds/F?limit=0", "/feeds/F?limit=3", "/feeds/F?limit=1000",
        "/feeds/F?section=main&limit=2", "/feeds/F?since=NOW", "/feeds/F?since=OLD",
        "/feeds/F?since=OLD&as=changes", "/feeds/F?since=OLD&limit=3",
        "/feeds/F?format=json-patch&since=NOW", "/feeds/F?format=json-patch&since=OLD",
        "/feeds/F?version=OLD", "/feeds/F/outline", "/feeds/F/items?limit=2", "/feeds/F.atom",
        "/feeds/F/items?limit=1000&x=1", "/feeds/F/items?offset=1&limit=999", "/feeds/F/items/i1",
        "/feeds/F/sections/main?limit=600", "/feeds/F/items?id=i1&id=none", "/feeds?x=1",
        "/feeds/F.rss?limit=2", "/feeds/F.json?limit=100", "/feeds/F.atom?offset=9999",
        "/pull?feed=F", "/pull?feed=F@NOW", "/pull?feed=F@NOW&feed=none", "/pull?feed=F@OLD",
        "/pull?feed=F&limit=2", "/pull?feed=F@OLD&limit=3",
    ]

    private struct Server {
        let api = API()
        var paths: [String] = []

        init(_ feed: String, count: Int) async throws {
            let items = (1...count).map { #"{"id":"i\#($0)","title":"The item number \#($0)"}"# }
            let old = try await api.put(feed, "{\"items\":[\(items.joined(separator: ","))]}")
            _ = try await api.send("POST", "/feeds/\(feed)/items", #"{"id":"new"}"#)
            let now = try #require(
                try await api.document("/feeds/\(feed)?limit=1")["token"]?.string
            )
            paths = AnswersWithoutContent.targets.map { target in
                target.replacing("F", with: feed).replacing("NOW", with: now)
                    .replacing("OLD", with: old)
            }
        }
    }

    @Test(
        arguments: [("small", 2), ("long", 3000)],
        ["gzip", "deflate", "identity;q=0, gzip", ""]
    )
    func aHeadSaysWhatAGetSays(_ feed: (name: String, count: Int), _ coding: String) async throws {
        let server = try await Server(feed.name, count: feed.count)
        let fields = coding.isEmpty ? [:] : ["Accept-Encoding": coding]
        for path in server.paths {
            let head = try await server.api.send("HEAD", path, nil, fields)
            let get = try await server.api.get(path, fields)
            #expect(head.status == get.status)
            for (name, value) in get.headers {
                switch name.lowercased() {
                case "date", "refresh-after": continue
                case "last-modified" where head[name] == nil:
                    // A page gets its date a few seconds after its version was made.
                    let later = try await server.api.send("HEAD", path, nil, fields)
                    #expect(later[name] == value, "\(name) of \(path)")
                default: #expect(head[name] == value, "\(name) of \(path)")
                }
            }
            #expect(head["Content-Encoding"] == get["Content-Encoding"], "\(path)")
        }
    }

    /// Neither what is long nor what would be compressed is made.
    @Test func nothingIsMadeForA304() async throws {
        let api = API()
        let words = (0..<600).map { "number \($0)" }.joined(separator: " ")
        let items = (1...3000).map { number in
            #"{"id":"i\#(number)","title":"\#(number == 1 ? words : "short")"}"#
        }
        let feed = #"{"id":"main","title":"\#(words)","items":[\#(items.joined(separator: ","))]}"#
        let others = (0..<300).map { #"{"id":"s\#($0)","items":[]}"# }.joined(separator: ",")
        try await api.put("long", #"{"sections":[\#(feed),\#(others)]}"#)
        for number in 0..<40 { try await api.put("feed-\(number)", #"{"items":[]}"#) }
        let fields = ["Accept-Encoding": "gzip", "If-None-Match": "*"]
        let ids = (1...400).map { "id=i\($0)" }.joined(separator: "&")
        let paths = [
            "/items?limit=1000", "/items?offset=7&limit=1000", "/items?limit=500&x=1",
            "/items?\(ids)", "/items/i1", "/sections/main?limit=1", "/sections/main?limit=1000",
            "/outline",
        ]
        for path in paths.map({ "/feeds/long" + $0 }) + ["/feeds"] {
            let (made, compressed) = (api.madeCount, api.compressionCount)
            let answer = try await api.get(path, fields)
            #expect(answer.status == 304)
            #expect(answer["ETag"]?.hasSuffix("-gzip\"") == false, "\(path)")
            #expect(api.madeCount == made && api.compressionCount == compressed, "\(path)")
            _ = try await api.get(path, ["Accept-Encoding": "gzip"])
            #expect(api.compressionCount == compressed + 1, "\(path)")
        }
    }

    @Test(
        arguments: [("small", 2), ("long", 3000)],
        ["gzip", "deflate", "identity;q=0, gzip", ""]
    )
    func notModifiedForAStarHasTheTagWithoutACoding(
        _ feed: (name: String, count: Int),
        _ coding: String
    ) async throws {
        let server = try await Server(feed.name, count: feed.count)
        var fields = coding.isEmpty ? [:] : ["Accept-Encoding": coding]
        for path in server.paths {
            fields["If-None-Match"] = "*"
            let short = try await server.api.get(path, fields)
            fields["If-None-Match"] = nil
            let plain = try await server.api.get(path)
            #expect(short.status == 304)
            #expect(short["ETag"] == plain["ETag"], "\(path)")
        }
    }

    @Test(
        arguments: [
            "/feeds/F?since=OLD&limit=1000", "/feeds/F?format=json-patch&since=OLD",
            "/feeds/F?section=main&since=OLD&as=changes", "/pull?feed=F@OLD&limit=1000",
        ]
    )
    func aHeadOfChangesSaysHowTheyAreCoded(_ target: String) async throws {
        let api = API()
        func items(_ mark: String) -> String {
            let items = (1...3000).map { number in
                #"{"id":"i\#(number)","text":"\#(number > 2500 ? "the same" : mark)"}"#
            }
            return "{\"items\":[\(items.joined(separator: ","))]}"
        }
        let old = try await api.put("long", items("old"))
        try await api.put("long", items("the new one"))
        let path = target.replacing("F", with: "long").replacing("OLD", with: old)
        let fields = ["Accept-Encoding": "gzip"]
        let head = try await api.send("HEAD", path, nil, fields)
        let get = try await api.get(path, fields)
        #expect(get["Content-Encoding"] == "gzip")
        #expect(head["ETag"] == get["ETag"])
        #expect(head["Content-Encoding"] == "gzip")
        #expect(head["Content-Length"] == "\(get.body.count)")
    }

    @Test func theFirstTagThatMatchesIsSaid() async throws {
        let server = try await Server("large", count: 3000)
        let path = try #require(
            server.paths.first { $0.contains("json-patch&since=") && $0.hasSuffix(".1") }
        )
        let token = try #require(
            try await server.api.document("/feeds/large?limit=1")["token"]?.string
        )
        for tags in [["gzip", ""], ["", "gzip"]] {
            let names = tags.map { $0.isEmpty ? "\"\(token)\"" : "\"\(token)-\($0)\"" }
            let answer = try await server.api.get(
                path,
                [
                    "Accept-Encoding": "gzip",
                    "If-None-Match": "\"other\", \(names.joined(separator: ", "))",
                ]
            )
            #expect(answer.status == 304)
            #expect(answer["ETag"] == names[0])
        }
    }

    @Test(arguments: ["gzip", "deflate"])
    func whatGainsLittleIsSentPlain(_ coding: String) async throws {
        let server = try await Server("small", count: 2)
        for path in server.paths {
            let plain = try await server.api.get(path)
            let coded = try await server.api.get(path, ["Accept-Encoding": coding])
            let gain = plain.body.count - ContentCoding.gzip.compress(plain.body).count
            let isWorth = gain > 40 && 10 * gain >= plain.body.count
            if coding == "gzip", isWorth, !path.hasPrefix("/pull") {
                #expect(coded["Content-Encoding"] == "gzip", "\(path)")
                #expect(coded.body.count == plain.body.count - gain)
            } else if !path.hasPrefix("/pull") {
                #expect(coded["Content-Encoding"] == nil, "\(path)")
                #expect(coded.body == plain.body)
                #expect(coded["ETag"] == plain["ETag"])
            }
            let tag = try #require(coded["ETag"])
            let again = ["Accept-Encoding": coding, "If-None-Match": tag]
            let still = try await server.api.get(path, again)
            #expect(still.status == 304)
            #expect(still["ETag"] == tag)
        }
    }
}
