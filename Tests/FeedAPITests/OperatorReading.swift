import FeedModel
import HTTPServer
import Synchronization
import TestSupport
import Testing

@testable import FeedAPI

/// `GET /admin/…`, where the operator has no listener of its own.
@Suite(.bothWays) struct OperatorReading {
    static let targets = OperatorResource.allCases.map { "/admin/\($0)" }

    private func api(_ configure: (inout APIConfiguration) -> Void = { _ in }) -> API {
        API {
            $0.metrics = SomeMetrics()
            $0.keys.append(AccessKey("admin", isAdmin: true))
            $0.keys.append(AccessKey("reader", read: [.all]))
            configure(&$0)
        }
    }

    private static let admin = ["Authorization": "Bearer admin"]

    @Test(
        arguments: targets,
        [
            (nil, 401), ("Bearer nobody", 401), ("Bearer reader", 403), ("Bearer admin", 200),
            ("Bearer " + API.key, 200),
        ]
    )
    func needsTheRightToSeeIt(_ target: String, _ key: (String?, status: Int)) async throws {
        let headers = key.0.map { ["Authorization": $0] } ?? [:]
        let answer = try await api().get(target, headers)
        #expect(answer.status == key.status)
        #expect(answer["Cache-Control"] == "no-store")
        #expect((answer.problem == "key") == (key.status != 200))
        if key.status == 200 {
            #expect(answer["Content-Type"] == "application/json")
            #expect(answer["Vary"]?.contains("Authorization") == true)
            #expect(
                answer.json["kind"]?.string == target.split(separator: "/").last.map(String.init)
            )
        }
    }

    @Test(arguments: targets + ["/metrics"], [API.key, "wrong"])
    func noKeyHasItWhereItIsNot(_ target: String, _ key: String) async throws {
        let answer = try await API().get(target, ["Authorization": "Bearer " + key])
        #expect(answer.status == 404)
    }

    @Test(arguments: ["/admin", "/admin/", "/admin/other", "/admin/feeds/a"])
    func isNowhereElse(_ target: String) async throws {
        #expect(try await api().get(target, Self.admin).status == 404)
    }

    @Test(arguments: targets) func takesNoPublishes(_ target: String) async throws {
        let answer = try await api().send("PUT", target, "{}")
        #expect(answer.status == 405)
        #expect(answer["Allow"] == "GET, HEAD, OPTIONS")
    }

    @Test func listsFeedsByPage() async throws {
        let api = api()
        let names = ["a", "b", "c", "d", "e"]
        for name in names { try await api.put(name, sampleFeed) }
        try await api.put("c", #"{"items":[{"id":"x"}]}"#)
        var found: [TestJSON] = []
        var target = "/admin/feeds?limit=2"
        for count in [2, 2, 1] {
            let page = try await api.get(target, Self.admin).json
            #expect(page["total"] == .number("5"))
            #expect(page["feeds"]?.list.count == count)
            found += page["feeds"]?.list ?? []
            #expect((page["next"] == nil) == (count == 1))
            target = "/admin/feeds" + (page["next"]?.string ?? "")
        }
        #expect(found.map { $0["id"]?.string } == names)
        #expect(found.map { $0["versions"] } == ["1", "1", "2", "1", "1"].map { .number($0) })
        #expect(found[0]["title"]?.string == "News")
        #expect(found[0]["count"] == .number("6"))
        #expect(found[0]["readers"] == .number("0"))
    }

    /// Whoever publishes decides how long a title is.
    @Test(arguments: ["é", "x", "\\u00e9", "😀", "\\ud83d\\ude00", "\\n", "\\\"", "한", "e\u{301}"])
    func bringsTheBeginningOfATitle(_ unit: String) async throws {
        let api = api()
        for count in [1, 99, 100, 199, 200, 201, 50_000] {
            let title = String(repeating: unit, count: count)
            try await api.put("a", #"{"title":"\#(title)","items":[]}"#)
            let whole = try #require(try await api.document("/feeds/a")["title"]?.string)
            let feeds = try await api.get("/admin/feeds", Self.admin).json["feeds"]?.list
            let shown = try #require(feeds?.first?["title"]?.string)
            let scalars = whole.unicodeScalars
            var expected = String(String.UnicodeScalarView(scalars.prefix(200)))
            if scalars.count > 200 { expected += "…" }
            #expect(ExactString(shown) == ExactString(expected))
        }
    }

    /// What feeds take by themselves is what all of them take.
    @Test func tellsWhatFeedsTake() async throws {
        let api = api()
        for name in ["a", "b"] { try await api.put(name, sampleFeed) }
        try await api.put("a", #"{"items":[{"id":"x"}]}"#)
        _ = try await api.document("/feeds/a")
        let feeds = try await api.get("/admin/feeds", Self.admin).json["feeds"]?.list ?? []
        let server = try await api.get("/admin/server", Self.admin).json
        for part in ["current", "history", "responses"] {
            let name = ExactString(part)
            let sum = feeds.reduce(0) { $0 + ($1["memory"]?[name]?.whole ?? -1) }
            #expect(sum > 0)
            #expect(server["memory"]?[name]?.whole == sum)
        }
        #expect(server["feeds"]?["count"] == .number("2"))
        #expect(server["publishes"]?["changed"] == .number("3"))
        #expect(server["ready"] == .bool(true))
        #expect(server["state"]?.string == "ready")
    }

    @Test(arguments: [
        "/admin/feeds?limit=0", "/admin/feeds?limit=1001", "/admin/keys?offset=x",
        "/admin/sources?failing=perhaps", "/admin/feeds?after=a&after=b",
    ])
    func refusesWhatIsMalformed(_ target: String) async throws {
        let answer = try await api().get(target, Self.admin)
        #expect(answer.status == 400)
        #expect(answer.problem == "malformed")
    }
}

/// What the operator's page says of keys.
@Suite(.bothWays) struct KeyUseReading {
    private func api(_ keys: [AccessKey], signing: [SigningKey] = []) -> API {
        API {
            $0.metrics = SomeMetrics()
            $0.keys += keys
            $0.signingKeys = signing
            $0.wall = { 1_800_000_000 }
        }
    }

    private func keys(_ api: API, _ query: String = "") async throws -> TestJSON {
        try await api.get("/admin/keys" + query, ["Authorization": "Bearer " + API.key]).json
    }

    @Test func keysAreListedByNameWithTheirRights() async throws {
        let digest = SHA256Digest(of: "k".utf8.span)
        let sports = try #require(FeedPattern("sports-*"))
        let desk = AccessKey(digest: digest, until: 1_900_000_000, name: "desk", read: [sports])
        let list = try await keys(api([desk]))["keys"]?.list ?? []
        try #require(list.count == 2)
        #expect(list[0]["name"] == nil)
        #expect(list[0]["admin"] == .bool(true))
        #expect(list[1]["name"]?.string == "desk")
        #expect(list[1]["digest"]?.string == "8254c329")
        #expect(list[1]["read"]?.list == [.string("sports-*")])
        #expect(list[1]["write"] == nil)
        #expect(list[1]["admin"] == nil)
        #expect(list[1]["until"]?.string == "2030-03-17T17:46:40Z")
    }

    @Test func aKeyIsUsedByARequestThatIsItsOwn() async throws {
        let api = api([AccessKey("reader", read: [.all])])
        #expect(try await keys(api)["keys"]?.list.last?["used"] == nil)
        _ = try await api.get("/feeds", ["Authorization": "Bearer nobody"])
        #expect(try await keys(api)["keys"]?.list.last?["used"] == nil)
        _ = try await api.get("/feeds", ["Authorization": "Bearer reader"])
        let used = try await keys(api)["keys"]?.list.map { $0["used"]?.string }
        #expect(used == ["2027-01-15T08:00:00Z", "2027-01-15T08:00:00Z"])
    }

    @Test func keysAreListedByPage() async throws {
        let made = (0..<5).map { AccessKey("key-\($0)", read: [.all]) }
        let api = api(made)
        let page = try await keys(api, "?offset=2&limit=3")
        #expect(page["total"] == .number("6"))
        #expect(page["keys"]?.list.count == 3)
        #expect(page["next"]?.string == "?limit=3&offset=5")
        let last = try await keys(api, page["next"]?.string ?? "")
        #expect(last["keys"]?.list.count == 1)
        #expect(last["next"] == nil)
        #expect(try await keys(api, "?offset=9223372036854775807")["keys"]?.list == [])
    }
}

/// What is known of a key's use outlives a configuration that is read again.
@Suite(.bothWays) struct KeyUseKeeping {
    private func configure(_ keys: [String]) throws -> APIConfiguration {
        var configuration = APIConfiguration.patient
        configuration.keys = keys.map { AccessKey($0) }
        configuration.signingKeys = [try TokenMaker.key()]
        configuration.wall = { Double(TokenMaker.now) }
        return configuration
    }

    /// The uses of the keys "c", "a" and of the signing key after a reload, if a request came
    /// before it, or came while the new configuration was being made.
    @Test(arguments: [true, false])
    func aKeyThatStaysKeepsItsUse(_ isBefore: Bool) async throws {
        let first = try configure(["a", "b"])
        let live = try LiveAPI { $0 = first }
        func use() async throws {
            for key in ["a", TokenMaker().signed()] {
                _ = try await live.get("/feeds", ["Authorization": "Bearer " + key])
            }
        }
        if isBefore { try await use() }
        let next = live.api.reconfigured(try configure(["c", "a"]))
        if !isBefore { try await use() }
        let uses = (0..<3).map { next.access.lastUse(ofKeyAt: $0) }
        #expect(uses == [nil, TokenMaker.now, TokenMaker.now])
    }
}

extension TestJSON {
    fileprivate var whole: Int? {
        if case .number(let text) = self { Int(text) } else { nil }
    }
}
