import FeedModel
import FeedStore
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import FeedAPI

/// Versions that are kept beside the remembered ones (docs/PUBLISHING.md, "Going back").
@Suite(.bothWays) struct KeptVersionsServed {
    private static let key = ["Authorization": "Bearer " + API.key]
    private static let other = ["Authorization": "Bearer reader"]

    /// A server that remembers few versions, and keeps many.
    private func api(_ configure: (inout APIConfiguration) -> Void = { _ in }) -> API {
        var limits = HistoryLimits()
        (limits.versions, limits.weight, limits.alwaysDuration) = (8, 0, .seconds(-1))
        let store = FeedStore(limits: limits, journal: MemoryJournal())
        store.retention.add(.count(100), for: .all)
        return API(store: store) {
            $0.keys.append(AccessKey("reader", read: [.all]))
            configure(&$0)
        }
    }

    private func feed(_ count: Int) -> String {
        let items = (0..<count).map { "{\"id\":\"i\($0)\",\"n\":\($0)}" }
        return "{\"items\":[\(items.joined(separator: ","))]}"
    }

    private func listed(_ api: API) async throws -> [String] {
        let answer = try await api.get("/feeds/news/versions?limit=1000", Self.key)
        return answer.json["versions"]?.list.compactMap { $0["token"]?.string } ?? []
    }

    @Test func thoseWhoMayWriteReadThemByAllViews() async throws {
        let api = api()
        var tokens: [String] = []
        for count in 1...30 { tokens.append(try await api.put("news", feed(count))) }
        #expect(try await listed(api) == tokens.reversed())
        for target in [
            "/feeds/news?version=\(tokens[4])", "/feeds/news?version=\(tokens[4])&limit=2",
            "/feeds/news?version=\(tokens[4])&wait=10", "/feeds/news/items?version=\(tokens[4])",
            "/feeds/news?since=\(tokens[28])&version=\(tokens[4])",
            "/feeds/news/sections/main?version=\(tokens[4])",
        ] {
            let answer = try await api.get(target, Self.key)
            #expect(answer.status == 200, "\(target) \(answer.text)")
            #expect(answer.json["token"]?.string == tokens[4])
            #expect(answer.json["count"]?.int ?? answer.json["total"]?.int != 30)
            let head = try await api.send("HEAD", target, nil, Self.key)
            #expect(head.status == 200)
            for headers in [[:], Self.other] {
                let refusal = try await api.get(target, headers)
                #expect(refusal.status == 410, "\(target)")
                #expect(refusal.problem == "version-forgotten")
            }
        }
        let whole = try await api.get("/feeds/news?version=\(tokens[4])", Self.key)
        #expect(whole.json["count"]?.int == 5)
        // Readers have no changes since one that is not remembered.
        let since = try await api.get("/feeds/news?since=\(tokens[4])", Self.key)
        #expect(since.json["reason"] == "expired")
    }

    @Test func theyAreForNoSharedCache() async throws {
        let api = api()
        func aged(_ count: Int) -> String { #"{"maxAge":60,"# + feed(count).dropFirst() }
        let first = try await api.put("news", aged(1))
        // While the version is remembered, it is everyone's.
        let target = "/feeds/news?version=\(first)"
        let shared = try await api.get(target)
        #expect(shared["Cache-Control"] == "public, max-age=60")
        #expect(shared["Vary"]?.contains("Authorization") == false)
        for count in 2...30 { try await api.put("news", aged(count)) }
        let rows = "/feeds/news/items?version=\(first)"
        let section = "/feeds/news/sections/main?version=\(first)"
        for target in [target, target + "&limit=1", rows, section] {
            for fields in [[:], ["Accept-Encoding": "gzip"], ["If-None-Match": "\"\(first)\""]] {
                let fields = fields.merging(Self.key) { $1 }
                let own = try await api.get(target, fields)
                #expect(own.status == (fields["If-None-Match"] == nil ? 200 : 304))
                #expect(own["Cache-Control"] == "private, max-age=60", "\(target)")
                #expect(own["Vary"]?.contains("Authorization") == true, "\(target)")
            }
            let refusal = try await api.get(target)
            #expect(refusal.status == 410)
            #expect(refusal["Vary"]?.contains("Authorization") == true, "\(target)")
        }
    }

    @Test func theListGoesOnByPages() async throws {
        let api = api()
        var tokens: [String] = []
        for count in 1...30 { tokens.append(try await api.put("news", feed(count))) }
        var found: [String] = []
        var query: String? = "?limit=4"
        while let page = query {
            let answer = try await api.get("/feeds/news/versions" + page, Self.key)
            try #require(answer.status == 200)
            found += answer.json["versions"]?.list.compactMap { $0["token"]?.string } ?? []
            query = answer.json["next"]?.string
        }
        #expect(found == tokens.reversed())
        let old = try await api.get("/feeds/news/versions?before=\(tokens[3])", Self.key)
        #expect(old.json["versions"]?.list.count == 3)
        let counts = old.json["versions"]?.list.map { $0["count"]?.int }
        #expect(counts == [3, 2, 1])
    }

    @Test func aFeedIsTakenBackToOne() async throws {
        let api = api()
        var tokens: [String] = []
        for count in 1...30 { tokens.append(try await api.put("news", feed(count))) }
        let target = "/feeds/news/restore?version=\(tokens[2])"
        let dry = try await api.send("POST", target + "&dry-run=true")
        #expect(dry.json["items"]?["removed"]?.int == 27)
        let answer = try await api.send("POST", target, nil, ["If-Match": "\"\(tokens[29])\""])
        #expect(answer.status == 200)
        #expect(answer.json["items"]?["removed"]?.int == 27)
        #expect(answer.json["items"]?["updated"]?.int == 0)
        #expect(try await api.document("/feeds/news")["count"]?.int == 3)
    }

    /// A version is remembered alone, or kept by a rule that is gone.
    @Test(arguments: [false, true])
    func aDryRunSaysWhatForgettingDoes(_ isKept: Bool) async throws {
        let api = isKept ? self.api() : API()
        var tokens: [String] = []
        for count in 1...30 { tokens.append(try await api.put("news", feed(count))) }
        api.store.retention = FeedRules()
        let target = "/feeds/news/versions/\(tokens[isKept ? 5 : 28])"
        for (query, status) in [("?dry-run=true", 200), ("", 204), ("?dry-run=true", 410)] {
            let answer = try await api.send("DELETE", target + query)
            #expect(answer.status == status, "\(query) \(answer.text)")
        }
    }

    @Test func oneIsForgotten() async throws {
        let api = api { $0.guards.add(.percent(1), for: .all) }
        var tokens: [String] = []
        for count in 1...30 { tokens.append(try await api.put("news", feed(count))) }
        // The one is kept, the other remembered, too.
        for place in [5, 26] {
            let target = "/feeds/news/versions/\(tokens[place])"
            for (headers, status) in [
                (["Authorization": ""], 401), (Self.other, 403),
                (["If-Match": "\"\(tokens[3])\""], 412),
            ] {
                #expect(try await api.send("DELETE", target, nil, headers).status == status)
            }
            let dry = try await api.send("DELETE", target + "?dry-run=true")
            #expect(dry.status == 200, "\(dry.text)")
            #expect(dry.json["dryRun"] == true)
            #expect(dry.json["changed"] == false)
            #expect(try await api.send("DELETE", target + "?removals=any").status == 400)
            let get = try await api.get(target, Self.key)
            #expect(get.status == 405)
            #expect(get["Allow"] == "DELETE, OPTIONS")
            let answer = try await api.send("DELETE", target)
            #expect(answer.status == 204, "\(answer.text)")
            for query in ["", "?dry-run=true"] {
                #expect(try await api.send("DELETE", target + query).status == 410)
            }
            let read = try await api.get("/feeds/news?version=\(tokens[place])", Self.key)
            #expect(read.status == 410)
            let restore = "/feeds/news/restore?version=\(tokens[place])"
            #expect(try await api.send("POST", restore).status == 410)
            let since = try await api.document("/feeds/news?since=\(tokens[place])")
            #expect(since["kind"] == "snapshot")
        }
        #expect(api.publishes().forgotten == 2)
        let rest = tokens.enumerated().filter { ![5, 26].contains($0.offset) }.map(\.element)
        #expect(try await listed(api) == rest.reversed())
        for (place, token) in tokens.enumerated() where ![5, 26].contains(place) {
            let answer = try await api.get("/feeds/news?version=\(token)", Self.key)
            #expect(answer.json["count"]?.int == place + 1)
        }
        for query in ["", "?dry-run=true"] {
            let target = "/feeds/news/versions/\(tokens[29])\(query)"
            #expect(try await api.send("DELETE", target).status == 409)
        }
        for (target, status) in [
            ("/feeds/news/versions/x", 400), ("/feeds/gone/versions/\(tokens[0])", 404),
            ("/feeds/news/versions/aaaaaaaa.1", 410),
        ] {
            #expect(try await api.send("DELETE", target).status == status, "\(target)")
        }
    }

    /// The version is forgotten by a request, or by another server that shares the journal.
    @Test(arguments: [true, false])
    func whatChangedSinceAForgottenVersionIsForgottenWithIt(_ isByRequest: Bool) async throws {
        let api = API()
        var tokens: [Token] = []
        for count in [3, 2, 1] {
            tokens.append(try #require(Token(try await api.put("news", feed(count)))))
        }
        let views = ["", "&version=\(tokens[1])", "&version=\(tokens[1])&limit=9"]
        let targets = views.map { "/feeds/news?since=\(tokens[0])&as=changes" + $0 }
        for target in targets { #expect(try await api.document(target)["kind"] == "changes") }
        if isByRequest {
            let target = "/feeds/news/versions/\(tokens[0])"
            #expect(try await api.send("DELETE", target).status == 204)
        } else {
            let news = try #require(FeedName("news"))
            api.store.forget(tokens[0], of: news) { _ in }
        }
        for target in targets {
            #expect(try await api.document(target)["reason"] == "expired", "\(target)")
        }
    }

    @Test func aFeedWithASourceForgetsVersionsToo() async throws {
        let api = API { $0.sources = SomeSources() }
        var tokens: [Token] = []
        for count in 1...3 {
            let snapshot = try Snapshot(parsing: Array(feed(count).utf8))
            let name = try #require(FeedName("wire"))
            tokens.append(
                api.store.publishInMemory(name, by: .source) { _ throws(Never) in snapshot }
                    .current.token
            )
        }
        let target = "/feeds/wire/versions/\(tokens[1])"
        #expect(try await api.send("DELETE", target).status == 204)
        let list = try await api.get("/feeds/wire/versions", Self.key)
        let left = list.json["versions"]?.list.compactMap { $0["token"]?.string }
        #expect(left == [tokens[2], tokens[0]].map(\.description))
    }
}
