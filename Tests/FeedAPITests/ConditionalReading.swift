import FeedModel
import TestSupport
import Testing

/// docs/PROTOCOL.md, "One validator for everything".
@Suite(.bothWays) struct ConditionalReading {
    /// Reads that have the feed's token as their tag.
    static let targets = [
        "/feeds/news", "/feeds/news?limit=2", "/feeds/news?section=week", "/feeds/news/outline",
        "/feeds/news/items", "/feeds/news/items?id=a1", "/feeds/news/items/a1",
        "/feeds/news/sections/week", "/feeds/news?format=json-patch",
    ]

    /// What can be waited for depends on Prefer too.
    static func vary(_ target: String) -> String {
        let isPart = ["/items", "/outline", "/sections"].contains { target.contains($0) }
        return isPart ? "Accept-Encoding" : "Accept-Encoding, Prefer"
    }

    /// Forms of the current tag (TOKEN), and the tag that the 304 has; `nil`: no 304.
    static let forms: [(String, String?)] = [
        (#""TOKEN""#, #""TOKEN""#),
        (#"W/"TOKEN""#, #""TOKEN""#),
        ("TOKEN", #""TOKEN""#),
        ("W/TOKEN", #""TOKEN""#),
        (#""TOKEN-gzip""#, #""TOKEN-gzip""#),
        ("TOKEN-gzip", #""TOKEN-gzip""#),
        (#"W/"TOKEN-gzip""#, #""TOKEN-gzip""#),
        ("*", #""TOKEN""#),
        (#""other", "TOKEN-gzip""#, #""TOKEN-gzip""#),
        (#""TOKEN", "TOKEN-gzip""#, #""TOKEN""#),
        (#""TOKEN-gzip", "TOKEN""#, #""TOKEN-gzip""#),
        (#""TOKEN-deflate", "TOKEN-gzip""#, #""TOKEN""#),
        (#""other", "x""#, nil),
        (#""TOKEN1""#, nil),
        (#""TOKEN-deflate""#, #""TOKEN""#),
        ("TOKEN-br", #""TOKEN""#),
        (#"W/"TOKEN-zstd""#, #""TOKEN""#),
        (#""other", "TOKEN;br""#, #""TOKEN""#),
        (#""TOKEN-gzip-deflate""#, #""TOKEN-gzip""#),
        (#""TOKEN-gzip-gzip""#, #""TOKEN-gzip""#),
        (#""TOKEN-lz4""#, nil),
        (#""xTOKEN""#, nil),
        (#"w/"TOKEN""#, nil),
        (#"""#, nil),
        ("", nil),
    ]

    @Test(arguments: targets, forms)
    func comparesWeaklyInAllForms(_ target: String, _ form: (String, String?)) async throws {
        let api = API()
        let token = try await api.put("news", sampleFeed)
        let value = form.0.replacing("TOKEN", with: token)
        let tag = form.1?.replacing("TOKEN", with: token)
        func check(_ answer: TestResponse) {
            #expect(answer["Vary"] == ConditionalReading.vary(target))
            #expect(answer["Access-Control-Allow-Origin"] == "*")
            guard let tag else {
                #expect(answer.status == 200, "\(value)")
                #expect(answer["ETag"] == "\"\(token)\"")
                return
            }
            #expect(answer.status == 304, "\(value)")
            #expect(answer["ETag"] == tag)
            #expect(answer["Cache-Control"] == "no-cache")
            #expect(answer["Content-Type"] == nil)
            #expect(answer.body.isEmpty)
        }
        check(try await api.get(target, ["If-None-Match": value]))
        if tag != nil { #expect(api.madeCount == 0, "nothing is made for a 304") }
        // Once the whole answer is there, it is what a reader without a match gets, too. Each of
        // two event loops has its own memory, and keeps what it was asked for the second time.
        let whole = try await api.get(target)
        let made = api.madeCount
        for _ in 0..<5 {
            let answer = try await api.get(target, ["If-None-Match": value])
            check(answer)
            if tag == nil { #expect(answer.body == whole.body) }
        }
        #expect(api.madeCount == made, "nothing is made twice")
    }

    @Test func theTagWithoutACodingIsSentForAStar() async throws {
        let api = API()
        let items = (0..<100).map { #"{"id":"i\#($0)","text":"much the same"}"# }
        let token = try await api.put("long", #"{"items":[\#(items.joined(separator: ","))]}"#)
        for target in ["/feeds/long", "/feeds/long/items", "/feeds/long?limit=90"] {
            let answer = try await api.get(
                target,
                ["If-None-Match": "*", "Accept-Encoding": "gzip"]
            )
            #expect(answer.status == 304)
            #expect(answer["ETag"] == "\"\(token)\"")
        }
    }

    @Test(arguments: targets)
    func anOldTagIsNoMatch(_ target: String) async throws {
        let api = API()
        let old = try await api.put("news", sampleFeed)
        _ = try await api.get(target)
        let new = try await api.put("news", sampleFeed.replacing("One", with: "1"))
        _ = try await api.get(target)
        let made = api.madeCount
        for value in ["\"\(old)\"", "\"\(old)-gzip\"", old] {
            for _ in 0..<5 {
                let answer = try await api.get(target, ["If-None-Match": value])
                #expect(answer.status == 200)
                #expect(answer["ETag"] == "\"\(new)\"")
            }
        }
        #expect(api.madeCount == made, "nothing is made twice")
    }

    @Test(arguments: [
        ("/feeds/gone", 404), ("/feeds/news/items/gone", 404), ("/feeds/news/sections/gone", 404),
        ("/feeds/news?version=EPOCH.99", 410), ("/feeds/news/items?version=EPOCH.99", 410),
        ("/feeds/news?limit=x", 400), ("/feeds/news?since=x", 400), ("/feeds/news?since=", 400),
        ("/feeds/news?since=EPOCH.0", 400), ("/feeds/news?since=EPOCH.1x", 400),
        ("/feeds/news?since=EPOCH.", 400), ("/feeds/news?since=EPOCH.1&since=EPOCH.1", 400),
        ("/feeds/news?since=EPOCH.1%", 400), ("/feeds/news?since=EPOCH.1#x", 400),
        ("/feeds/news/items?limit=0", 400), ("/feeds/news?format=x", 400),
    ])
    func aReadThatFailsFailsWhateverItsCondition(_ target: String, _ status: Int) async throws {
        let api = API()
        let token = try await api.put("news", sampleFeed)
        let target = target.replacing("EPOCH", with: token.prefix(8))
        // The feed's answers are there already.
        _ = try await api.get("/feeds/news")
        for value in ["*", "\"\(token)\"", "\"\(token)-gzip\"", token] {
            let answer = try await api.get(target, ["If-None-Match": value])
            #expect(answer.status == status)
            #expect(answer["Content-Type"] == "application/problem+json")
        }
    }

    @Test func ifModifiedSinceIsNotEvaluated() async throws {
        let api = API()
        try await api.put("news", sampleFeed)
        let answer = try await api.get(
            "/feeds/news",
            ["If-Modified-Since": "Fri, 01 Jan 2100 00:00:00 GMT"]
        )
        #expect(answer.status == 200)
    }

    @Test func theStandInForUnchangedIsNotStored() async throws {
        let api = API()
        let old = try await api.put("news", sampleFeed)
        let new = try await api.put("news", sampleFeed.replacing("One", with: "1"))
        for _ in 0..<2 {
            let still = try await api.get(
                "/feeds/news?since=\(new)",
                ["If-None-Match": "\"\(new)\""]
            )
            #expect(still.status == 304)
            #expect(still["Cache-Control"] == "no-store")
            let moved = try await api.get(
                "/feeds/news?since=\(old)",
                ["If-None-Match": "\"\(new)\""]
            )
            #expect(moved.status == 304)
            #expect(moved["Cache-Control"] == "no-cache")
        }
    }

    @Test func aPinnedVersionHasItsOwnTag() async throws {
        let api = API()
        let old = try await api.put("news", sampleFeed)
        let new = try await api.put("news", sampleFeed.replacing("One", with: "1"))
        let target = "/feeds/news?version=\(old)"
        #expect(try await api.get(target)["ETag"] == "\"\(old)\"")
        #expect(try await api.get(target, ["If-None-Match": "\"\(old)\""]).status == 304)
        #expect(try await api.get(target, ["If-None-Match": "\"\(new)\""]).status == 200)
    }

    @Test func aFeedMadeAgainMatchesNothingOfItsFormerLife() async throws {
        let api = API()
        let old = try await api.put("news", sampleFeed)
        _ = try await api.get("/feeds/news")
        #expect(try await api.send("DELETE", "/feeds/news").status == 204)
        #expect(try await api.get("/feeds/news", ["If-None-Match": "\"\(old)\""]).status == 404)
        try await api.put("news", sampleFeed)
        for _ in 0..<2 {
            let answer = try await api.get("/feeds/news", ["If-None-Match": "\"\(old)\""])
            #expect(answer.status == 200)
        }
    }
}
