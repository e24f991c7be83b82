import FeedAPI
import FeedModel
import TestSupport
import Testing

/// What little input may not cause.
@Suite(.bothWays) struct CostLimits {
    private func item(members count: Int, nested: Bool) -> String {
        let members = (1..<count).map { #""m\#($0)":\#($0)"# }.joined(separator: ",")
        return nested ? #"{"id":"a","x":{\#(members)}}"# : #"{"id":"a",\#(members)}"#
    }

    @Test(arguments: [false, true])
    func itemsHaveAtMost10000Members(nested: Bool) async throws {
        let api = API()
        let fits = item(members: nested ? 9_999 : 10_000, nested: nested)
        let tooMany = item(members: 10_001, nested: nested)
        #expect(try await api.send("PUT", "/feeds/a", #"{"items":[\#(fits)]}"#).status == 201)
        let answers = [
            try await api.send("PUT", "/feeds/b", #"{"items":[\#(tooMany)]}"#),
            try await api.send("PUT", "/feeds/a/items/a", tooMany),
            try await api.send(
                "PATCH",
                "/feeds/a/items/a",
                #"{"one more":1}"#,
                ["Content-Type": "application/merge-patch+json"]
            ),
            try await api.send(
                "PATCH",
                "/feeds/a",
                #"{"edits":[{"set":{"one more":1},"item":"a"}]}"#
            ),
        ]
        for answer in answers {
            #expect(answer.status == 422)
            #expect(answer.problem == "limit")
            #expect(answer.detail.contains("more than 10000 members"))
        }
        #expect(try await api.document("/feeds/a")["token"]?.string?.hasSuffix(".1") == true)
    }

    /// Little input must not have much rewritten.
    @Test func whatEditsRewriteGrowsWithWhatIsSent() async throws {
        let api = API()
        let text = String(repeating: "x", count: 2 << 20)
        try await api.put("a", #"{"items":[{"id":"a","x":"\#(text)"}]}"#)
        func send(_ count: Int) async throws -> TestResponse {
            let edits = (0..<count).map { #"{"set":{"n":\#($0)},"item":"a"}"# }
            let list = edits.joined(separator: ",")
            return try await api.send("PATCH", "/feeds/a", #"{"edits":[\#(list)]}"#)
        }
        #expect(try await send(3).status == 200)
        let answer = try await send(10)
        #expect(answer.status == 422)
        #expect(answer.problem == "limit")
        #expect(answer.detail.contains("rewrite"))
    }

    /// The same of what a patch takes apart.
    @Test func whatPatchesTakeApartGrowsWithWhatIsSent() async throws {
        let api = API()
        let text = String(repeating: "x", count: 9 << 20)
        try await api.put("a", #"{"items":[{"id":"a","x":"\#(text)"},{"id":"b","x":"\#(text)"}]}"#)
        func send(_ patch: String) async throws -> TestResponse {
            let type = ["Content-Type": "application/json-patch+json"]
            return try await api.send("PATCH", "/feeds/a", patch, type)
        }
        let answer = try await send(#"[{"op":"copy","from":"/sections","path":"/x"}]"#)
        #expect(answer.status == 422)
        #expect(answer.problem == "limit")
        #expect(answer.detail.contains("operation 0 is about more of the feed"))
        let small = #"[{"op":"remove","path":"/sections/0/items/1"}]"#
        #expect(try await send(small).status == 200)
        // What is left is within the limit.
        #expect(try await send(#"[{"op":"test","path":"/sections","value":[]}]"#).status == 409)
    }

    /// A key that may read a few of very many feeds is told of those without a look at the rest.
    @Test func listsHoldWhatPatternsName() async throws {
        let api = API { $0.openFeeds = ["b", "c-*", "*-x", "c-3"].compactMap { FeedPattern($0) } }
        for feed in ["a", "a-x", "b", "b-2", "c-1", "c-2", "c-3", "d", "d-x"] {
            try await api.put(feed, sampleFeed)
        }
        func list(_ query: String) async throws -> [String] {
            let answer = try await api.send("GET", "/feeds" + query, nil, ["Authorization": ""])
            return answer.json["feeds"]?.list.compactMap { $0["id"]?.string } ?? []
        }
        let all = ["a-x", "b", "c-1", "c-2", "c-3", "d-x"]
        #expect(try await list("") == all)
        for limit in 1...7 {
            #expect(try await list("?limit=\(limit)") == Array(all.prefix(limit)))
        }
        #expect(try await list("?prefix=c-") == ["c-1", "c-2", "c-3"])
        #expect(try await list("?prefix=c-2") == ["c-2"])
        #expect(try await list("?prefix=b") == ["b"])
        #expect(try await list("?prefix=d") == ["d-x"])
        #expect(try await list("?after=b&limit=2") == ["c-1", "c-2"])
    }
}
