import FeedModel
import FeedStore
import StoreModel
import TestSupport
import Testing

@testable import FeedAPI

/// RFC 9110 §10.2.1: `Allow` of feeds that take no publishes.
@Suite(.bothWays) struct AllowedMethods {
    /// `wire` has a source, and `mixed` is made of others.
    private func api(open: [String] = ["*"]) async throws -> API {
        let mixed = try #require(FeedName("mixed"))
        let news = try #require(FeedPattern("news"))
        let patterns = try open.map { try #require(FeedPattern($0)) }
        let api = API {
            $0.openFeeds = patterns
            $0.sources = SomeSources()
            $0.derivedFeeds = [mixed: [news]]
        }
        for name in ["wire", "mixed"] {
            _ = api.store.publishInMemory(try #require(FeedName(name))) { _ in Snapshot() }
        }
        try await api.put("news", sampleFeed)
        return api
    }

    private static let publishes = [
        ("PUT", ""), ("PATCH", ""), ("DELETE", ""), ("POST", "/items"), ("PUT", "/items/a1"),
        ("PATCH", "/items/a1"), ("DELETE", "/items/a1"),
    ]

    @Test(arguments: ["wire", "mixed", "news"], publishes)
    func nameNoneThatIsRefused(_ feed: String, _ publish: (method: String, path: String))
        async throws
    {
        let api = try await api()
        let target = "/feeds/\(feed)\(publish.path)"
        let asked = try await api.send("OPTIONS", target)
        let allowed = asked["Allow"]?.split(separator: ", ").map(String.init) ?? []
        let answer = try await api.send(publish.method, target, "{}")
        #expect(allowed.contains(publish.method) == (answer.status != 405))
        #expect(answer.status != 405 || answer["Allow"] == asked["Allow"])
        let takesPatches = feed == "news" && publish.path != "/items"
        #expect((asked["Accept-Patch"] != nil) == takesPatches)
    }

    /// Else a page could not read why its publish is refused (the Fetch standard, "CORS-preflight
    /// fetch").
    @Test(arguments: publishes)
    func preflightsLetPagesReadTheRefusal(_ method: String, _ path: String) async throws {
        let answer = try await api().send("OPTIONS", "/feeds/wire" + path)
        let methods = answer["Access-Control-Allow-Methods"] ?? ""
        #expect(methods.split(separator: ", ").contains { $0 == method })
    }

    /// A refresh is refused for want of a source, not because of its method.
    @Test(arguments: [("wire", 200), ("mixed", 409), ("news", 409)])
    func nameRefreshingEverywhere(_ feed: String, _ status: Int) async throws {
        let api = try await api()
        let target = "/feeds/\(feed)/refresh"
        #expect(try await api.send("OPTIONS", target)["Allow"] == "POST, OPTIONS")
        #expect(try await api.send("POST", target).status == status)
    }

    /// What nobody may know of without a key is not told by them.
    @Test(arguments: ["wire", "mixed"])
    func ofClosedFeedsAreThoseOfAnyFeed(_ feed: String) async throws {
        let api = try await api(open: ["other"])
        let answer = try await api.send("OPTIONS", "/feeds/\(feed)")
        let none = try await api.send("OPTIONS", "/feeds/none")
        #expect(answer["Allow"] == "GET, HEAD, PUT, PATCH, DELETE, OPTIONS")
        #expect(answer["Allow"] == none["Allow"])
        #expect(answer["Accept-Patch"] == none["Accept-Patch"])
    }
}
