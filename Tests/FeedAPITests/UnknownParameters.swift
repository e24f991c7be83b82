import FeedModel
import TestSupport
import Testing

@testable import FeedAPI

/// docs/PUBLISHING.md, "The requests": a query parameter that is not known.
@Suite(.bothWays) struct UnknownParameters {
    @Test(
        arguments: ConditionalPublishing.requests,
        [
            ("dryrun=true", "dry-run"), ("dry_run=true", "dry-run"), ("Dry-Run=true", "dry-run"),
            ("since=aaaaaaaa.1", "\"since\""), ("x", "\"x\""), ("%64ryrun", "\"dryrun\""),
        ]
    )
    func nothingIsPublishedForOne(
        _ request: (String, String, String, String),
        _ query: (String, String)
    ) async throws {
        let api = API()
        let token = try await api.put("news", Patching.sample)
        let headers = ["Content-Type": request.3].filter { !$0.value.isEmpty }
        let target = request.1 + "?" + query.0
        let answer = try await api.send(request.0, target, request.2, headers)
        #expect(answer.status == 400)
        #expect(answer.problem == "malformed")
        #expect(answer.detail.contains(query.1), "\(answer.detail)")
        #expect(try await api.document("/feeds/news")["token"]?.string == token)
    }

    @Test(arguments: [
        ("PUT", "/feeds/news?at=start"), ("PATCH", "/feeds/news/items/a1?section=week"),
        ("DELETE", "/feeds/news/items/a1?at=end"), ("POST", "/feeds/news/refresh?dry-run=true"),
        ("POST", "/feeds/news/items?limit=1"),
    ])
    func whatIsKnownElsewhereIsNotKnownHere(_ method: String, _ target: String) async throws {
        let api = API()
        try await api.put("news", Patching.sample)
        let body = method == "PUT" ? sampleFeed : "{}"
        let answer = try await api.send(method, target, method == "DELETE" ? "" : body)
        #expect(answer.status == 400)
        #expect(answer.problem == "malformed")
    }

    @Test func rightsComeFirst() async throws {
        let api = API { $0.keys.append(AccessKey("reader", read: [.all], write: [])) }
        for (key, status) in [("Bearer no", 401), ("Bearer reader", 403)] {
            let headers = ["Authorization": key]
            let answer = try await api.send("PUT", "/feeds/news?dryrun=true", "{}", headers)
            #expect(answer.status == status)
        }
        #expect(try await api.send("PUT", "/feeds/news?dryrun=true", "{", [:]).status == 400)
    }

    @Test func readsIgnoreThem() async throws {
        let api = API()
        try await api.put("news", sampleFeed)
        for target in [
            "/feeds/news?x=1", "/feeds?dryrun", "/feeds/news/items?y", "/pull?feed=news&z",
        ] {
            #expect(try await api.get(target).status == 200)
        }
    }
}
