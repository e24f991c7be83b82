import FeedModel
import FeedStore
import Synchronization
import TestSupport
import Testing

@testable import FeedAPI

/// docs/PUBLISHING.md, "Going back".
@Suite(.bothWays) struct GoingBack {
    private static let key = ["Authorization": "Bearer " + API.key]

    private func versions(_ api: API, _ query: String = "") async throws -> TestResponse {
        try await api.get("/feeds/news/versions" + query, Self.key)
    }

    private func tokens(_ response: TestResponse) -> [String] {
        response.json["versions"]?.list.compactMap { $0["token"]?.string } ?? []
    }

    private func feed(_ numbers: some Sequence<Int>) -> String {
        let items = numbers.map { "{\"id\":\"i\($0)\",\"n\":\($0)}" }
        return "{\"items\":[\(items.joined(separator: ","))]}"
    }

    @Test func listsTheNewestFirstWithWhatChangedAndWho() async throws {
        let digest = SHA256Digest(of: "desk".utf8.span)
        let named = AccessKey(digest: digest, name: "newsroom", write: [.all])
        let api = API { $0.keys.append(named) }
        let first = try await api.put("news", feed(0..<4))
        let desk = ["Authorization": "Bearer desk"]
        _ = try await api.send("PUT", "/feeds/news", feed(1..<6), desk)
        let answer = try await versions(api)
        #expect(answer.status == 200)
        #expect(answer["Cache-Control"] == "no-store")
        #expect(answer["ETag"] == nil)
        #expect(answer.json["kind"] == "versions")
        #expect(answer.json["feed"] == "news")
        #expect(answer.json["next"] == nil)
        let list = try #require(answer.json["versions"]?.list)
        try #require(list.count == 2)
        #expect(list[1]["token"]?.string == first)
        #expect(list.map { $0["count"]?.int } == [5, 4])
        #expect(list[0]["items"]?["inserted"]?.int == 2)
        #expect(list[0]["items"]?["removed"]?.int == 1)
        #expect(list[1]["items"]?["inserted"]?.int == 4)
        #expect(list[0]["by"]?["key"] == "newsroom")
        #expect(list[1]["by"]?["key"]?.string?.utf8.count == 8)
        #expect(list[0]["published"]?.string?.hasSuffix("Z") == true)
    }

    @Test func pagesFitTogether() async throws {
        let api = API()
        var all: [String] = []
        for number in 1...7 { all.insert(try await api.put("news", feed(0..<number)), at: 0) }
        for limit in 1...8 {
            var found: [String] = []
            var query: String? = "?limit=\(limit)"
            while let page = query {
                let answer = try await versions(api, page)
                try #require(answer.status == 200)
                found += tokens(answer)
                query = answer.json["next"]?.string
                #expect(answer["Link"] == query.map { "<\($0)>; rel=\"next\"" })
            }
            #expect(found == all)
        }
        #expect(try await tokens(versions(api, "?before=\(all[0])")) == Array(all.dropFirst()))
        #expect(try await tokens(versions(api, "?before=\(all[6])")) == [])
        for unknown in ["aaaaaaaa.1", "\(all[0])9"] {
            let answer = try await versions(api, "?before=\(unknown)")
            #expect(answer.problem == "version-forgotten")
            #expect(answer.status == 410)
        }
        for wrong in ["limit=0", "limit=1001", "limit=x", "before=x", "before="] {
            #expect(try await versions(api, "?" + wrong).status == 400)
        }
    }

    @Test func onlyThoseWhoMayWriteSeeThem() async throws {
        let api = API {
            $0.openFeeds = [FeedPattern("news")].compactMap(\.self)
            $0.keys += [AccessKey("reader", read: [.all]), AccessKey("none", read: [], write: [])]
        }
        try await api.put("news", feed(0..<2))
        try await api.put("closed", feed(0..<2))
        for (feed, key, status) in [
            ("news", "", 401), ("closed", "", 401), ("news", "reader", 403),
            ("closed", "reader", 403), ("news", "none", 403), ("closed", "none", 404),
            ("gone", API.key, 404), ("Gone", API.key, 404), ("gone.json", API.key, 404),
            ("news", API.key, 200), ("closed", API.key, 200),
        ] {
            let headers = key.isEmpty ? [:] : ["Authorization": "Bearer \(key)"]
            let answer = try await api.get("/feeds/\(feed)/versions", headers)
            #expect(answer.status == status, "\(feed) \(key)")
            #expect((answer["Vary"]?.contains("Authorization") ?? false) || feed != "closed")
            let head = try await api.send("HEAD", "/feeds/\(feed)/versions", nil, headers)
            #expect(head.status == status)
        }
    }

    @Test func takesAFeedBackWithTheFewestChanges() async throws {
        let api = API()
        let old = try await api.put("news", feed(0..<20))
        let bad = try await api.put("news", feed(5..<6))
        let target = "/feeds/news/restore?version=\(old)"
        let dry = try await api.send("POST", target + "&dry-run=true")
        #expect(dry.json["items"]?["inserted"]?.int == 19)
        #expect(try await api.document("/feeds/news")["token"]?.string == bad)
        let answer = try await api.send("POST", target, nil, ["If-Match": "\"\(bad)\""])
        #expect(answer.status == 200)
        #expect(answer.json["since"]?.string == bad)
        #expect(answer.json["items"]?["inserted"]?.int == 19)
        #expect(answer.json["items"]?["removed"]?.int == 0)
        let restored = try #require(answer.json["token"]?.string)
        #expect(restored != old)
        let list = try await versions(api).json["versions"]?.list ?? []
        #expect(list.first?["by"]?["restore"]?.string == old)
        // Readers of the old version learn of nothing but the token.
        let delta = try await api.document("/feeds/news?since=\(old)")
        #expect(delta["changes"]?["items"] == nil)
        // Once more changes nothing.
        let again = try await api.send("POST", target)
        #expect(again.json["changed"] == false)
        #expect(again.json["token"]?.string == restored)
    }

    @Test func refusesWhatCannotBe() async throws {
        let api = API { $0.sources = SomeSources() }
        let token = try await api.put("news", feed(0..<2))
        try await api.put("news", feed(0..<3))
        for (target, headers, status) in [
            ("/feeds/news/restore", [:], 400), ("/feeds/news/restore?version=x", [:], 400),
            ("/feeds/news/restore?version=\(token)&removals=any", [:], 400),
            ("/feeds/news/restore?version=\(token)&before=\(token)", [:], 400),
            ("/feeds/news/restore?version=aaaaaaaa.1", [:], 410),
            ("/feeds/news/restore?version=aaaaaaaa.1", ["If-Match": "\"\(token)\""], 412),
            ("/feeds/news/restore?version=\(token)", ["If-Match": "\"\(token)\""], 412),
            ("/feeds/gone/restore?version=\(token)", [:], 404),
            ("/feeds/wire/restore?version=\(token)", [:], 405),
            ("/feeds/news/restore?version=\(token)", ["Authorization": ""], 401),
        ] as [(String, [String: String], Int)] {
            let answer = try await api.send("POST", target, nil, headers)
            #expect(answer.status == status, "\(target) \(answer.text)")
        }
        let get = try await api.get("/feeds/news/restore", Self.key)
        #expect(get.status == 405)
        #expect(get["Allow"] == "POST, OPTIONS")
        let post = try await api.send("POST", "/feeds/news/versions")
        #expect(post.status == 405)
        #expect(post["Allow"] == "GET, HEAD, OPTIONS")
    }

    @Test func aRepeatedRequestIsCarriedOutOnce() async throws {
        let api = API()
        let old = try await api.put("news", feed(0..<3))
        try await api.put("news", feed(0..<1))
        let key = ["Idempotency-Key": "back"]
        let target = "/feeds/news/restore?version=\(old)"
        let first = try await api.send("POST", target, nil, key)
        try await api.put("news", feed(7..<8))
        let second = try await api.send("POST", target, nil, key)
        #expect(first.json["token"] == second.json["token"])
        #expect(try await api.document("/feeds/news")["count"]?.int == 1)
    }

    @Test func aGuardDoesNotKeepAnybodyFromGoingBack() async throws {
        let api = API { $0.guards.add(.percent(10), for: .all) }
        let old = try await api.put("news", feed(0..<1))
        try await api.put("news", feed(0..<40))
        let answer = try await api.send("POST", "/feeds/news/restore?version=\(old)")
        #expect(answer.status == 200)
        #expect(answer.json["items"]?["removed"]?.int == 39)
    }

    /// Random publishes and ways back against a list of what was published.
    @Test(arguments: 1...4)
    func whatIsTakenBackIsWhatWasThere(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let api = API()
        var published: [(token: String, ids: [Int])] = []
        for _ in 0..<60 {
            if published.isEmpty || Bool.random(using: &random) {
                let ids = (0..<30).filter { _ in Bool.random(using: &random) }
                    .shuffled(using: &random)
                published.append((try await api.put("news", feed(ids)), ids))
            } else {
                let last = published.suffix(7)
                let old = try #require(last.randomElement(using: &random))
                let answer = try await api.send("POST", "/feeds/news/restore?version=\(old.token)")
                try #require(answer.status == 200, "\(answer.text)")
                let was = try #require(published.last)
                let gone = Set(was.ids).subtracting(old.ids).count
                #expect(answer.json["items"]?["removed"]?.int == gone)
                published.append((try #require(answer.json["token"]?.string), old.ids))
            }
            let last = try #require(published.last)
            let document = try await api.document("/feeds/news")
            #expect(document["token"]?.string == last.token)
            let items = document["sections"]?.list.first?["items"]?.list ?? []
            #expect(items.compactMap { $0["n"]?.int } == last.ids)
        }
        // A publish that changed nothing made no version.
        var expected: [String] = []
        for (token, _) in published where expected.last != token { expected.append(token) }
        let listed = try await tokens(versions(api, "?limit=1000"))
        #expect(listed == expected.reversed())
    }
}
