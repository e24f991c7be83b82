import FeedFormats
import FeedModel
import HTTPClient
import TestSupport
import Testing

@testable import FeedSources

/// Feeds of sites that are on this machine.
@Suite struct DiscoveringFeeds {
    private let servers = RawServers()

    /// A site of pages by their paths; anything else is not found.
    private func site(_ pages: [String: (type: String, body: String)]) -> String {
        servers.serving { head, connection in
            let path = head.split(separator: " ").dropFirst().first.map(String.init) ?? ""
            guard let page = pages[path] else { return connection.answer("404 Not Found") }
            if page.type.isEmpty {
                return connection.answer("302 Found", ["Location: \(page.body)"])
            }
            return connection.answer("200 OK", ["Content-Type: \(page.type)"], page.body)
        }.url
    }

    private func discover(_ url: String) async throws -> [SourcePreview] {
        var settings = HTTPClient.Settings()
        settings.allows = { _, _ in true }
        return try await SourceDiscovery.feeds(
            source(url),
            HTTPClient(settings),
            now: 1_700_000_000
        )
    }

    private static let page = """
        <!doctype html><html><head><title>Site</title>
        <!-- <link rel="alternate" type="application/rss+xml" href="/comment.xml"> -->
        <script>document.write('<link rel="alternate" type="application/rss+xml" href="/js.xml">')
        </script>
        <link rel="alternate" type="application/rss+xml" title="RSS" href="news.xml?a=1&amp;b=2">
        <LINK REL='Alternate Home' TYPE='application/feed+json' HREF=/feed.json>
        <link rel="alternate" hreflang="de" href="/de/">
        <link rel="alternate" type="application/rss+xml" href="/gone.xml">
        <link rel="alternate" type="application/rss+xml" href="javascript:alert(1)">
        <link rel="alternate" type="application/atom+xml" href="/moved.xml">
        </head><body></body></html>
        """

    private static let jsonFeed =
        #"{"version":"https://jsonfeed.org/version/1.1","title":"As JSON","items":[]}"#

    @Test func findsWhatAPageNames() async throws {
        let url = site([
            "/blog/": ("text/html", Self.page), "/blog/news.xml?a=1&b=2": ("text/xml", rss([1])),
            "/feed.json": ("application/json", Self.jsonFeed),
            "/comment.xml": ("text/xml", rss([2])),
            "/js.xml": ("text/xml", rss([3])), "/moved.xml": ("", "/feed.json"),
            // The usual places count only where a page names nothing.
            "/feed": ("text/xml", rss([4])),
        ])
        let found = try await discover(url + "/blog/")
        #expect(found.map(\.address) == [url + "/blog/news.xml?a=1&b=2", url + "/feed.json"])
        #expect(found.map(\.feed.title) == ["News", "As JSON"])
        #expect(found.map(\.snapshot.count) == [1, 0])
    }

    @Test func takesAFeedForItself() async throws {
        let url = site(["/": ("text/html", rss([1, 2]))])
        let found = try await discover(url + "/")
        #expect(found.map(\.address) == [url + "/"])
        #expect(found.first?.snapshot.count == 2)
    }

    @Test func aDeadLinkHidesNothing() async throws {
        let link = "<link rel=alternate type=application/rss+xml href=/gone.xml>"
        let url = site([
            "/": ("text/html", link), "/b": ("text/html", link + "<a href='/my/feed/'>Feed</a>"),
            "/feed": ("text/xml", rss([1])), "/my/feed/": ("text/xml", rss([2])),
        ])
        #expect(try await discover(url + "/").map(\.address) == [url + "/feed"])
        #expect(try await discover(url + "/b").map(\.address) == [url + "/my/feed/"])
    }

    /// The page's own links come first.
    @Test(arguments: [
        ("", ["/field.xml"]),
        (
            "<link rel=alternate type=application/rss+xml href=/own.xml>",
            ["/own.xml", "/field.xml"]
        ),
        ("<a href=/my/feed>Feed</a>", ["/field.xml"]),
    ])
    func findsWhatFieldsName(_ page: String, _ paths: [String]) async throws {
        let url = servers.serving { head, connection in
            let link =
                "Link: </gone.xml>; rel=alternate; type=\"application/atom+xml\", "
                + "</field.xml>; rel=\"alternate\"; type=\"application/rss+xml\""
            return switch head.split(separator: " ")[1] {
            case "/": connection.answer("200 OK", ["Content-Type: text/html", link], page)
            case "/own.xml": connection.answer("200 OK", [], rss([1]))
            case "/field.xml", "/my/feed": connection.answer("200 OK", [], rss([2]))
            default: connection.answer("404 Not Found")
            }
        }.url
        #expect(try await discover(url + "/").map(\.address) == paths.map { url + $0 })
    }

    @Test func looksAtTheUsualPlacesOfABlog() async throws {
        let url = site(["/": ("text/html", "Hello"), "/blog/feed": ("text/xml", rss([1]))])
        #expect(try await discover(url + "/").map(\.address) == [url + "/blog/feed"])
    }

    @Test func looksAtTheUsualPlaces() async throws {
        let url = site([
            "/a/page": ("text/html", "<title>No links</title>"), "/rss.xml": ("text/xml", rss([1])),
            "/feed.xml": ("text/html", "<title>No feed</title>"),
        ])
        #expect(try await discover(url + "/a/page").map(\.address) == [url + "/rss.xml"])
    }

    @Test func readsListsOfFeeds() async throws {
        let list = """
            <opml version="2.0"><head/><body><outline text="Folder">
            <outline type="rss" text="One" xmlUrl="/one.xml"/></outline>
            <outline type="rss" text="None" xmlUrl="/none.xml"/></body></opml>
            """
        let page = #"<link rel="alternate" type="text/x-opml" href="feeds.opml">"#
        let url = site([
            "/": ("text/html", page), "/feeds.opml": ("text/x-opml", list),
            "/one.xml": ("text/xml", rss([1])),
        ])
        #expect(try await discover(url + "/").map(\.address) == [url + "/one.xml"])
    }

    @Test func findsNothingWhereNothingIs() async throws {
        let url = site(["/": ("text/html", "<p>Hello")])
        #expect(try await discover(url + "/").isEmpty)
        await #expect(throws: SourceFailure.self) { try await discover(url + "/other") }
    }

    @Test(
        arguments: [
            (
                "<base href='https://b.example/x/'><link rel=alternate type=text/rss href=f>",
                ["https://b.example/x/f"]
            ),
            (
                "<link rel=alternate type=text/xml href=f><base href='https://b.example/x/'>"
                    + "<base href='https://c.example/'>", ["https://b.example/x/f"]
            ),
            ("<a rel='feed' href='f.xml'>Feed</a>", ["https://a.example/d/f.xml"]),
            (
                "<link rel=alternate type=application/rss+xml href='feed://b.example/f'>"
                    + "<link rel=alternate type=application/rss+xml href='feed:https://b.example/g'>",
                ["http://b.example/f", "https://b.example/g"]
            ),
            ("<link rel='stylesheet alternate' type='text/css' href='s'>", []),
            ("<link rel=alternate type=application/rss+xml>", []),
            (
                "<link rel=alternate type=application/rss+xml href='//c.example/f'>",
                ["https://c.example/f"]
            ),
            (
                "<link rel=alternate type=application/rss+xml href=f><link rel=alternate "
                    + "type=application/atom+xml href=f>", ["https://a.example/d/f"]
            ),
            ("<textarea><link rel=alternate type=application/rss+xml href=f></textarea>", []),
            ("<link rel=alternate type=application/rss+xml href=f", []), ("", []),
        ] as [(String, [String])]
    ) func readsLinks(_ page: String, _ feeds: [String]) {
        #expect(PageLinks(Array(page.utf8), address: "https://a.example/d/p").feeds == feeds)
    }

    @Test func takesNoMoreLinksThanAPageNeeds() {
        let page = (0..<100).map { "<link rel=alternate type=application/atom+xml href=\($0)>" }
        let links = PageLinks(Array(page.joined().utf8), address: "https://a.example/")
        #expect(links.feeds.count == 20)
    }
}
