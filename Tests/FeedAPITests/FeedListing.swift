import FeedAPI
import FeedModel
import TestSupport
import Testing

/// docs/PROTOCOL.md, "Which feeds there are".
@Suite(.bothWays) struct FeedListing {
    @Test func listsFeedsById() async throws {
        let api = API()
        let empty = try await api.get("/feeds")
        #expect(empty.json == ["kind": "feeds", "feeds": []])
        let second = try await api.put("b", #"{"title":"Büro","items":[{"id":"x"}]}"#)
        let first = try await api.put("a", #"{"items":[]}"#)
        let answer = try await api.get("/feeds")
        let feeds = try #require(answer.json["feeds"]?.list)
        #expect(feeds.count == 2)
        for feed in feeds {
            let changed = try #require(feed["changed"]?.string)
            #expect(changed.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil)
        }
        #expect(feeds.map { $0["id"]?.string } == ["a", "b"])
        #expect(feeds.map { $0["token"]?.string } == [first, second])
        #expect(feeds.map { $0["count"]?.int } == [0, 1])
        #expect(feeds[0]["title"] == nil)
        #expect(feeds[1]["title"] == "Büro")
        #expect(answer["Vary"] == "Accept-Encoding, Authorization")
        #expect(answer["Cache-Control"] == "no-cache")
    }

    @Test(arguments: [
        ["*-a"], ["*-a", "x*"], ["x-*-a", "x-*-b"], ["x-*-a", "*-b", "y-1-c", "z*"],
        ["*1*", "*2*-b"],
        ["x-1-a", "x-1*"], ["n*ne"], ["x-1-a", "x-1-a", "y-1-a*"], ["x-1-a*", "x-1-a", "x"],
        ["x", "x-1", "x-1-b", "x-1-c*", "x-2*-a"],
    ])
    func namesWhatAnyPatternNamesInPagesOfEveryLength(_ texts: [String]) async throws {
        let open = try texts.map { try #require(FeedPattern($0)) }
        let api = API { $0.openFeeds = open }
        let names = ["x", "y", "z"].flatMap { start in
            (1...3).flatMap { number in ["a", "b", "c"].map { "\(start)-\(number)-\($0)" } }
        }
        for name in names { try await api.put(name, #"{"items":[]}"#) }
        let wanted = names.filter { name in
            open.contains { FeedName(name).map($0.matches) == true }
        }
        for limit in [1, 2, 5, 30] {
            for prefix in ["", "x", "x-1-a"] {
                var listed: [String] = []
                var address: String? = "/feeds?limit=\(limit)&prefix=\(prefix)"
                while let asked = address {
                    let page = try await api.get(asked).json
                    listed += (page["feeds"]?.list ?? []).compactMap { $0["id"]?.string }
                    address = page["next"]?.string.map { "/feeds\($0)" }
                }
                #expect(listed == wanted.filter { $0.hasPrefix(prefix) })
            }
        }
    }

    @Test func itsTagChangesWithAnyOfThem() async throws {
        let api = API()
        try await api.put("a", #"{"items":[]}"#)
        let tag = try #require(try await api.get("/feeds")["ETag"])
        let bare = tag.dropFirst().dropLast()
        #expect(bare.count >= 32)
        for form in [tag, "W/\(tag)", String(bare), "*", "\"x\", \(tag)"] {
            let answer = try await api.get("/feeds", ["If-None-Match": form])
            #expect(answer.status == 304)
            #expect(answer["ETag"] == tag)
            #expect(answer["Vary"] == "Accept-Encoding, Authorization")
        }
        let coded = try await api.get("/feeds", ["If-None-Match": "\"\(bare)-gzip\""])
        #expect(coded.status == 304)
        #expect(coded["ETag"] == "\"\(bare)-gzip\"")
        try await api.put("a", #"{"items":[{"id":"x"}]}"#)
        let changed = try await api.get("/feeds", ["If-None-Match": tag])
        #expect(changed.status == 200)
        #expect(try await api.get("/feeds?prefix=b")["ETag"] != changed["ETag"])
    }

    @Test func pagesFollowEachOther() async throws {
        let api = API()
        for number in 10..<35 { try await api.put("p-\(number)", #"{"items":[]}"#) }
        try await api.put("q", #"{"items":[]}"#)
        var ids: [String] = []
        var reference: String? = "?prefix=p-&limit=10"
        while let query = reference {
            let answer = try await api.get("/feeds" + query)
            try #require(answer.status == 200)
            ids += (answer.json["feeds"]?.list ?? []).compactMap { $0["id"]?.string }
            reference = answer.json["next"]?.string
            #expect(answer["Link"] == reference.map { "<\($0)>; rel=\"next\"" })
        }
        #expect(ids == (10..<35).map { "p-\($0)" })
    }

    @Test(arguments: ["limit=0", "limit=1001", "limit=x", "prefix=a&prefix=b", "limit=1&limit=1"])
    func refusesWhatIsMalformed(_ query: String) async throws {
        let answer = try await API().get("/feeds?\(query)")
        #expect(answer.status == 400)
    }
}
