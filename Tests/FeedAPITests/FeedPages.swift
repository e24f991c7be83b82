import FeedFormats
import FeedModel
import TestSupport
import Testing

@testable import FeedAPI

/// Feeds for feed readers that are longer than one document (RFC 5005 §3).
@Suite(.bothWays) struct FeedPages {
    private static let base = "https://feeds.example"

    private func api(publicURL: String? = FeedPages.base) -> API {
        API { $0.publicURL = publicURL }
    }

    private func document(_ numbers: some Sequence<Int>) -> String {
        let items = numbers.map { "{\"id\":\"n \($0) é\",\"title\":\"Number \($0)\"}" }
        let middle = items.count / 2
        let halves = [items[..<middle], items[middle...]].map { $0.joined(separator: ",") }
        return "{\"sections\":[{\"id\":\"a\",\"items\":[\(halves[0])]},{\"id\":\"none\"},"
            + "{\"id\":\"b\",\"items\":[\(halves[1])]}]}"
    }

    /// The titles of a document's entries, and its link to the next page.
    private func read(_ response: TestResponse) throws -> (titles: [String], next: String?) {
        let feed = try FeedReader(address: "https://feeds.example/").read(response.body)
        let titles = feed.entries.compactMap(\.title)
        let text = response.text.replacing("&amp;", with: "&").replacing("\\/", with: "/")
        let patterns = [
            #/rel="next" type="[^"]*" href="([^"]*)"/#, #/"next_url":"([^"]*)"/#,
        ]
        let next = patterns.compactMap { text.firstMatch(of: $0)?.1 }.first
        return (titles, next.map(String.init))
    }

    private func path(_ address: String) throws -> String {
        try #require(address.hasPrefix(FeedPages.base), "\(address)")
        return String(address.dropFirst(FeedPages.base.count))
    }

    @Test(arguments: SyndicationFormat.allCases)
    func leadFromOneToTheNext(_ format: SyndicationFormat) async throws {
        let api = api()
        try await api.put("news", document(0..<2345))
        var target = "/feeds/news.\(format.rawValue)"
        var (titles, counts): ([String], [Int]) = ([], [])
        while counts.count < 10 {
            let response = try await api.get(target)
            #expect(response.status == 200)
            let page = try read(response)
            titles += page.titles
            counts.append(page.titles.count)
            guard let next = page.next else {
                #expect(response["Link"] == nil)
                break
            }
            let query = try #require(next.firstIndex(of: "?").map { next[$0...] })
            #expect(response["Link"] == "<\(query)>; rel=\"next\"")
            target = try path(next)
        }
        #expect(counts == [1000, 1000, 345])
        #expect(titles == (0..<2345).map { "Number \($0)" })
    }

    @Test(arguments: SyndicationFormat.allCases)
    func aFeedThatFitsHasOnlyOne(_ format: SyndicationFormat) async throws {
        let api = api()
        try await api.put("news", document(0..<1000))
        let page = try await read(api.get("/feeds/news.\(format.rawValue)"))
        #expect(page.titles.count == 1000)
        #expect(page.next == nil)
    }

    @Test func whatIsInsertedAboveMovesNothing() async throws {
        let api = api()
        try await api.put("news", document(0..<20))
        let first = try await read(api.get("/feeds/news.atom?limit=8"))
        try await api.put("news", document([100, 101, 102] + Array(0..<20)))
        let next = try path(try #require(first.next))
        #expect(try await read(api.get(next)).titles == (8..<16).map { "Number \($0)" })
        // The item that it begins behind has gone: the number counts.
        try await api.put("news", document(Array(0..<7) + Array(8..<20)))
        #expect(try await read(api.get(next)).titles.first == "Number 9")
    }

    @Test func knowTheirOwnAddressAndTheFirst() async throws {
        let api = api()
        try await api.put("news", document(0..<5))
        let target = "/feeds/news.atom?limit=2&after=n%201%20%C3%A9&offset=2"
        let atom = try await api.get(target).text
        let own = FeedPages.base + target.replacing("&", with: "&amp;")
        #expect(atom.contains("rel=\"self\" type=\"application/atom+xml\" href=\"\(own)\""))
        let first = FeedPages.base + "/feeds/news.atom\""
        #expect(atom.contains("rel=\"first\" type=\"application/atom+xml\" href=\"\(first)"))
        let start = try await api.get("/feeds/news.atom").text
        #expect(!start.contains("rel=\"first\""))
        #expect(start.contains("href=\"\(first)"))
    }

    @Test(arguments: SyndicationFormat.allCases)
    func withoutAPublicAddressAreRelative(_ format: SyndicationFormat) async throws {
        let api = api(publicURL: nil)
        try await api.put("news", document(0..<5))
        let response = try await api.get("/feeds/news.\(format.rawValue)?limit=2")
        #expect(response["Link"] == "<?limit=2&after=n%201%20%C3%A9&offset=2>; rel=\"next\"")
        let next = try read(response).next
        let expected = "news.\(format.rawValue)?limit=2&after=n%201%20%C3%A9&offset=2"
        // Addresses of JSON Feed are whole ones.
        #expect(next == (format == .jsonFeed ? nil : expected))
    }

    @Test(arguments: [
        "limit=0", "limit=1001", "limit=x", "offset=-1", "after=a&after=b", "limit=1&limit=1",
    ])
    func refuseWhatIsMalformed(_ query: String) async throws {
        let api = api()
        try await api.put("news", document(0..<5))
        let response = try await api.get("/feeds/news.rss?\(query)")
        #expect(response.status == 400)
        #expect(response.problem == "malformed")
    }

    @Test(arguments: ["offset=99", "offset=9223372036854775807", "after=n%204%20%C3%A9"])
    func areEmptyPastTheEnd(_ query: String) async throws {
        let api = api()
        try await api.put("news", document(0..<5))
        let page = try await read(api.get("/feeds/news.rss?\(query)"))
        #expect(page.titles.isEmpty)
        #expect(page.next == nil)
    }

    @Test func answerConditionsLikeTheFirst() async throws {
        let api = api()
        try await api.put("news", document(0..<5))
        let target = "/feeds/news.atom?limit=2&offset=2"
        let tag = try #require(try await api.get(target)["ETag"])
        let again = try await api.get(target, ["If-None-Match": tag])
        #expect(again.status == 304)
        try await api.put("news", document(1..<5))
        // Never in part: what slides into a page is not new in the feed.
        let whole = try await api.get(target, ["If-None-Match": tag, "A-IM": "feed"])
        #expect(whole.status == 200)
        #expect(try read(whole).titles == ["Number 3", "Number 4"])
    }

    @Test func whatComesUpFromLaterPagesIsSentWithWhatIsNew() async throws {
        let api = api()
        try await api.put("news", document(0..<1005))
        let tag = try #require(try await api.get("/feeds/news.atom")["ETag"])
        // One goes from the first page, and one from behind it moves to the front.
        try await api.put("news", document([1003] + Array(1..<1003) + [1004]))
        let headers = ["If-None-Match": tag, "A-IM": "feed"]
        let delta = try await api.get("/feeds/news.atom", headers)
        #expect(delta.status == 226)
        #expect(try read(delta).titles == ["Number 1003"])
        try await api.put("news", document(Array(10..<1003)))
        let next = try await api.get("/feeds/news.atom", headers)
        #expect(next.status == 226)
        #expect(try read(next).titles == ["Number 1000", "Number 1001", "Number 1002"])
    }
}
