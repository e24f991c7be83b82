import FeedModel
import TestSupport
import Testing

/// docs/PROTOCOL.md, "Reading", 3.2: `as=changes`.
@Suite(.bothWays) struct TellingChanges {
    private static let short = #"{"items":[{"id":"a"}]}"#
    private static let long =
        #"{"items":["# + (0..<20).map { #"{"id":"item-\#($0)"}"# }.joined(separator: ",") + "]}"

    @Test func changesAreSentHoweverLong() async throws {
        let api = API()
        let old = try await api.put("news", Self.long)
        let before = NaiveFeed(document: try await api.document("/feeds/news"))
        try await api.put("news", Self.short)
        let target = "/feeds/news?since=\(old)"
        for _ in 0..<2 {
            #expect(try await api.document(target)["reason"] == "smaller")
            let told = try await api.document(target + "&as=changes")
            #expect(told["kind"] == "changes")
            var feed = before
            feed.apply(try #require(told["changes"]))
            #expect(feed == NaiveFeed(document: try await api.document("/feeds/news")))
            #expect(try await api.document(target)["reason"] == "smaller")
        }
        let pull = try await api.document("/pull?feed=news@\(old)&as=changes")
        #expect(pull["feeds"]?["news"]?["kind"] == "changes")
        let plain = try await api.document("/pull?feed=news@\(old)")
        #expect(plain["feeds"]?["news"]?["kind"] == "snapshot")
    }

    @Test func soIsAPatch() async throws {
        let api = API()
        let old = try await api.put("news", Self.long)
        try await api.put("news", Self.short)
        let target = "/feeds/news?format=json-patch&since=\(old)"
        let whole = try await api.document(target)
        #expect(whole.list.count == 1)
        let told = try await api.document(target + "&as=changes")
        #expect(told.list.count > 1)
        #expect(try await api.document(target) == whole)
        let now = try #require(try await api.document("/feeds/news")["token"]?.string)
        for query in ["", "&as=changes"] {
            let same = "/feeds/news?format=json-patch&since=\(now)\(query)"
            #expect(try await api.document(same) == [])
        }
    }

    @Test func whatIsNotRememberedIsASnapshotAllTheSame() async throws {
        let api = API()
        let token = try await api.put("news", Self.short)
        let epoch = token.prefix(8)
        for (since, reason) in [("aaaaaaaa.1", "epoch"), ("\(epoch).7", "expired")] {
            let told = try await api.document("/feeds/news?since=\(since)&as=changes")
            #expect(told["kind"] == "snapshot")
            #expect(told["reason"]?.string == reason)
        }
        #expect(try await api.document("/feeds/news?as=changes")["kind"] == "snapshot")
    }

    @Test(arguments: ["", "snapshot", "Changes", "changes&as=changes"])
    func anotherValueIsRefused(_ value: String) async throws {
        let api = API()
        try await api.put("news", Self.short)
        for target in [
            "/feeds/news?as=", "/pull?feed=news&as=", "/events?feed=news&as=",
            "/feeds/news/events?as=",
        ] {
            let answer = try await api.get(target + value)
            #expect(answer.status == 400)
            #expect(answer.detail.contains("\"as\""))
        }
    }
}
