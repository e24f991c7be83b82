import FeedModel
import FeedStore
import TestSupport
import Testing

/// docs/READING.md, "What changed".
@Suite(.bothWays) struct ChangesReading {
    @Test func unchangedIsWhatTheCurrentTokenGets() async throws {
        let api = API()
        let token = try await api.put("news", sampleFeed)
        for form in [
            token, "%22\(token)%22", "W/%22\(token)%22", "\(token)-gzip", "\(token)-deflate",
        ] {
            for _ in 0..<2 {
                let answer = try await api.get("/feeds/news?since=\(form)")
                #expect(answer.status == 200)
                #expect(answer["Cache-Control"] == "no-store")
                #expect(answer["ETag"] == "\"\(token)\"")
                let order = NaiveFeed(document: try await api.document("/feeds/news")).order
                #expect(
                    answer.json == [
                        "kind": "unchanged", "feed": "news", "token": .string(ExactString(token)),
                        "count": 6, "order": .string(ExactString(order)),
                    ]
                )
            }
        }
    }

    @Test func changesLeadFromOneVersionToTheCurrentOne() async throws {
        let api = API()
        let old = try await api.put("news", sampleFeed)
        let before = NaiveFeed(document: try await api.document("/feeds/news"))
        let middle = try await api.put("news", sampleFeed.replacing("One", with: "1"))
        let new = try await api.put(
            "news",
            sampleFeed.replacing("One", with: "1").replacing("Two", with: "2")
        )
        let document = try await api.document("/feeds/news?since=\(old)")
        #expect(document["kind"] == "changes")
        #expect(document["since"]?.string == old)
        #expect(document["token"]?.string == new)
        #expect(document["count"] == 6)
        #expect(
            document["changes"] == [
                "items": [
                    "update": [
                        ["id": "a1", "set": ["headline": "1"]],
                        ["id": "a2", "set": ["headline": "2"]],
                    ]
                ]
            ]
        )
        let step = try await api.document("/feeds/news?since=\(middle)")
        #expect(
            step["changes"] == ["items": ["update": [["id": "a2", "set": ["headline": "2"]]]]]
        )
        var feed = before
        feed.apply(try #require(document["changes"]))
        #expect(feed == NaiveFeed(document: try await api.document("/feeds/news")))
        #expect(document["order"]?.string == feed.order)
    }

    @Test func whatCameAndWentIsNotMentioned() async throws {
        let api = API()
        let old = try await api.put("news", sampleFeed)
        try await api.put("news", sampleFeed.replacing("a3", with: "a4"))
        try await api.put("news", sampleFeed)
        let document = try await api.document("/feeds/news?since=\(old)")
        #expect(document["kind"] == "changes")
        #expect(document["changes"] == [:])
    }

    @Test(arguments: [("aaaaaaaa.1", "epoch"), ("EPOCH.99", "expired"), ("EPOCH.1", "expired")])
    func aSnapshotSaysWhyItCame(_ since: String, _ reason: String) async throws {
        var limits = HistoryLimits()
        limits.alwaysVersions = 1
        limits.alwaysDuration = .zero
        limits.weight = 0
        let api = API(store: FeedStore(limits: limits))
        var token = try await api.put("news", sampleFeed)
        for number in 0..<20 {
            token = try await api.put("news", sampleFeed.replacing("One", with: "\(number)"))
        }
        let since = since.replacing("EPOCH", with: token.prefix(8))
        for _ in 0..<2 {
            let document = try await api.document("/feeds/news?since=\(since)")
            #expect(document["kind"] == "snapshot")
            #expect(document["reason"]?.string == reason)
            #expect(document["token"]?.string == token)
            #expect(NaiveFeed(document: document).itemIDs.count == 6)
        }
    }

    @Test func aSnapshotThatIsShorterIsSentInstead() async throws {
        let api = API()
        let items = (0..<50).map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
        let old = try await api.put("news", #"{"items":[\#(items)]}"#)
        try await api.put("news", #"{"items":[{"id":"x"}]}"#)
        let plain = try await api.get("/feeds/news")
        let document = try await api.document("/feeds/news?since=\(old)")
        #expect(document["kind"] == "snapshot")
        #expect(document["reason"] == "smaller")
        #expect(plain.json["reason"] == nil)
    }

    @Test(arguments: [
        "", "x", "q7x2m5kd", "q7x2m5kd.", "q7x2m5kd.0", "q7x2m5kd.01", "q7x2m5kd.-1",
        "Q7X2M9KD.1", "q7x2m9k.1", "q7x2m5kd.1x", "q7x2m5kd.1234567890123456789",
        "q7x2m5kd.1-lz4", "%22q7x2m5kd.1", "q7x2m5kd.1%22", "w/q7x2m5kd.1", "q7x2m5kd.+1",
    ])
    func whatIsNoTokenIsRefused(_ since: String) async throws {
        let api = API()
        try await api.put("news", sampleFeed)
        for name in ["since", "version"] {
            let answer = try await api.get("/feeds/news?\(name)=\(since)")
            #expect(answer.status == 400)
            #expect(answer.problem == "malformed")
            #expect(answer.detail.contains("\"\(name)\""))
        }
    }

    @Test func sinceMayBeComparedWithAnotherVersionThanTheCurrentOne() async throws {
        let api = API()
        let first = try await api.put("news", sampleFeed)
        let second = try await api.put("news", sampleFeed.replacing("One", with: "1"))
        try await api.put("news", sampleFeed.replacing("One", with: "I"))
        let document = try await api.document("/feeds/news?since=\(first)&version=\(second)")
        #expect(document["kind"] == "changes")
        #expect(document["token"]?.string == second)
        #expect(
            document["changes"] == ["items": ["update": [["id": "a1", "set": ["headline": "1"]]]]]
        )
        let still = try await api.get("/feeds/news?since=\(second)&version=\(second)")
        #expect(still.json["kind"] == "unchanged")
        #expect(still["Cache-Control"] == "no-store")
    }

    @Test(arguments: [
        "since=q7x2m5kd.1&since=q7x2m5kd.1", "limit=1&limit=1", "limit=", "limit=-1", "limit=+1",
        "limit=1.0", "limit=0x1", "limit=%31%2E", "version=q7x2m5kd.1&version=q7x2m5kd.2",
        "format=json-patch&format=json-patch", "format=", "format=xml",
    ])
    func knownParametersThatAreMalformedOrRepeatedAreNamed(_ query: String) async throws {
        let api = API()
        try await api.put("news", sampleFeed)
        let answer = try await api.get("/feeds/news?\(query)")
        #expect(answer.status == 400)
        let name = try #require(query.split(separator: "=").first)
        #expect(answer.detail.contains("\"\(name)\""), "\(answer.detail)")
    }

    @Test(arguments: ["unknown=1", "unknown=1&unknown=2", "Limit=x", "offset=x", "&&", "wait=0"])
    func unknownParametersAreIgnored(_ query: String) async throws {
        let api = API()
        try await api.put("news", sampleFeed)
        #expect(try await api.get("/feeds/news?\(query)").status == 200)
    }

    @Test func changesComeInGzipToo() async throws {
        let api = API()
        let old = try await api.put("news", #"{"items":[{"id":"x"}]}"#)
        let items = (0..<100).map { #"{"id":"i\#($0)","text":"much the same"}"# }
        let new = try await api.put(
            "news",
            #"{"items":[{"id":"x"},\#(items.joined(separator: ","))]}"#
        )
        let plain = try await api.get("/feeds/news?since=\(old)")
        for _ in 0..<2 {
            let coded = try await api.get(
                "/feeds/news?since=\(old)",
                ["Accept-Encoding": "gzip"]
            )
            #expect(coded["ETag"] == "\"\(new)-gzip\"")
            #expect(gunzip(coded.body) == plain.body)
        }
    }

    @Test func manyWhoAskAtOnceGetTheSame() async throws {
        let api = API()
        let items = (0..<3000).map { #"{"id":"i\#($0)","text":"much the same"}"# }
        let old = try await api.put("big", #"{"items":[\#(items.joined(separator: ","))]}"#)
        let rest = items.dropFirst(7).joined(separator: ",")
        try await api.put("big", #"{"items":[\#(rest)]}"#)
        let target = "/feeds/big?since=\(old)"
        let bodies = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<200 {
                group.addTask {
                    try await api.get(target, ["Accept-Encoding": "gzip"]).body
                }
            }
            return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }
        #expect(bodies.count == 1)
        let removed = TestJSON(bodies.first ?? [])?["changes"]?["items"]?["remove"]
        #expect(removed?.list.count == 7)
    }
}
