import FeedModel
import FeedStore
import TestSupport
import Testing

/// Made-up publishes in every form, and clients of several views that come back now and then.
@Suite(.bothWays) struct RandomPublishes {
    @Test(arguments: 0..<UInt64(4))
    func randomPublishesLeaveEveryClientWithWhatIsThere(seed: UInt64) async throws {
        var limits = HistoryLimits()
        limits.alwaysDuration = .zero
        limits.weight = seed % 3 == 0 ? 0 : limits.weight
        let api = API(store: FeedStore(limits: limits))
        var publisher = RandomPublisher(seed: seed)
        var clients = [
            RandomClient(), RandomClient(), RandomClient(limit: 0), RandomClient(limit: 5),
            RandomClient(limit: 40), RandomClient(sections: ["i1", "1", "2", "i3"]),
            RandomClient(sections: ["i1", "1", "i2", "i5"], limit: 3),
        ]
        var patched: (token: String, document: TestJSON)?
        var kinds: [String: Int] = [:]
        var token = try await api.put("news", publisher.feed.document.serialized)
        for _ in 0..<60 {
            token = try await publish(publisher.next(), api, token, publisher.feed)
            for index in clients.indices where Int.random(in: 0..<4, using: &publisher.random) == 0
            {
                let coding = ["", "gzip", "deflate"].randomElement(using: &publisher.random)
                let kind = try await clients[index].refresh(
                    api,
                    publisher.feed,
                    token,
                    coding: coding ?? ""
                )
                kinds[kind, default: 0] += 1
            }
            if Int.random(in: 0..<4, using: &publisher.random) == 0 {
                patched = try await patch(patched, api, token, publisher.feed)
            }
        }
        #expect(kinds["changes", default: 0] > 20)
        #expect(kinds["snapshot", default: 0] > 3)
    }

    /// Publishes and checks what is there then.
    private func publish(
        _ request: RandomPublisher.Request,
        _ api: API,
        _ token: String,
        _ feed: NaiveFeed
    ) async throws -> String {
        let before = NaiveFeed(document: try await api.document("/feeds/news"))
        let answer = try await api.send(
            request.method,
            "/feeds/news" + request.path,
            request.body,
            ["Content-Type": request.type]
        )
        try #require(answer.status < 300, "\(request): \(answer.text)")
        let snapshot = try await api.get("/feeds/news")
        let after = NaiveFeed(document: snapshot.json)
        #expect(after == feed, "\(request)")
        #expect(snapshot.json["order"]?.string == feed.order)
        let current = try #require(snapshot.json["token"]?.string)
        #expect((current == token) == (before == after))
        #expect(snapshot["ETag"] == "\"\(current)\"")
        let stale = try await api.get("/feeds/news", ["If-None-Match": "\"\(token)\""])
        #expect(stale.status == (current == token ? 304 : 200))
        if answer.status != 204 {
            #expect(answer.json["changed"] == .bool(current != token))
            #expect(answer.json["token"]?.string == current)
        }
        return current
    }

    /// Keeps a document up to date by JSON Patches.
    private func patch(
        _ old: (token: String, document: TestJSON)?,
        _ api: API,
        _ token: String,
        _ feed: NaiveFeed
    ) async throws -> (token: String, document: TestJSON) {
        let since = old.map { "&since=\($0.token)" } ?? ""
        let answer = try await api.get("/feeds/news?format=json-patch\(since)")
        try #require(answer.status == 200)
        let document = try NaivePatch.apply(answer.json, to: old?.document ?? [:])
        #expect(document == feed.document)
        return (token, document)
    }
}
