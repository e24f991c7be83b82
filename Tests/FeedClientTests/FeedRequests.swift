import FeedModel
import Foundation
import Testing

@testable import FeedClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// docs/PROTOCOL.md, "Reading", and docs/PUBLISHING.md, "The requests".
@Suite struct FeedRequests {
    private let feed: FeedName
    private let requests: FeedRequest

    init() throws {
        feed = try #require(FeedName("news"))
        let baseURL = try #require(URL(string: "http://127.0.0.1:8080/below/"))
        requests = FeedRequest(baseURL: baseURL)
    }

    @Test(arguments: [
        (FeedView(), FeedFormat.json, "/below/feeds/news?since=q7x2m5kd.42"),
        (FeedView(limit: 0), .json, "/below/feeds/news?since=q7x2m5kd.42&limit=0"),
        (
            FeedView(sections: ["b", "a+ü &"]), .jsonPatch,
            "/below/feeds/news?since=q7x2m5kd.42&section=a%2B%C3%BC%20%26&section=b"
                + "&format=json-patch"
        ),
    ])
    func feedRequestsAskForAView(_ view: FeedView, as format: FeedFormat, at target: String) throws
    {
        let token = Token(epoch: "q7x2m5kd", version: 42)
        let request = requests.get(feed, since: token, view: view, format: format)
        #expect(request.url?.absoluteString == "http://127.0.0.1:8080" + target)
        #expect(request.httpMethod == "GET")
    }

    @Test func feedRequestsAskForTheWholeFeedWithoutAQuery() {
        let request = requests.get(feed, since: nil, view: FeedView(), format: .json)
        #expect(request.url?.absoluteString == "http://127.0.0.1:8080/below/feeds/news")
    }

    @Test func feedRequestsPublishWithTheCondition() {
        let token = Token(epoch: "q7x2m5kd", version: 42)
        let request = requests.publish(
            "PUT",
            ["news"],
            body: Data("{}".utf8),
            PublishOptions(ifMatch: token, isDryRun: true)
        )
        #expect(request.httpMethod == "PUT")
        #expect(
            request.url?.absoluteString == "http://127.0.0.1:8080/below/feeds/news?dry-run=true"
        )
        #expect(request.value(forHTTPHeaderField: "Idempotency-Key") == nil)
        #expect(request.value(forHTTPHeaderField: "If-Match") == "\"q7x2m5kd.42\"")
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/json")
        #expect(request.httpBody == Data("{}".utf8))
    }

    @Test func feedRequestsPublishWithoutACondition() {
        let request = requests.publish(
            "PUT",
            ["news"],
            body: Data(),
            PublishOptions(idempotencyKey: "k")
        )
        #expect(request.value(forHTTPHeaderField: "Idempotency-Key") == "k")
        #expect(request.url?.query == nil)
        #expect(request.value(forHTTPHeaderField: "If-Match") == nil)
    }
}
