import FeedAPI
import FeedModel
import Gzip
import HTTPServer
import HTTPWire
import TestSupport
import Testing

/// docs/PUBLISHING.md, "The requests": media types, content codings, limits.
@Suite(.bothWays) struct Bodies {
    @Test(arguments: [
        ("PUT", "/feeds/news", "Accept", "application/json, application/feed+json"),
        ("PATCH", "/feeds/news", "Accept-Patch", "application/json, application/json-patch+json"),
        ("POST", "/feeds/news/items", "Accept", "application/json"),
        ("PUT", "/feeds/news/items/a1", "Accept", "application/json"),
        (
            "PATCH", "/feeds/news/items/a1", "Accept-Patch",
            "application/merge-patch+json, application/json"
        ),
    ])
    func otherMediaTypesAreRefused(
        _ method: String,
        _ target: String,
        _ field: String,
        _ accepted: String
    ) async throws {
        let api = API()
        let token = try await api.put("news", sampleFeed)
        for type in [
            "text/plain", "application/x-www-form-urlencoded", "application/xml", "nonsense", "",
            "application/json; charset=latin1", "application/jsonx",
        ] {
            let answer = try await api.send(method, target, "{}", ["Content-Type": type])
            #expect(answer.status == 415, "\(type)")
            #expect(answer.problem == "media-type")
            #expect(answer[field] == accepted)
        }
        #expect(try await api.document("/feeds/news")["token"]?.string == token)
    }

    @Test(arguments: [
        "application/json", "Application/JSON", "application/json; charset=utf-8",
        "application/json; charset=utf8",
        "application/json;charset=\"UTF-8\"", "application/json; x=y", "application/feed+json",
    ])
    func jsonIsTakenHoweverItIsSpelled(_ type: String) async throws {
        let answer = try await API().send(
            "PUT",
            "/feeds/news",
            sampleFeed,
            ["Content-Type": type]
        )
        #expect(answer.status == 201)
    }

    /// RFC 9110 §14.5: what is sent in parts is never taken for the whole.
    @Test(arguments: [
        ("PUT", "/feeds/news", sampleFeed, "bytes 0-9/1000"),
        ("PUT", "/feeds/new", sampleFeed, "bytes 0-9/1000"),
        ("PUT", "/feeds/news", sampleFeed, ""), ("PUT", "/feeds/news", "{\"it", "items 1-2/*"),
        ("PATCH", "/feeds/news", #"{"edits":[{"remove":"a1"}]}"#, "bytes 0-29/60"),
        ("POST", "/feeds/news/items", #"{"id":"z"}"#, "bytes 0-9/1000"),
        ("PUT", "/feeds/news/items/z", "{}", "bytes */2"),
        ("PATCH", "/feeds/news/items/a1", #"{"n":1}"#, "bytes 0-6/7"),
        ("PUT", "/feeds/news?dry-run=true", sampleFeed, "bytes 0-9/1000"),
    ])
    func partsOfContentAreRefused(
        _ method: String,
        _ target: String,
        _ body: String,
        _ range: String
    ) async throws {
        let api = API()
        let token = try await api.put("news", sampleFeed)
        let fields = [
            "content-RANGE": range, "If-Match": "\"aaaaaaaa.1\"", "Idempotency-Key": "1",
        ]
        let answer = try await api.send(method, target, body, fields)
        #expect(answer.status == 400)
        #expect(answer.problem == "malformed")
        #expect(answer.detail.contains("Content-Range"))
        #expect(answer.json["pointer"] == nil)
        #expect(try await api.document("/feeds/news")["token"]?.string == token)
        #expect(try await api.get("/feeds/new").status == 404)
        // The key is not used up.
        let whole = try await api.send(method, target, body, ["Idempotency-Key": "1"])
        #expect((200...201).contains(whole.status) == !body.hasSuffix("it"))
    }

    @Test func aDeletionHasNoContent() async throws {
        let api = API()
        try await api.put("news", sampleFeed)
        let fields = ["Content-Range": "bytes 0-9/1000"]
        #expect(try await api.send("DELETE", "/feeds/news/items/a1", nil, fields).status == 204)
        #expect(try await api.get("/feeds/news", fields).status == 200)
    }

    @Test func gzipIsTaken() async throws {
        let api = API()
        let answer = try await api.send(
            "PUT",
            "/feeds/news",
            bytes: ContentCoding.gzip.compress(Array(sampleFeed.utf8)),
            ["Content-Encoding": "gzip"]
        )
        #expect(answer.status == 201)
        #expect(try await api.document("/feeds/news")["count"] == 6)
    }

    /// Long content is taken apart by other threads than short content.
    @Test(arguments: [[:], ["Idempotency-Key": "1"]])
    func longContentInGzipIsTaken(_ fields: [String: String]) async throws {
        let items = (0..<3000).map { #"{"id":"\#($0)","title":"Number \#($0) of many items"}"# }
        let feed = Array("{\"items\":[\(items.joined(separator: ","))]}".utf8)
        let packed = ContentCoding.gzip.compress(feed)
        let fields = fields.merging(["Content-Encoding": "gzip"]) { $1 }
        let api = API()
        for status in [201, fields.count > 1 ? 201 : 200] {
            let answer = try await api.send("PUT", "/feeds/news", bytes: packed, fields)
            #expect(answer.status == status)
        }
        #expect(try await api.document("/feeds/news")["count"] == 3000)
        let cut = Array(packed.dropLast(3))
        let broken = ["Content-Encoding": "gzip"]
        let answer = try await api.send("PUT", "/feeds/news", bytes: cut, broken)
        #expect(answer.status == 400)
        let blanks = ContentCoding.gzip.compress([UInt8](repeating: 32, count: 40 << 20))
        let long = try await api.send("PUT", "/feeds/news", bytes: blanks, broken)
        #expect(long.status == 413)
        #expect(try await api.document("/feeds/news")["count"] == 3000)
    }

    @Test func otherCodingsAreRefused() async throws {
        let answer = try await API().send(
            "PUT",
            "/feeds/news",
            sampleFeed,
            ["Content-Encoding": "br"]
        )
        #expect(answer.status == 415)
        #expect(answer.problem == "content-coding")
        #expect(answer["Accept-Encoding"]?.contains("gzip") == true)
        let broken = try await API().send(
            "PUT",
            "/feeds/news",
            sampleFeed,
            ["Content-Encoding": "gzip"]
        )
        #expect(broken.status == 400)
    }

    @Test func aBodyHasALimit() async throws {
        let api = API { $0.bodyByteLimit = 100 }
        let body = #"{"items":[],"x":"\#(String(repeating: "y", count: 200))"}"#
        let large = try await api.send("PUT", "/feeds/news", body)
        #expect(large.status == 413)
        #expect(large.problem == "limit")
        #expect(large.detail.contains("100"))
        let coded = try await api.send(
            "PUT",
            "/feeds/news",
            bytes: ContentCoding.gzip.compress(Array(body.utf8)),
            ["Content-Encoding": "gzip"]
        )
        #expect(coded.status == 413)
    }

    @Test func aFeedHasALimitOfItems() async throws {
        let api = API { $0.itemLimit = 3 }
        let four = #"{"items":[{"id":"1"},{"id":"2"},{"id":"3"},{"id":"4"}]}"#
        #expect(try await api.send("PUT", "/feeds/news", four).status == 422)
        #expect(try await api.get("/feeds/news").status == 404)
        let token = try await api.put("news", #"{"items":[{"id":"1"},{"id":"2"},{"id":"3"}]}"#)
        let more: [(String, String, String, String)] = [
            ("PUT", "/feeds/news", four, "application/json"),
            ("PATCH", "/feeds/news", #"{"edits":[{"insert":{"id":"4"}}]}"#, "application/json"),
            (
                "PATCH", "/feeds/news",
                #"[{"op":"add","path":"/sections/0/items/-","value":{"id":"4"}}]"#,
                "application/json-patch+json"
            ),
            ("POST", "/feeds/news/items", #"{"id":"4"}"#, "application/json"),
            ("PUT", "/feeds/news/items/4", "{}", "application/json"),
        ]
        for (method, target, body, type) in more {
            let answer = try await api.send(method, target, body, ["Content-Type": type])
            #expect(answer.status == 422)
            #expect(answer.problem == "limit")
            let headers = ["Content-Type": type, "If-Match": "\"aaaaaaaa.1\""]
            #expect(try await api.send(method, target, body, headers).status == 412)
        }
        #expect(try await api.document("/feeds/news")["token"]?.string == token)
    }

    @Test func theBodyOfAReadIsIgnored() async throws {
        let api = API()
        try await api.put("news", sampleFeed)
        #expect(try await api.send("GET", "/feeds/news", "{").status == 200)
    }
}
