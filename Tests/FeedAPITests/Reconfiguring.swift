import FeedDiff
import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire
import StoreModel
import TestSupport
import Testing

@testable import FeedAPI

/// What an answer's fields say of rights must not outlive a change of those rights.
@Suite struct Reconfiguring {
    static let feed = #"{"maxAge":60,"items":[{"id":"a"}]}"#
    static let key = ["Authorization": "Bearer " + API.key]

    /// Requests to one configuration after another of the same feeds.
    private func send(
        _ api: FeedAPI,
        _ method: String,
        _ target: String,
        _ headers: [String: String] = [:],
        _ body: String = ""
    ) async throws -> TestResponse {
        try await InMemoryServer(api).send(
            method,
            target,
            headers: headers.map { ($0.key, $0.value) },
            body: Array(body.utf8)
        )
    }

    private func configuration(
        open: [FeedPattern] = [.all],
        origins: APIConfiguration.Origins = .any
    ) -> APIConfiguration {
        var configuration = APIConfiguration()
        configuration.keys = [AccessKey(API.key)]
        configuration.openFeeds = open
        configuration.origins = origins
        return configuration
    }

    @Test func bakedAnswersDoNotOutliveAChangeOfRights() async throws {
        let open = FeedAPI(store: FeedStore(), configuration: configuration())
        _ = try await send(open, "PUT", "/feeds/news", Self.key, Self.feed)
        let first = try await send(open, "GET", "/feeds/news")
        let tag = try #require(first["ETag"])
        for _ in 0..<2 {
            #expect(try await send(open, "GET", "/feeds/news")["Vary"] == "Accept-Encoding, Prefer")
        }
        let closed = open.reconfigured(configuration(open: []))
        #expect(try await send(closed, "GET", "/feeds/news").status == 401)
        for headers in [Self.key, Self.key.merging(["If-None-Match": tag]) { $1 }] {
            let answer = try await send(closed, "GET", "/feeds/news", headers)
            #expect(answer.status == (headers.count == 1 ? 200 : 304))
            #expect(answer["Vary"] == "Accept-Encoding, Prefer, Authorization")
            #expect(answer["Cache-Control"] == "private, max-age=60")
        }
        let again = closed.reconfigured(configuration())
        let answer = try await send(again, "GET", "/feeds/news", ["If-None-Match": tag])
        #expect(answer.status == 304)
        #expect(answer["Cache-Control"] == "public, max-age=60")
    }

    @Test func cachedResponsesDoNotOutliveAChangeOfOrigins() async throws {
        let any = FeedAPI(store: FeedStore(), configuration: configuration())
        _ = try await send(any, "PUT", "/feeds/news", Self.key, Self.feed)
        let name = "Access-Control-Allow-Origin"
        #expect(try await send(any, "GET", "/feeds/news")[name] == "*")
        let listed = any.reconfigured(configuration(origins: .list(["https://a.example"])))
        #expect(try await send(listed, "GET", "/feeds/news")[name] == nil)
        let answer = try await send(listed, "GET", "/feeds/news", ["Origin": "https://a.example"])
        #expect(answer[name] == "https://a.example")
    }

    /// A response may be made before a reload, and its wait end after it.
    @Test func aResponseFromBeforeAReloadNamesItsOriginOnce() throws {
        let page = "https://a.example"
        let old = FeedAPI(store: FeedStore(), configuration: configuration())
        let new = old.reconfigured(configuration(origins: .list([page])))
        let head = try RequestHead(parsing: "GET / HTTP/1.1\r\nHost: a\r\nOrigin: \(page)\r\n\r\n")
        let asker = Asker(origin: nil, quota: nil, asksForFile: false)
        for (api, named) in [(old, "*"), (new, page)] {
            let wait = LongPoll(for: [], time: .zero) { _ in .cached(api.noFeed) }
            guard case .wait(let addressed) = old.addressed(.wait(wait), to: asker, of: head),
                case .response(let response)? = addressed.attempt(true)
            else {
                Issue.record("there is no response")
                return
            }
            let fields = response.decoded.fields
            #expect(fields[values: .accessControlAllowOrigin] == [named])
            #expect(fields[values: .accessControlExposeHeaders].count == 1)
        }
    }

    /// A publish may begin before a feed gets others to be made of, and end after it.
    @Test(arguments: [
        ("PUT", #"{"items":[]}"#), ("PATCH", #"{"edits":[{"remove":"a"}]}"#), ("DELETE", ""),
    ])
    func feedsThatTheServerFillsTakeNoPublishesFromBefore(
        _ request: (method: String, body: String)
    ) async throws {
        let old = FeedAPI(store: FeedStore(), configuration: configuration())
        _ = try await send(old, "PUT", "/feeds/news", Self.key, Self.feed)
        var filling = configuration()
        filling.derivedFeeds = [try #require(FeedName("news")): [.all]]
        let new = old.reconfigured(filling)
        let answer = try await send(old, request.method, "/feeds/news", Self.key, request.body)
        #expect(answer.status == 405)
        #expect(try await send(new, "GET", "/feeds/news").text.contains(#""id":"a""#))
    }

    /// A cache that is gone may leave its address, and its responses on a version, to another.
    @Test func aCacheDoesNotTakeTheResponsesOfOneThatIsGone() throws {
        let store = FeedStore()
        let feed = try #require(FeedName("news"))
        let items = #"{"items":[]}"#
        let snapshot = try Snapshot(publishing: Array(items.utf8))
        let version = store.publishInMemory(feed) { _ in snapshot }.current
        for _ in 0..<100 {
            let cache = ResponseCache(store)
            #expect(cache.responses(for: version).owner == cache.number)
        }
    }

    @Test func idempotencyKeysAreRememberedAcrossAChange() async throws {
        let api = FeedAPI(store: FeedStore(), configuration: configuration())
        _ = try await send(api, "PUT", "/feeds/news", Self.key, Self.feed)
        let headers = Self.key.merging(
            ["Idempotency-Key": "once", "Content-Type": "application/json"]
        ) { $1 }
        let first = try await send(api, "POST", "/feeds/news/items", headers, #"{"id":"b"}"#)
        let other = api.reconfigured(configuration(open: []))
        let second = try await send(other, "POST", "/feeds/news/items", headers, #"{"id":"b"}"#)
        #expect(first.status == 201)
        #expect(second.body == first.body)
        #expect(second["Vary"] == "Authorization")
    }
}
