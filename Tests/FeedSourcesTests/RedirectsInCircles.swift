import HTTPClient
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import FeedSources

/// Redirects that lead back, by a cookie or for ever.
@Suite struct RedirectsInCircles {
    private let servers = RawServers()

    /// What a server was asked.
    private final class Asked: Sendable {
        private let texts = Mutex<[String]>([])

        func add(_ text: String) { texts.withLock { $0.append(text) } }

        var all: [String] { texts.withLock { $0 } }
    }

    private func server(
        _ answer:
            @escaping @Sendable (_ path: String, _ cookie: String, RawServer.Connection) -> Bool
    ) -> (server: RawServer, asked: Asked) {
        let asked = Asked()
        let server = servers.serving { head, connection in
            let path = String(head.split(separator: " ")[1])
            let lines = head.split(separator: "\r\n")
            let cookie = lines.first { $0.hasPrefix("Cookie: ") }.map { String($0.dropFirst(8)) }
            asked.add("\(path) \(cookie ?? "-")")
            return answer(path, cookie ?? "", connection)
        }
        return (server, asked)
    }

    @Test func aCookieThatIsSetLeadsOut() async throws {
        let (server, asked) = server { _, cookie, connection in
            cookie.contains("seen=1")
                ? connection.answer("200 OK", ["Set-Cookie: late=1"], rss([1]))
                : connection.answer(
                    "302 Found",
                    ["Location: /", "Set-Cookie: seen=1; Path=/; HttpOnly"]
                )
        }
        let feeds = try SourcedFeeds([source(server.url + "/")])
        #expect(try await feeds.failure() == nil)
        #expect(try feeds.ids() == ["n1"])
        // It is not kept for the next fetch.
        #expect(try await feeds.failure() == nil)
        #expect(asked.all == ["/ -", "/ seen=1", "/ -", "/ seen=1"])
    }

    @Test func anOwnCookieIsSentBesideThoseThatAreSet() async throws {
        let (server, asked) = server { path, _, connection in
            path == "/"
                ? connection.answer("303 See Other", ["Location: /x", "Set-Cookie: b=2"])
                : connection.answer("200 OK", [], rss([1]))
        }
        let settings = try source(server.url + "/") { $0.fields = [.cookie: "a=1"] }
        #expect(try await SourcedFeeds([settings]).failure() == nil)
        #expect(asked.all == ["/ a=1", "/x a=1; b=2"])
    }

    @Test func cookiesStayAtTheirHost() async throws {
        // As a proxy it is every host.
        let (proxy, asked) = server { address, _, connection in
            address.contains("one.invalid")
                ? connection.answer(
                    "302 Found",
                    ["Location: http://two.invalid/", "Set-Cookie: a=1"]
                )
                : connection.answer("200 OK", [], rss([1]))
        }
        let settings = try source("http://one.invalid/") { $0.proxy = proxy.url }
        #expect(try await SourcedFeeds([settings]).failure() == nil)
        #expect(asked.all == ["http://one.invalid/ -", "http://two.invalid/ -"])
    }

    @Test(arguments: [
        ["/"], ["/a", "/"], ["/a", "/b", "/a"], ["/a?x=1", "/a?x=1"], ["/a", "/b", "/c", "/b"],
    ])
    func aCircleEndsAtOnce(_ ways: [String]) async throws {
        let (server, asked) = server { path, _, connection in
            let place = path == "/" ? 0 : (ways.firstIndex(of: path) ?? 0) + 1
            return connection.answer(
                "302 Found",
                ["Location: \(ways[min(place, ways.count - 1)])", "Set-Cookie: a=1; Max-Age=0"]
            )
        }
        let failure = try await SourcedFeeds([source(server.url + "/")]).failure()
        #expect(failure == "it redirects in a circle")
        #expect(asked.all.count == Set(asked.all).count)
    }

    @Test func aWayWithoutEndEndsAfterTenRedirects() async throws {
        let (server, asked) = server { path, cookie, connection in
            connection.answer(
                "302 Found",
                ["Location: /", "Set-Cookie: n=\((Int(cookie.dropFirst(2)) ?? 0) + 1)"]
            )
        }
        let failure = try await SourcedFeeds([source(server.url + "/")]).failure()
        #expect(failure == "it redirects more than 10 times")
        #expect(asked.all.count == 11)
    }

    /// Spaces and letters are sent with escapes, and bytes of another encoding as they are.
    @Test(arguments: [
        (Array("/a b".utf8), "/a%20b"), (Array("/\u{E4}?\u{F6} x".utf8), "/%C3%A4?%C3%B6%20x"),
        ([0x2F, 0xE4], "/%E4"), (Array(" /a%20b ".utf8), "/a%20b"),
    ])
    func anAddressMayHaveSpacesAndLetters(_ location: [UInt8], _ path: String) async throws {
        let (server, asked) = server { path, _, connection in
            guard path == "/" else { return connection.answer("200 OK", [], rss([1])) }
            let head = "HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: "
            // Twice the same is once.
            return connection.send(
                Array(head.utf8) + location + Array("\r\nLocation: ".utf8) + location
                    + Array("\r\n\r\n".utf8)
            )
        }
        #expect(try await SourcedFeeds([source(server.url + "/")]).failure() == nil)
        #expect(asked.all == ["/ -", "\(path) -"])
        let direct = try await SourcedFeeds([source(server.url + "/a b\u{E4}?c d")]).failure()
        #expect(direct == nil)
        #expect(asked.all.last == "/a%20b%C3%A4?c%20d -")
    }
}

/// RFC 6265 §5, for one fetch.
@Suite struct CookiesOfRedirects {
    private func sent(_ set: String, from: String, to: String) -> String? {
        var cookies = FetchCookies()
        cookies.take([.setCookie: set], from: from, now: 1_700_000_000)
        return cookies.field(for: to)
    }

    @Test(
        arguments: [
            ("a=1", "http://e.example/x/y", "http://e.example/x/z", "a=1"),
            ("a=1", "http://e.example/x/y", "http://e.example/z", nil),
            ("a=1", "http://e.example/x/y", "http://e.example/xy", nil),
            ("a=1", "http://e.example", "https://E.EXAMPLE/?q", "a=1"),
            ("a=1", "http://e.example/", "http://www.e.example/", nil),
            ("a=1", "http://e.example/", "http://f.example/", nil),
            (" a = b=c ; Path=/", "http://e.example/x/", "http://e.example/", "a=b=c"),
            ("a=1; Path=/x", "http://e.example/", "http://e.example/x/y?z", "a=1"),
            ("a=1; Path=/x", "http://e.example/", "http://e.example/xy", nil),
            ("a=1; Domain=e.example", "http://e.example/", "http://www.e.example/", "a=1"),
            ("a=1; domain=.e.example", "http://www.e.example/", "http://e.example/", "a=1"),
            ("a=1; Domain=e.example", "http://e.example/", "http://note.example/", nil),
            ("a=1; Domain=example", "http://e.example/", "http://e.example/", nil),
            ("a=1; Domain=f.example", "http://e.example/", "http://e.example/", nil),
            ("a=1; Domain=0.0.1", "http://127.0.0.1/", "http://127.0.0.1/", nil),
            ("a=1; Secure", "http://e.example/", "http://e.example/", nil),
            ("a=1; Secure", "http://e.example/", "https://e.example/", "a=1"),
            ("a=1; Max-Age=0", "http://e.example/", "http://e.example/", nil),
            ("a=1; Max-Age=-5", "http://e.example/", "http://e.example/", nil),
            (
                "a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "http://e.example/",
                "http://e.example/", nil
            ),
            (
                "a=1; Expires=Thu, 01-Jan-2037 00:00:00 GMT", "http://e.example/",
                "http://e.example/", "a=1"
            ),
            ("a=1; Max-Age=00", "http://e.example/", "http://e.example/", nil),
            ("a=1; Max-Age=0; Max-Age=60", "http://e.example/", "http://e.example/", "a=1"),
            ("a=", "http://e.example/", "http://e.example/", "a="),
            ("=1", "http://e.example/", "http://e.example/", nil),
            ("a", "http://e.example/", "http://e.example/", nil),
            ("", "http://e.example/", "http://e.example/", nil),
        ] as [(String, String, String, String?)]
    )
    func areSent(_ set: String, _ from: String, _ to: String, _ field: String?) {
        #expect(sent(set, from: from, to: to) == field)
    }

    /// RFC 6265 §5.2.2 and §5.3: `Max-Age` has precedence, and what is no number is ignored.
    @Test(
        arguments: [
            ("Max-Age=60", "1970", true), ("Max-Age=0", "2037", false),
            ("Max-Age=-1", "2037", false), ("Max-Age=60", "2037", true),
            ("Max-Age=x", "1970", false), ("Max-Age=x", "2037", true),
            ("Max-Age=-x", "2037", true), ("Max-Age=+0", "2037", true), ("Max-Age=", "1970", false),
        ] as [(String, String, Bool)]
    )
    func endByTheirAgeBeforeTheirDate(_ age: String, _ year: String, _ isSent: Bool) {
        let expires = "Expires=Thu, 01 Jan \(year) 00:00:00 GMT"
        for attributes in ["\(age); \(expires)", "\(expires); \(age)"] {
            let field = sent("a=1; \(attributes)", from: "http://e.example", to: "http://e.example")
            #expect(field == (isSent ? "a=1" : nil), "\(attributes)")
        }
    }

    @Test func endByTheLastDateThatCanBeRead() {
        let attributes = "Expires=Thu, 01 Jan 1970 00:00:00 GMT; Expires=soon"
        #expect(sent("a=1; \(attributes)", from: "http://e.example", to: "http://e.example") == nil)
    }

    @Test func laterOnesTakeThePlaceOfEarlierOnes() {
        var cookies = FetchCookies()
        for text in ["a=1", "b=2", "a=3", "b=; Max-Age=0"] {
            cookies.take([.setCookie: text], from: "http://e.example/", now: 0)
        }
        #expect(cookies.field(for: "http://e.example/") == "a=3")
    }

    @Test func areFewAndShort() {
        var cookies = FetchCookies()
        var fields = HTTPFields()
        for number in 0..<100 {
            fields.append(HTTPField(name: .setCookie, value: "a\(number)=1"))
        }
        for _ in 0..<3 { cookies.take(fields, from: "http://e.example/", now: 0) }
        let long = "b=" + String(repeating: "x", count: 5000)
        cookies.take([.setCookie: long], from: "http://e.example/", now: 0)
        let sent = cookies.field(for: "http://e.example/") ?? ""
        #expect(sent.split(separator: ";").count == 20)
        #expect(!sent.contains("b="))
    }
}
