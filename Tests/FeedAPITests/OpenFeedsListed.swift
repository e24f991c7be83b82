import FeedFormats
import FeedModel
import TestSupport
import Testing

@testable import FeedAPI

/// `GET /feeds.opml`.
@Suite(.bothWays) struct OpenFeedsListed {
    private func api(
        publicURL: String? = nil,
        open: [FeedPattern] = [.all]
    ) async throws -> API {
        let api = API {
            $0.publicURL = publicURL
            $0.openFeeds = open
        }
        let documents = [
            ("news", #"{"title":"<News> & more","url":"https://n.example/","items":[]}"#),
            ("closed", #"{"items":[]}"#), ("sports", #"{"title":"","url":"nowhere","items":[]}"#),
        ]
        for (name, document) in documents { try await api.put(name, document) }
        return api
    }

    private func outlines(_ response: TestResponse) throws -> [OPMLDocument.Outline] {
        try OPMLDocument(parsing: response.body).outlines
    }

    @Test func namesThemAndWhereTheyAre() async throws {
        let response = try await api(publicURL: "https://f.example").get("/feeds.opml")
        #expect(response.status == 200)
        #expect(response["Content-Type"] == "text/x-opml; charset=utf-8")
        #expect(response["X-Content-Type-Options"] == "nosniff")
        let list = try outlines(response)
        #expect(list.map(\.title) == ["closed", "<News> & more", "sports"])
        #expect(
            list.map(\.url)
                == ["closed", "news", "sports"].map { "https://f.example/feeds/\($0).atom" }
        )
        #expect(response.text.contains(#"htmlUrl="https://n.example/""#))
        #expect(!response.text.contains("nowhere"))
    }

    @Test func namesPathsWhereThePublicAddressIsNotKnown() async throws {
        let list = try outlines(await api().get("/feeds.opml"))
        #expect(list.map(\.url).first == "/feeds/closed.atom")
    }

    @Test func namesOnlyWhatEveryoneMayRead() async throws {
        let open = try ["news", "s*"].map { try #require(FeedPattern($0)) }
        let api = try await api(open: open)
        for headers in [[:], ["Authorization": "Bearer " + API.key]] {
            let response = try await api.get("/feeds.opml", headers)
            #expect(
                try outlines(response).map(\.url) == ["/feeds/news.atom", "/feeds/sports.atom"]
            )
            #expect(response["Vary"]?.contains("Authorization") != true)
        }
        let none = try await self.api(open: []).get("/feeds.opml")
        #expect(none.status == 200)
        #expect(try outlines(none).isEmpty)
    }

    @Test func comesInPagesAndNotTwice() async throws {
        let api = try await api()
        let first = try await api.get("/feeds.opml?limit=2")
        #expect(try outlines(first).map(\.title) == ["closed", "<News> & more"])
        #expect(first["Link"] == #"<?limit=2&after=news>; rel="next""#)
        let second = try await api.get("/feeds.opml?limit=2&after=news")
        #expect(try outlines(second).map(\.title) == ["sports"])
        #expect(second["Link"] == nil)
        let tag = try #require(first["ETag"])
        let again = try await api.get("/feeds.opml?limit=2", ["If-None-Match": tag])
        #expect(again.status == 304)
        try await api.put("another", #"{"items":[]}"#)
        let other = try await api.get("/feeds.opml?limit=2", ["If-None-Match": tag])
        #expect(other.status == 200)
    }

    @Test func takesNothing() async throws {
        let response = try await api().send("PUT", "/feeds.opml", "{}")
        #expect(response.status == 405)
        #expect(response["Allow"] == "GET, HEAD, OPTIONS")
        #expect(try await api().get("/feeds.opml/x").status == 404)
    }
}
