import FeedModel
import FeedStore
import HTTPWire
import StoreModel
import TestSupport
import Testing

@testable import FeedAPI

/// Pulls whose documents are there, which are put together where they are asked for.
@Suite(.bothWays) struct RepeatedPulls {
    /// A feed; some are long enough for a pull to be compressed.
    private static func feed(_ number: Int) -> String {
        let text = (0..<(number % 3 == 0 ? 200 : 1)).map { "\($0 * number)" }.joined(separator: " ")
        return #"{"items":[{"id":"a","n":\#(number),"text":"\#(text)"}]}"#
    }

    private static let fields = [
        "ETag", "Content-Encoding", "Content-Type", "Content-Length", "Cache-Control", "Vary",
        "Accept-Ranges", "Preference-Applied", "Access-Control-Allow-Origin",
        "Access-Control-Expose-Headers",
    ]

    /// A pull and what it said are the same again until one of its feeds changes, comes or goes.
    @Test(arguments: 0..<UInt64(4))
    func sayWhatIsThereNow(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let live = try LiveAPI()
        var tokens = ["a": try live.put("a", Self.feed(0)), "b": try live.put("b", Self.feed(0))]
        var targets = ["/pull?feed=a&feed=b&feed=c"]
        var tags: [String] = []
        for step in 1...120 {
            let name = ["a", "b", "c"].randomElement(using: &random) ?? "a"
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                tokens[name] = try live.put(name, Self.feed(step))
                let parts = tokens.sorted { $0.key < $1.key }.map { "feed=\($0.key)@\($0.value)" }
                targets.append("/pull?" + parts.joined(separator: "&"))
            case 1:
                _ = live.api.store.remove(try #require(FeedName(name))) { _ in }
                tokens[name] = nil
            default: break
            }
            let views = ["", "", "&limit=1", "&section=main&limit=5", "&as=changes"]
            let view = try #require(views.randomElement(using: &random))
            let target = try #require(targets.randomElement(using: &random)) + view
            var headers: [String: String] = [:]
            if let tag = tags.randomElement(using: &random), Bool.random(using: &random) {
                headers["If-None-Match"] = tag
            }
            headers["Accept-Encoding"] =
                [nil, "gzip", "deflate", "gzip;q=1, identity;q=0"]
                .randomElement(using: &random) ?? nil
            // Made at the first time, they are there at the second.
            let first = try await live.get(target, headers)
            let answer = try await live.get(target, headers)
            // Of what was made nothing is kept.
            live.api.store.trimAttached(to: 0)
            let anew = try await live.get(target, headers)
            #expect(answer.status == anew.status)
            #expect(first.status == answer.status)
            #expect(answer.body == anew.body)
            #expect(first.body == answer.body)
            // Its value depends on the time.
            #expect((answer["Refresh-After"] == nil) == (anew["Refresh-After"] == nil))
            for name in Self.fields {
                #expect(answer[name] == anew[name], "\(name)")
                #expect(first[name] == answer[name], "\(name)")
            }
            if let tag = answer["ETag"] { tags.append(tag) }
        }
    }

    /// However near to where content is compressed, it is the same made anew and from what is kept.
    @Test(arguments: [nil, "gzip", "gzip;q=1, identity;q=0"])
    func areTheSameAroundWhereTheyAreCompressed(_ coding: String?) async throws {
        let live = try LiveAPI()
        let target = "/pull?feed=a-long-name-of-a-feed&feed=b&feed=c"
        try live.put("a-long-name-of-a-feed", Self.feed(1))
        try live.put("c", Self.feed(2))
        let headers = coding.map { ["Accept-Encoding": $0] } ?? [:]
        var lengths: Set<Int> = []
        for count in 450..<520 {
            let text = String(repeating: "x", count: count)
            try live.put("b", #"{"items":[{"id":"a","text":"\#(text)"}]}"#)
            let first = try await live.get(target, headers)
            let answer = try await live.get(target, headers)
            let isCoded = answer["Content-Encoding"] == "gzip"
            let body = try #require(isCoded ? gunzip(answer.body) : answer.body)
            lengths.insert(body.count)
            #expect(first.body == answer.body)
            #expect(first["ETag"] == answer["ETag"])
            #expect(isCoded == (coding != nil))
            #expect(coding != "gzip" || 10 * answer.body.count <= 9 * body.count)
            #expect(answer["Content-Length"] == "\(answer.body.count)")
        }
        #expect(lengths.isSuperset(of: 1015...1035))
    }

    @Test func aFeedThatIsNamedTwiceIsThereOnce() async throws {
        let live = try LiveAPI()
        let old = try live.put("a", Self.feed(1))
        try live.put("a", Self.feed(2))
        for target in [
            "/pull?feed=a&feed=a", "/pull?feed=a@\(old)&feed=a", "/pull?feed=a&feed=a@\(old)",
        ] {
            _ = try await live.get("/pull?feed=a")
            _ = try await live.get("/pull?feed=a@\(old)")
            let answer = try await live.get(target)
            let text = String(decoding: answer.body, as: UTF8.self)
            #expect(answer.status != 200 || text.ranges(of: "\"a\":").count == 1)
        }
    }

    /// Whatever of what it is made of differs, another tag comes of it.
    @Test func allOfItCountsInTheTag() throws {
        let names = ["a", "b", "ab", "a-name-of-16-byt", "a-name-of-17-byte", "a-name-of-18-bytes"]
        let versions = [nil, 1, 2, 12, 123_456_789, 123_456_790]
        let views = [
            FeedView(), FeedView(limit: 0), FeedView(limit: 1), FeedView(sections: ["a"]),
            FeedView(sections: ["a"], limit: 1), FeedView(sections: ["a", "b"]),
        ]
        var texts: Set<String> = []
        var count = 0
        for view in views {
            for first in names {
                for second in names {
                    for version in versions {
                        var tag = PullTag()
                        tag.add(first.utf8.span, Token(epoch: "q7x2m5kd", version: 42))
                        tag.add(
                            second.utf8.span,
                            version.map { Token(epoch: "q7x2m5kd", version: $0) }
                        )
                        texts.insert(tag.tag(view).text(.identity))
                        count += 1
                    }
                }
            }
        }
        #expect(texts.count == count)
        #expect(texts.allSatisfy { $0.wholeMatch(of: /"[0-9a-f]{32}"/) != nil })
        let digits = texts.reduce(into: Set<Character>()) { $0.formUnion($1) }
        #expect(digits.count == 17)
    }

    @Test func areRememberedOnlyWhereTheyAreTheSameForAll() async throws {
        let live = try LiveAPI { $0.openFeeds = [] }
        try live.put("a", Self.feed(1))
        let key = ["Authorization": "Bearer " + API.key]
        #expect(try await live.get("/pull?feed=a", key).status == 200)
        #expect(try await live.get("/pull?feed=a").status == 401)
    }
}
