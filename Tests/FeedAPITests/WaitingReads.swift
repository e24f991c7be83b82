import FeedModel
import FeedStore
import HTTPServer
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import FeedAPI

/// docs/READING.md, "Waiting for the next change".
@Suite(.bothWays, .timeLimit(.minutes(2))) struct WaitingReads {
    private static let filler = String(repeating: "x", count: 300)
    private static let one = #"{"items":[{"id":"a","n":1},{"id":"f","text":"\#(filler)"}]}"#
    private static let two = #"{"items":[{"id":"a","n":2},{"id":"f","text":"\#(filler)"}]}"#

    @Test(arguments: [
        ("?wait=60", ["If-None-Match": "TAG"]),
        ("?wait=60&since=TOKEN", [:]),
        ("?wait=60&format=json-patch&since=TOKEN", [:]),
        ("?wait=60&limit=1&since=TOKEN", [:]),
        ("", ["If-None-Match": "TAG", "Prefer": "wait=60"]),
        ("?since=TOKEN", ["Prefer": "respond-async, wait=5000"]),
    ])
    func anAnswerIsHeldUntilThereIsNews(_ query: String, _ headers: [String: String]) async throws {
        let live = try LiveAPI()
        let token = try live.put("news", Self.one)
        live.whenAwaited("news", put: Self.two)
        let answer = try await live.get(
            "/feeds/news" + query.replacing("TOKEN", with: "\(token)"),
            headers.mapValues { $0.replacing("TAG", with: "\"\(token)\"") }
        )
        #expect(answer.status == 200)
        #expect(answer["ETag"] != "\"\(token)\"")
        #expect(answer["Cache-Control"] == "no-store")
        #expect(answer["Vary"] == "Accept-Encoding, Prefer")
        #expect(answer["Preference-Applied"] == (headers["Prefer"] == nil ? nil : "wait=60"))
        #expect(answer.text.contains("2"))
    }

    @Test func nothingIsHeldWhereThereIsNews() async throws {
        let live = try LiveAPI()
        let old = try live.put("news", Self.one)
        try live.put("news", Self.two)
        let answer = try await live.get("/feeds/news?since=\(old)&wait=60")
        #expect(answer.json["kind"] == "changes")
        #expect(answer["Cache-Control"] == "no-store")
        #expect(try await live.get("/feeds/news?wait=60").json["kind"] == "snapshot")
        #expect(try await live.get("/feeds/none?wait=60").status == 404)
    }

    @Test func theEndOfTheTimeAnswersAsAtOnce() async throws {
        let live = try LiveAPI { $0.longestWait = .milliseconds(1) }
        let token = try live.put("news", Self.one)
        let still = try await live.get("/feeds/news?since=\(token)&wait=1")
        #expect(still.json["kind"] == "unchanged")
        #expect(still["Cache-Control"] == "no-store")
        let same = try await live.get(
            "/feeds/news",
            ["If-None-Match": "\"\(token)\"", "Prefer": "wait=1"]
        )
        #expect(same.status == 304)
        #expect(same["Preference-Applied"] == "wait=1")
        #expect(same["Cache-Control"] == "no-store")
    }

    @Test(arguments: ["wait=0", "limit=2"])
    func withoutAWaitNothingIsHeld(_ query: String) async throws {
        let live = try LiveAPI()
        let token = try live.put("news", Self.one)
        let answer = try await live.get("/feeds/news?since=\(token)&" + query)
        #expect(answer.json["kind"] == "unchanged")
        #expect(answer["Preference-Applied"] == nil)
    }

    @Test(arguments: ["wait=", "wait=-1", "wait=x", "wait=1.5", "wait=1&wait=1"])
    func aMalformedWaitIsRefused(_ query: String) async throws {
        let live = try LiveAPI()
        try live.put("news", Self.one)
        let answer = try await live.get("/feeds/news?" + query)
        #expect(answer.status == 400)
        #expect(answer.detail.contains("\"wait\""))
    }

    @Test func aPreferenceThatCannotBeReadIsNone() async throws {
        let live = try LiveAPI()
        let token = try live.put("news", Self.one)
        for preference in ["wait", "wait=x", "wait=\"\"", "foo=1"] {
            let answer = try await live.get(
                "/feeds/news?since=\(token)",
                ["Prefer": preference]
            )
            #expect(answer.json["kind"] == "unchanged")
        }
    }

    @Test func aPinnedVersionHasNothingToWaitFor() async throws {
        let live = try LiveAPI()
        let token = try live.put("news", Self.one)
        let answer = try await live.get("/feeds/news?since=\(token)&version=\(token)&wait=60")
        #expect(answer.json["kind"] == "unchanged")
    }

    @Test func aFeedThatGoesAnswers() async throws {
        let live = try LiveAPI()
        let token = try live.put("news", Self.one)
        let name = try #require(FeedName("news"))
        live.whenAwaited("news") { store in _ = store.remove(name) { _ in } }
        let answer = try await live.get("/feeds/news?since=\(token)&wait=60")
        #expect(answer.status == 404)
    }

    @Test func whatAKeyMayDoNowCounts() async throws {
        let live = try LiveAPI()
        let token = try live.put("news", Self.one)
        let api = live.api
        let next = Successor()
        live.whenAwaited("news") { _ in
            var configuration = APIConfiguration()
            configuration.openFeeds = []
            next.api.withLock { $0 = api.reconfigured(configuration) }
        }
        #expect(try await live.get("/feeds/news?since=\(token)&wait=60").status == 401)
        withExtendedLifetime(next) {}
    }

    /// The page is told of its origin as the newest configuration lists it, wherever in the list.
    @Test(
        arguments: ["/feeds/news?since=TOKEN&wait=60", "/pull?feed=news@TOKEN&wait=60"],
        [
            ["https://z.example"], [],
            ["https://x.example", "https://y.example", "https://z.example"],
            ["https://c.example"], ["https://z.example", "https://c.example"],
        ]
    )
    func aReloadMayListOtherOrigins(_ target: String, _ origins: [String]) async throws {
        let live = try LiveAPI {
            $0.origins = .list(["https://a.example", "https://b.example", "https://c.example"])
        }
        let token = try live.put("news", Self.one)
        let api = live.api
        let next = Successor()
        live.whenAwaited("news") { store in
            var configuration = api.configuration
            configuration.origins = .list(origins)
            next.api.withLock { $0 = api.reconfigured(configuration) }
            do {
                _ = try LiveAPI.put("news", Self.two, in: store)
            } catch {
                preconditionFailure("\(error)")
            }
        }
        let page = "https://c.example"
        let answer = try await live.get(
            target.replacing("TOKEN", with: "\(token)"),
            ["Origin": page]
        )
        #expect(answer.status == 200)
        #expect(answer["Access-Control-Allow-Origin"] == (origins.contains(page) ? page : nil))
        withExtendedLifetime(next) {}
    }

    @Test func topicsAreForgottenWithThoseWhoWaited() async throws {
        let live = try LiveAPI()
        for number in 0..<300 {
            live.whenAwaited("feed-\(number)", put: Self.two)
            let token = try live.put("feed-\(number)", Self.one)
            _ = try await live.get("/feeds/feed-\(number)?since=\(token)&wait=60")
        }
        #expect(live.api.service.topics.count <= 64)
    }
}
