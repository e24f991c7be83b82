import FeedModel
import Synchronization
import TestSupport
import Testing

@testable import FeedAPI

/// What the operator is told of publishes.
@Suite(.bothWays) struct PublishRecords {
    private final class Told: Sendable {
        let records = Mutex<[PublishRecord]>([])
        var all: [PublishRecord] { records.withLock(\.self) }
    }

    private func api(_ told: Told) throws -> API {
        let digest = SHA256Digest(of: "desk".utf8.span)
        let key = AccessKey(digest: digest, name: "newsroom", write: [.all])
        return API {
            $0.keys.append(key)
            $0.reportPublish = { record in told.records.withLock { $0.append(record) } }
        }
    }

    @Test func saysWhoDidWhatToWhichVersion() async throws {
        let told = Told()
        let api = try api(told)
        let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
        let headers = [
            "Authorization": "Bearer desk", "traceparent": "00-\(trace)-00f067aa0ba902b7-01",
        ]
        let first = try await api.send("PUT", "/feeds/news", sampleFeed, headers)
        let item = try await api.send("PUT", "/feeds/news/items/a1", #"{"n":1}"#, headers)
        _ = try await api.send("DELETE", "/feeds/news", nil, ["Authorization": "Bearer desk"])
        let records = told.all
        try #require(records.count == 3)
        #expect(records.map(\.method) == ["PUT", "PUT", "DELETE"])
        #expect(records.allSatisfy { $0.keyName == "newsroom" && $0.feed.rawValue == "news" })
        #expect(records.map(\.traceID) == [trace, trace, nil])
        #expect(records.allSatisfy { $0.isChanged })
        let tokens = [first, item].map { $0.json["token"]?.string }
        #expect(records.map { $0.token?.description } == tokens + [nil])
        #expect(records.map { $0.previous?.description } == [nil] + tokens)
        #expect(records[0].counts.items.inserted == 6)
        #expect(records[1].counts.items.updated == 1)
    }

    @Test func aKeyWithoutANameIsToldByTheStartOfItsDigest() async throws {
        let told = Told()
        try await api(told).put("news", sampleFeed)
        let record = try #require(told.all.first)
        #expect(record.keyName == nil)
        #expect(record.keyDigest.utf8.count == 8)
        let bytes = SHA256Digest(of: API.key.utf8.span).bytes.prefix(4)
        #expect(UInt32(record.keyDigest, radix: 16) == bytes.reduce(0) { $0 << 8 | UInt32($1) })
    }

    @Test func whatIsNotDoneIsNotTold() async throws {
        let told = Told()
        let api = try api(told)
        #expect(try await api.send("PUT", "/feeds/news", "{").status == 400)
        #expect(try await api.send("PUT", "/feeds/news?dry-run=true", sampleFeed).status == 200)
        #expect(try await api.send("DELETE", "/feeds/news").status == 404)
        let key = ["Authorization": "Bearer nobody"]
        #expect(try await api.send("PUT", "/feeds/news", sampleFeed, key).status == 401)
        #expect(told.all.isEmpty)
    }

    @Test func whatChangesNothingSaysSo() async throws {
        let told = Told()
        let api = try api(told)
        try await api.put("news", sampleFeed)
        try await api.put("news", sampleFeed)
        #expect(told.all.map(\.isChanged) == [true, false])
    }
}

/// A key that is replaced by another.
@Suite(.bothWays) struct KeyRotation {
    /// Holds a time that tests set.
    private final class Wall: Sendable {
        let time = Mutex(1000.0)
    }

    private func api(_ wall: Wall) throws -> API {
        let (new, old) = (SHA256Digest(of: "new".utf8.span), SHA256Digest(of: "old".utf8.span))
        let keys = [
            AccessKey(digest: new, ownDigest: new, name: "desk", write: [.all]),
            AccessKey(digest: old, ownDigest: new, until: 2000, name: "desk", write: [.all]),
        ]
        return API {
            $0.keys += keys
            $0.openFeeds = []
            $0.wall = { wall.time.withLock(\.self) }
        }
    }

    @Test func bothAreKnownUntilTheOldOneEnds() async throws {
        let wall = Wall()
        let api = try api(wall)
        try await api.put("news", sampleFeed)
        for (time, status) in [(1000.0, 200), (1999.9, 200), (2000, 401), (3000, 401)] {
            wall.time.withLock { $0 = time }
            let answer = try await api.get("/feeds/news", ["Authorization": "Bearer old"])
            #expect(answer.status == status)
            let new = try await api.get("/feeds/news", ["Authorization": "Bearer new"])
            #expect(new.status == 200)
        }
    }

    @Test func aRequestIsCarriedOutOnceWhicheverIsSent() async throws {
        let api = try api(Wall())
        let item = #"{"id":"x"}"#
        try await api.put("news", sampleFeed)
        var tokens: [String?] = []
        for key in ["old", "new"] {
            let headers = ["Authorization": "Bearer \(key)", "Idempotency-Key": "one"]
            let answer = try await api.send("POST", "/feeds/news/items", item, headers)
            #expect(answer.status == 201)
            tokens.append(answer.json["token"]?.string)
        }
        #expect(tokens[0] == tokens[1])
    }
}
