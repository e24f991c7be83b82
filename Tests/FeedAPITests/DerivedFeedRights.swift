import FeedAPI
import FeedModel
import FeedStore
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

    @Test func haveNoSourceToRefresh() async throws {
        let api = try await api(open: ["*"])
        let response = try await api.send("POST", "/feeds/mixed/refresh")
        #expect(response.status == 409)
    }
}
