import FeedModel
import TestSupport
import Testing

@testable import FeedAPI

/// docs/PROTOCOL.md, "Who may do what".
@Suite(.bothWays) struct KeysAndRights {
    static let reader = "reader-of-sports"
    static let writer = "writer-of-sports"

    /// Reads closed but for `open`; one key for everything, two for `sports-*`.
    func closedAPI() throws -> API {
        let sports = try #require(FeedPattern("sports-*"))
        let open = try #require(FeedPattern("open"))
        return API {
            $0.openFeeds = [open]
            $0.keys += [
                AccessKey(Self.reader, read: [sports], write: []),
                AccessKey(Self.writer, write: [sports]),
            ]
        }
    }

    static let writes: [(String, String, String?)] = [
        ("PUT", "/feeds/news", #"{"items":[]}"#),
        ("PATCH", "/feeds/news", #"{"edits":[]}"#),
        ("DELETE", "/feeds/news", nil),
        ("POST", "/feeds/news/items", #"{"id":"x"}"#),
        ("PUT", "/feeds/news/items/a1", "{}"),
        ("PATCH", "/feeds/news/items/a1", "{}"),
        ("DELETE", "/feeds/news/items/a1", nil),
        ("POST", "/feeds/news/refresh", nil),
    ]

    /// Credentials that are no key the server knows.
    static let unknown = [
        "", "Bearer", "Bearer x", "Bearer  \(API.key)x", "Basic \(API.key)", API.key,
        "Bearer \(API.key) x", "Bearer \(API.key),", "Bearer " + API.key.uppercased(),
    ]

    @Test(arguments: writes, unknown)
    func publishingNeedsAKnownKey(
        _ request: (String, String, String?),
        _ credentials: String
    ) async throws {
        let api = API()
        let token = try await api.put("news", sampleFeed)
        let answer = try await api.send(
            request.0,
            request.1,
            request.2,
            ["Authorization": credentials]
        )
        #expect(answer.status == 401)
        #expect(answer.problem == "key")
        #expect(answer["WWW-Authenticate"]?.hasPrefix("Bearer") == true)
        #expect(try await api.document("/feeds/news")["token"]?.string == token)
    }

    @Test(arguments: [
        "/feeds", "/feeds/news", "/feeds/gone", "/feeds/news/items", "/feeds/news/items/a1",
        "/feeds/news/outline", "/feeds/news/sections/week", "/feeds/news?since=x", "/feeds/News",
        "/feeds/news/nothing", "/feeds/news/refresh", "/feeds/news/events", "/pull", "/events",
        "/pull?feed=news", "/feeds/news.json",
    ])
    func anUnknownKeyIsRefusedWhereReadsAreOpenToo(_ target: String) async throws {
        let api = API()
        try await api.put("news", sampleFeed)
        for _ in 0..<2 {
            // A stream has no end.
            _ = try await api.send("HEAD", target)
            let answer = try await api.get(target, ["Authorization": "Bearer nobody"])
            #expect(answer.status == 401)
            #expect(answer["WWW-Authenticate"]?.contains("error=\"invalid_token\"") == true)
        }
    }

    @Test func theSchemeIsTakenInAnyCase() async throws {
        let api = API()
        for scheme in ["Bearer", "bearer", "BEARER", "Bearer  "] {
            let answer = try await api.send(
                "PUT",
                "/feeds/news",
                #"{"items":[]}"#,
                ["Authorization": "\(scheme) \(API.key)"]
            )
            #expect(answer.status < 300)
        }
    }

    @Test func twoKeysAreNone() async throws {
        let api = API()
        let key = "Bearer " + API.key
        let answer = try await api.server.send(
            "PUT",
            "/feeds/x",
            headers: [("Authorization", key), ("Authorization", key)],
            body: Array(#"{"items":[]}"#.utf8)
        )
        #expect(answer.status == 401)
    }

    @Test(arguments: [
        // Feed, key, read, write.
        ("open", nil, 200, 401), ("open", "reader", 200, 403), ("open", "writer", 200, 403),
        ("sports-1", nil, 401, 401), ("sports-1", "reader", 200, 403),
        ("sports-1", "writer", 200, 200),
        ("news", nil, 401, 401), ("news", "reader", 404, 404), ("news", "writer", 404, 404),
    ])
    func aKeyDoesWhatItMay(
        _ feed: String,
        _ key: String?,
        _ read: Int,
        _ write: Int
    ) async throws {
        let api = try closedAPI()
        try await api.put(feed, sampleFeed)
        let keys = ["reader": Self.reader, "writer": Self.writer]
        let credentials = key.flatMap { keys[$0] }.map { "Bearer " + $0 } ?? ""
        let headers = ["Authorization": credentials]
        let answer = try await api.send("GET", "/feeds/\(feed)", nil, headers)
        #expect(answer.status == read)
        if feed != "open" { #expect(answer["Vary"]?.contains("Authorization") == true) }
        let published = try await api.send(
            "PUT",
            "/feeds/\(feed)",
            #"{"items":[]}"#,
            headers
        )
        #expect(published.status == write)
    }

    @Test func aFeedThatOneMayNotReadLooksLikeNone() async throws {
        let api = try closedAPI()
        try await api.put("news", sampleFeed)
        let headers = ["Authorization": "Bearer " + Self.reader]
        for path in ["", "?since=aaaaaaaa.1", "/items", "/items/a1", "/outline", "/sections/week"] {
            let hidden = try await api.send("GET", "/feeds/news\(path)", nil, headers)
            let absent = try await api.send("GET", "/feeds/newt\(path)", nil, headers)
            #expect(hidden.status == 404)
            #expect(hidden.body == absent.body)
            #expect(hidden.headers.map(\.0) == absent.headers.map(\.0))
            #expect(hidden["Vary"] == "Authorization")
            #expect(hidden["Cache-Control"] == "no-store")
        }
        // To one who may read everything, what is not there looks the same.
        let absent = try await api.get("/feeds/newt", ["Authorization": "Bearer " + API.key])
        #expect(absent.status == 404)
        #expect(absent["Vary"] == "Authorization")
    }

    @Test(arguments: ["?limit=x", "?version=aaaaaaaa.1", "/items/gone", "/sections/gone"])
    func errorsAboutAFeedThatIsNotOpenDependOnTheKey(_ path: String) async throws {
        let api = try closedAPI()
        try await api.put("news", sampleFeed)
        let answer = try await api.get("/feeds/news\(path)", ["Authorization": "Bearer " + API.key])
        #expect(answer.status >= 400)
        #expect(answer["Vary"] == "Authorization")
    }

    @Test func theListHasWhatOneMayRead() async throws {
        let api = try closedAPI()
        for feed in ["open", "news", "sports-1", "sports-2"] { try await api.put(feed, sampleFeed) }
        func list(_ credentials: String) async throws -> [String?] {
            let answer = try await api.get("/feeds", ["Authorization": credentials])
            #expect(answer["Cache-Control"] == "no-cache")
            return answer.json["feeds"]?.list.map { $0["id"]?.string } ?? []
        }
        #expect(try await list("") == ["open"])
        #expect(try await list("Bearer " + Self.reader) == ["open", "sports-1", "sports-2"])
        #expect(
            try await list("Bearer " + API.key) == ["news", "open", "sports-1", "sports-2"]
        )
    }

    @Test func aClosedServerHasNoListWithoutAKey() async throws {
        let api = API { $0.openFeeds = [] }
        #expect(try await api.get("/feeds").status == 401)
        #expect(try await api.get("/healthz").status == 200)
        #expect(try await api.get("/readyz").status == 200)
        #expect(try await api.get("/problems/key").status == 200)
        #expect(try await api.send("OPTIONS", "/feeds/news").status == 204)
    }

    @Test func whatNeedsAKeyIsNeverPublic() async throws {
        let api = try closedAPI()
        let feed = #"{"maxAge":60,"items":[]}"#
        for name in ["open", "news"] { try await api.put(name, feed) }
        let open = try await api.get("/feeds/open")
        #expect(open["Cache-Control"] == "public, max-age=60")
        #expect(open["Vary"] == "Accept-Encoding, Prefer")
        for path in ["", "/items", "/outline", "?limit=1"] {
            let closed = try await api.get(
                "/feeds/news\(path)",
                ["Authorization": "Bearer " + API.key]
            )
            #expect(closed["Cache-Control"] == "private, max-age=60")
            #expect(closed["Vary"]?.hasSuffix(", Authorization") == true)
        }
    }

    @Test(arguments: [
        ("news", "news", true), ("news", "news2", false), ("sports-*", "sports-", true),
        ("sports-*", "sports-1", true), ("sports-*", "sport", false), ("*", "anything", true),
        ("*-old", "a-old", true), ("*-old", "a-old-b", false), ("a*b*c", "abc", true),
        ("a*b*c", "a1b2c", true), ("a*b*c", "acb", false), ("a*a", "a", false),
        ("a**a", "aa", true), ("*bc*", "abcd", true), ("*bc*", "acbd", false),
    ])
    func patternsNameFeeds(_ pattern: String, _ feed: String, _ expected: Bool) throws {
        let pattern = try #require(FeedPattern(pattern))
        let feed = try #require(FeedName(feed))
        #expect(pattern.matches(feed) == expected)
    }

    @Test(arguments: ["", "News", "a b", "é", "a/b"])
    func aPatternHasTheCharactersOfNames(_ text: String) {
        #expect(FeedPattern(text) == nil)
    }

    /// FIPS 180-4's "abc".
    @Test func keysAreKnownByTheirDigests() throws {
        let digest: [UInt8] = [
            0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea, 0x41, 0x41, 0x40, 0xde, 0x5d, 0xae,
            0x22, 0x23, 0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17, 0x7a, 0x9c, 0xb4, 0x10, 0xff, 0x61,
            0xf2, 0x00, 0x15, 0xad,
        ]
        #expect(AccessKey("abc").digest.bytes == digest)
        #expect(AccessKey("abc").digest == SHA256Digest(digest))
        #expect(SHA256Digest(Array(digest.dropLast())) == nil)
    }

    @Test(arguments: [(0, 1024), (1, 1024), (650, 100)])
    func verifiedTokensAreKeptWithinBounds(patternCount: Int, most: Int) throws {
        let cache = TokenCache()
        let read = try (0..<patternCount).map { try #require(FeedPattern("some-\($0)-*")) }
        let key = AccessKey("k", read: read)
        for number in 0..<3000 {
            let digest = SHA256Digest(of: "\(number)".utf8.span)
            cache.keep(key, digest)
            #expect(cache[digest] != nil)
        }
        #expect(cache.count <= most && cache.count > most / 2)
    }
}
