import FeedModel
import TestSupport
import Testing

/// docs/PUBLISHING.md, "The requests": conditions.
@Suite(.bothWays) struct ConditionalPublishing {
    static let requests: [(String, String, String, String)] = [
        ("PUT", "/feeds/news", #"{"items":[]}"#, "application/json"),
        ("PATCH", "/feeds/news", #"{"edits":[{"remove":"a1"}]}"#, "application/json"),
        (
            "PATCH", "/feeds/news", #"[{"op":"remove","path":"/badge"}]"#,
            "application/json-patch+json"
        ),
        ("DELETE", "/feeds/news", "", ""),
        ("POST", "/feeds/news/items", #"{"id":"x"}"#, "application/json"),
        ("PUT", "/feeds/news/items/a1", "{}", "application/json"),
        ("PATCH", "/feeds/news/items/a1", #"{"n":1}"#, "application/merge-patch+json"),
        ("DELETE", "/feeds/news/items/a1", "", ""),
    ]

    /// Conditions (TOKEN: the current one, OLD: the one before), and whether they hold of what is
    /// there.
    static let conditions: [([String: String], Int?)] = [
        (["If-Match": #""TOKEN""#], nil), (["If-Match": #""TOKEN-gzip""#], nil),
        (["If-Match": #""TOKEN-deflate""#], nil), (["If-Match": #""TOKEN-br""#], nil),
        (["If-Match": #""TOKEN-lz4""#], 412),
        (["If-Match": #""x", "TOKEN""#], nil), (["If-Match": "*"], nil),
        (["If-Match": #""OLD""#], 412), (["If-Match": #"W/"TOKEN""#], 412),
        (["If-Match": #""TOKEN-br""#], nil), (["If-Match": #""TOKEN-lz4""#], 412),
        (["If-Match": "TOKEN"], 400),
        (["If-Match": ""], 400), (["If-None-Match": "*"], 412),
        (["If-None-Match": #""TOKEN""#], 412), (["If-None-Match": #""OLD""#], nil),
        (["If-Match": #""TOKEN""#, "If-None-Match": "*"], 412),
    ]

    @Test(arguments: requests, conditions)
    func conditionsHoldOrRefuse(
        _ request: (String, String, String, String),
        _ condition: ([String: String], Int?)
    ) async throws {
        let api = API()
        let old = try await api.put("news", Patching.sample)
        let token = try await api.put("news", Patching.sample.replacing("One", with: "1"))
        var headers = condition.0.mapValues {
            $0.replacing("TOKEN", with: token).replacing("OLD", with: old)
        }
        headers["Content-Type"] = request.3.isEmpty ? nil : request.3
        let answer = try await api.send(request.0, request.1, request.2, headers)
        guard let status = condition.1 else {
            #expect(answer.status < 300, "\(answer.text)")
            return
        }
        #expect(answer.status == status)
        if status == 412 {
            #expect(answer.problem == "precondition")
            #expect(answer.json["token"]?.string == token)
        }
        #expect(try await api.document("/feeds/news")["token"]?.string == token)
    }

    @Test func aFeedCanBeMadeOnlyIfItIsNew() async throws {
        let api = API()
        let headers = ["If-None-Match": "*"]
        let made = try await api.send("PUT", "/feeds/news", sampleFeed, headers)
        #expect(made.status == 201)
        let again = try await api.send("PUT", "/feeds/news", sampleFeed, headers)
        #expect(again.status == 412)
        #expect(again.json["token"] == made.json["token"])
    }

    @Test(arguments: ["*", "\"q7x2m5kd.1\""])
    func aFeedThatIsNotThereMatchesNothing(_ value: String) async throws {
        let answer = try await API().send(
            "PUT",
            "/feeds/news",
            sampleFeed,
            ["If-Match": value]
        )
        #expect(answer.status == 412)
        #expect(answer.json["token"] == nil)
    }

    @Test func anItemThatIsNotThereMatchesNothing() async throws {
        let api = API()
        let token = try await api.put("news", Patching.sample)
        let lost = try await api.send("PUT", "/feeds/news/items/x", "{}", ["If-Match": "*"])
        #expect(lost.status == 412)
        #expect(lost.json["token"]?.string == token)
        let new = try await api.send("PUT", "/feeds/news/items/x", "{}", ["If-None-Match": "*"])
        #expect(new.status == 201)
    }

    /// Tags are about the feed: whoever has seen it may add to it, and again after a lost answer.
    @Test func tagsAreAboutTheFeedWhetherTheItemIsThereOrNot() async throws {
        let api = API()
        let token = try await api.put("news", Patching.sample)
        let headers = ["If-Match": "\"\(token)\""]
        for (method, status) in [("DELETE", 404), ("PATCH", 404)] {
            let answer = try await api.send(method, "/feeds/news/items/gone", "{}", headers)
            #expect(answer.status == status)
        }
        let same = ["If-None-Match": "\"\(token)\""]
        let lost = try await api.send("PUT", "/feeds/news/items/x", "{}", same)
        #expect(lost.status == 412)
        let new = try await api.send("PUT", "/feeds/news/items/x", "{}", headers)
        #expect(new.status == 201)
        let late = try await api.send("PUT", "/feeds/news/items/y", "{}", headers)
        #expect(late.status == 412)
        #expect(late.json["token"] == new.json["token"])
        for method in ["DELETE", "PATCH"] {
            let answer = try await api.send(method, "/feeds/news/items/gone", "{}", headers)
            #expect(answer.status == 412)
        }
    }

    /// A lost race is a 412, not what comes of the race.
    @Test(arguments: [
        ("PATCH", "/feeds/news", #"{"edits":[{"remove":"gone"}]}"#, "application/json", 409),
        (
            "PATCH", "/feeds/news", #"[{"op":"remove","path":"/gone"}]"#,
            "application/json-patch+json", 409
        ),
        (
            "PATCH", "/feeds/news", #"[{"op":"remove","path":"/sections"}]"#,
            "application/json-patch+json", 422
        ),
        ("POST", "/feeds/news/items", #"{"id":"a1"}"#, "application/json", 409),
        ("PATCH", "/feeds/news/items/a1", #"{"id":"b"}"#, "application/merge-patch+json", 422),
        ("POST", "/feeds/news/refresh", "", "application/json", 409),
    ])
    func conditionsComeBeforeWhatDependsOnTheState(
        _ method: String,
        _ target: String,
        _ body: String,
        _ type: String,
        _ status: Int
    ) async throws {
        let api = API()
        let old = try await api.put("news", Patching.sample)
        try await api.put("news", Patching.sample.replacing("One", with: "1"))
        let free = try await api.send(method, target, body, ["Content-Type": type])
        #expect(free.status == status)
        let lost = try await api.send(
            method,
            target,
            body,
            ["Content-Type": type, "If-Match": "\"\(old)\""]
        )
        #expect(lost.status == 412)
    }

    /// What does not depend on the feed comes before its conditions.
    @Test func conditionsComeAfterTheForm() async throws {
        let api = API()
        try await api.put("news", sampleFeed)
        let failing = ["If-Match": "\"aaaaaaaa.1\""]
        #expect(try await api.send("PUT", "/feeds/news", "{", failing).status == 400)
        #expect(try await api.send("PUT", "/feeds/news?dry-run=x", "{}", failing).status == 400)
        let type = failing.merging(["Content-Type": "text/plain"]) { $1 }
        #expect(try await api.send("PUT", "/feeds/news", "{}", type).status == 415)
        let stranger = failing.merging(["Authorization": "Bearer x"]) { $1 }
        #expect(try await api.send("PUT", "/feeds/news", "{}", stranger).status == 401)
        #expect(try await api.send("POST", "/feeds/news", "{}", failing).status == 405)
        #expect(try await api.send("PATCH", "/feeds/gone", #"{"edits":[]}"#, failing).status == 404)
    }

    @Test func ofManyAtOnceOneWins() async throws {
        let api = API()
        let token = try await api.put("news", sampleFeed)
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<40 {
                group.addTask {
                    try await api.send(
                        "PUT",
                        "/feeds/news",
                        #"{"n":\#(number),"items":[]}"#,
                        ["If-Match": "\"\(token)\""]
                    ).status
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count { $0 == 200 } == 1)
        #expect(statuses.count { $0 == 412 } == 39)
    }

    @Test func ofManyWithoutAConditionNoneIsLost() async throws {
        let api = API()
        try await api.put("news", #"{"items":[]}"#)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let feed = number % 4 == 0 ? "other-\(number)" : "news"
                    if feed != "news" { try await api.put(feed, #"{"items":[]}"#) }
                    let answer = try await api.send(
                        "POST",
                        "/feeds/\(feed)/items",
                        #"{"id":"\#(number)"}"#
                    )
                    #expect(answer.status == 201)
                }
            }
            try await group.waitForAll()
        }
        let document = try await api.document("/feeds/news")
        #expect(document["count"] == 150)
        #expect(document["token"]?.string?.hasSuffix(".151") == true)
    }
}
