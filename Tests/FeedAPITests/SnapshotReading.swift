import FeedModel
import TestSupport
import Testing

/// docs/READING.md, "The snapshot".
@Suite(.bothWays) struct SnapshotReading {
    @Test func aSnapshotHasEverythingThatWasPublished() async throws {
        let api = API()
        let token = try await api.put("news", sampleFeed)
        let answer = try await api.get("/feeds/news")
        #expect(answer.status == 200)
        #expect(answer["Content-Type"] == "application/json")
        #expect(answer["ETag"] == "\"\(token)\"")
        #expect(answer["Vary"] == "Accept-Encoding, Prefer")
        #expect(answer["Cache-Control"] == "no-cache")
        let document = answer.json
        #expect(document["kind"] == "snapshot")
        #expect(document["feed"] == "news")
        #expect(document["token"]?.string == token)
        #expect(document["title"] == "News")
        #expect(document["badge"] == 3)
        #expect(document["count"] == 6)
        #expect(document["sections"]?.list.map { $0["id"]?.string } == ["today", "empty", "week"])
        #expect(document["sections"]?.list.map { $0["count"]?.int } == [3, 0, 3])
        #expect(document["sections"]?[2]?["items"]?[0] == ["id": "b1", "n": .number("1.10")])
        let feed = NaiveFeed(document: document)
        #expect(document["order"]?.string == feed.order)
        #expect(feed.order.count == 8)
    }

    /// The two numbers of the protocol's own example are not checked there; zlib's CRC-32 of
    /// "123456789" is the usual one.
    @Test func theNaiveCheckIsTheOneOfZlib() {
        #expect(NaiveFeed.crc32(Array("123456789".utf8)) == 0xcbf4_3926)
    }

    @Test func headIsLikeGet() async throws {
        let api = API()
        try await api.put("news", sampleFeed)
        for target in ["/feeds/news", "/feeds/news?limit=1", "/feeds/news/outline", "/feeds"] {
            let get = try await api.get(target)
            let head = try await api.send("HEAD", target)
            #expect(head.status == get.status)
            #expect(head.body.isEmpty)
            #expect(head["ETag"] == get["ETag"])
            #expect(head["Content-Length"] == get["Content-Length"])
        }
    }

    @Test func aSnapshotCanBeSentBackAsItCame() async throws {
        let api = API()
        let token = try await api.put("news", sampleFeed)
        let snapshot = try await api.get("/feeds/news")
        let answer = try await api.send("PUT", "/feeds/news", snapshot.text)
        #expect(answer.status == 200)
        #expect(answer.json["changed"] == false)
        #expect(answer.json["token"]?.string == token)
    }

    @Test(arguments: ["/feeds/nothing", "/feeds/No", "/feeds/a.json", "/feeds/", "/feeds/-a"])
    func aSnapshotIsNotFoundWithoutSuchAFeed(_ target: String) async throws {
        let api = API()
        let answer = try await api.get(target, ["If-None-Match": "*"])
        #expect(answer.status == 404)
        #expect(answer.problem == "not-found")
    }

    @Test func comesInGzipWhenThatIsSmaller() async throws {
        let api = API()
        let items = (0..<100).map { #"{"id":"i\#($0)","text":"much the same"}"# }
        let token = try await api.put("long", #"{"items":[\#(items.joined(separator: ","))]}"#)
        let plain = try await api.get("/feeds/long")
        #expect(plain["Content-Encoding"] == nil)
        for accepted in ["gzip", "br, gzip", "gzip;q=0.5", "*", "deflate, gzip;q=1.0, *;q=0"] {
            for _ in 0..<2 {
                let coded = try await api.get("/feeds/long", ["Accept-Encoding": accepted])
                #expect(coded["Content-Encoding"] == "gzip", "\(accepted)")
                #expect(coded["ETag"] == "\"\(token)-gzip\"")
                #expect(coded["Vary"] == "Accept-Encoding, Prefer")
                #expect(gunzip(coded.body) == plain.body)
                #expect(coded.body.count < plain.body.count)
            }
        }
        for refused in ["", "identity", "gzip;q=0", "br", "gzip;q=0.2, identity", "xgzip", "gzip2"]
        {
            let answer = try await api.get("/feeds/long", ["Accept-Encoding": refused])
            #expect(answer["Content-Encoding"] == nil, "\(refused)")
            #expect(answer["ETag"] == "\"\(token)\"")
            #expect(answer.body == plain.body)
        }
    }

    /// RFC 9110 §12.5.3: a client that excludes the content as it is gets it coded whatever that
    /// gains, and one that excludes everything gets it as it is.
    @Test func comesCodedWhereNothingElseWillDo() async throws {
        let api = API()
        try await api.put("news", #"{"items":[]}"#)
        let plain = try await api.get("/feeds/news")
        for accepted in ["gzip, identity;q=0", "gzip, *;q=0", "identity;q=0, *;q=0.5"] {
            let coded = try await api.get("/feeds/news", ["Accept-Encoding": accepted])
            #expect(coded["Content-Encoding"] == "gzip", "\(accepted)")
            #expect(gunzip(coded.body) == plain.body)
        }
        for accepted in ["*;q=0", "identity;q=0", "br, *;q=0"] {
            let answer = try await api.get("/feeds/news", ["Accept-Encoding": accepted])
            #expect(answer.status == 200)
            #expect(answer["Content-Encoding"] == nil, "\(accepted)")
        }
    }

    @Test func smallOnesAreNotCompressed() async throws {
        let api = API()
        let token = try await api.put("news", #"{"items":[]}"#)
        let answer = try await api.get("/feeds/news", ["Accept-Encoding": "gzip"])
        #expect(answer["Content-Encoding"] == nil)
        #expect(answer["ETag"] == "\"\(token)\"")
    }
}
