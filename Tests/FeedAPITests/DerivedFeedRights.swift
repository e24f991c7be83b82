import FeedAPI
import FeedModel
import FeedStore
import StoreModel
import TestSupport
import Testing

/// docs/SOURCES.md, "Derived feeds": who may read them, and that nobody publishes to them.
@Suite(.bothWays) struct DerivedFeedRights {
    private static let derived = [
        "all": ["*"], "mixed": ["news", "sports-*"], "twice": ["mixed", "open-1"],
    ]

    private func api(open: [String], _ keys: [AccessKey] = []) async throws -> API {
        var derived: [FeedName: [FeedPattern]] = [:]
        for (name, from) in Self.derived {
            derived[try #require(FeedName(name))] = try from.map { try #require(FeedPattern($0)) }
        }
        let patterns = try open.map { try #require(FeedPattern($0)) }
        let api = API { [derived] configuration in
            configuration.openFeeds = patterns
            configuration.derivedFeeds = derived
            configuration.keys += keys
        }
        for name in Self.derived.keys {
            _ = api.store.publishInMemory(try #require(FeedName(name))) { _ in Snapshot() }
        }
        return api
    }

    @Test(
        arguments: [
            // What is open, and which feeds are then.
            (["*"], ["all", "mixed", "twice"]),
            (["news", "sports-*", "open-*"], []),
            (["news", "sports-*", "m*"], ["mixed"]),
            (["news", "sports-1", "m*"], []),
            (["n*", "s*", "mixed", "open-*", "t*"], ["mixed", "twice"]),
            (["mixed"], ["mixed"]),
            (["mixed", "open-1", "t*"], ["mixed", "twice"]),
            (["m*", "twice"], ["twice"]),
        ]
    ) func areOpenWhereAllTheirSourcesAre(_ open: [String], _ readable: [String]) async throws {
        let api = try await api(open: open)
        for name in Self.derived.keys.sorted() {
            let status = try await api.get("/feeds/\(name)").status
            #expect(status == (readable.contains(name) ? 200 : 401), "\(name)")
        }
    }

    @Test(
        arguments: [
            (["*"], ["all", "mixed", "twice"]), (["mixed"], ["mixed"]), (["m*"], []),
            (["news", "sports-*"], []), (["news", "sports-*", "m*"], ["mixed"]),
            (["sports-*", "m*"], []), (["all", "m*"], ["all"]),
            // Of a derived feed, the right to read that is enough.
            (["mixed", "open-1", "t*"], ["mixed", "twice"]), (["mixed", "t*"], ["mixed"]),
            (["m*", "open-1", "t*"], []), (["twice", "m*"], ["twice"]),
        ]
    ) func areReadByKeysThatReadAllTheirSources(
        _ read: [String],
        _ readable: [String]
    ) async throws {
        let patterns = try read.map { try #require(FeedPattern($0)) }
        let api = try await api(open: [], [AccessKey("reader", read: patterns)])
        for name in Self.derived.keys.sorted() {
            let headers = ["Authorization": "Bearer reader"]
            let status = try await api.get("/feeds/\(name)", headers).status
            #expect(status == (readable.contains(name) ? 200 : 404), "\(name)")
        }
        let list = try await api.get("/feeds", ["Authorization": "Bearer reader"])
        for name in Self.derived.keys.sorted() {
            #expect(list.text.contains("\"id\":\"\(name)\"") == readable.contains(name))
        }
    }

    @Test func addWhatIsOpenToWhatAKeyReads() async throws {
        let patterns = try ["sports-*", "m*"].map { try #require(FeedPattern($0)) }
        let api = try await api(open: ["news"], [AccessKey("reader", read: patterns)])
        let headers = ["Authorization": "Bearer reader"]
        #expect(try await api.get("/feeds/mixed", headers).status == 200)
        #expect(try await api.get("/feeds/all", headers).status == 404)
    }

    @Test func addDerivedFeedsThatAreOpenToWhatAKeyReads() async throws {
        let patterns = try ["open-1", "t*"].map { try #require(FeedPattern($0)) }
        let api = try await api(open: ["mixed"], [AccessKey("reader", read: patterns)])
        let headers = ["Authorization": "Bearer reader"]
        #expect(try await api.get("/feeds/twice", headers).status == 200)
        #expect(try await api.get("/feeds/all", headers).status == 404)
    }

    @Test(
        arguments: [
            ("PUT", "", #"{"items":[]}"#), ("PATCH", "", #"{"edits":[]}"#), ("DELETE", "", nil),
            ("POST", "/items", #"{"id":"x"}"#), ("PUT", "/items/a1", "{}"),
            ("PATCH", "/items/a1", "{}"), ("DELETE", "/items/a1", nil),
            ("PUT", "?dry-run=true", #"{"items":[]}"#),
        ] as [(String, String, String?)]
    ) func takeNoPublishes(_ method: String, _ path: String, _ body: String?) async throws {
        let api = try await api(open: ["*"])
        let response = try await api.send(method, "/feeds/mixed" + path, body)
        #expect(response.status == 405)
        #expect(response.text.contains("is made of other feeds"))
        let allowed = response.headers.first { $0.0.lowercased() == "allow" }?.1
        #expect(allowed == "GET, HEAD, OPTIONS")
    }

    /// To write is to read: who may not know what such a feed is made of has no versions of it.
    @Test(arguments: [(["m*"], [404, 404, 404]), (["mixed"], [200, 405, 410])])
    func areNotThereForKeysThatMayOnlyWriteThem(
        _ write: [String],
        _ statuses: [Int]
    ) async throws {
        let patterns = try write.map { try #require(FeedPattern($0)) }
        let api = try await api(open: [], [AccessKey("writer", write: patterns)])
        let (feed, key) = ("/feeds/mixed", ["Authorization": "Bearer writer"])
        let versions = try await api.get(feed + "/versions", key)
        let publish = try await api.send("PUT", feed, #"{"items":[]}"#, key)
        let forgetting = try await api.send("DELETE", feed + "/versions/aaaaaaaa.1", nil, key)
        #expect([versions, publish, forgetting].map(\.status) == statuses)
    }

    @Test func haveNoSourceToRefresh() async throws {
        let api = try await api(open: ["*"])
        let response = try await api.send("POST", "/feeds/mixed/refresh")
        #expect(response.status == 409)
    }
}
