import Testing

@testable import FeedFormats

/// RFC 3986 §5.4.
@Suite struct Addresses {
    @Test(arguments: [
        ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"),
        ("g/", "http://a/b/c/g/"),
        ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"),
        ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"),
        (";x", "http://a/b/c/;x"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
        ("..", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"),
        ("../../../g", "http://a/g"), ("/./g", "http://a/g"), ("g.", "http://a/b/c/g."),
        ("..g", "http://a/b/c/..g"), ("./g/.", "http://a/b/c/g/"), ("g;x=1/../y", "http://a/b/c/y"),
        (" g \n", "http://a/b/c/g"),
    ])
    func areResolved(_ reference: String, _ expected: String) {
        #expect(WebAddress.resolve(reference, base: "http://a/b/c/d;p?q") == expected)
    }

    @Test func stayAsTheyAreWithoutABase() {
        #expect(WebAddress.resolve("/a", base: "") == "/a")
        #expect(WebAddress.resolve("https://a/b", base: "") == "https://a/b")
    }

    @Test(arguments: [
        ("https://a/b?utm_source=x&c=1", "https://a/b?c=1"),
        ("https://a/b?fbclid=1", "https://a/b"),
        ("https://a/b?c=1", "https://a/b?c=1"),
    ])
    func loseTheirTracking(_ address: String, _ expected: String) {
        #expect(WebAddress.withoutTracking(address) == expected)
    }

    @Test(arguments: [
        ("http://a.example/b", "//a.example/b", "/b"), ("https://www.a/b//", "//a/b", "/b"),
        ("https://WWW.A/b", "//a/b", "/b"), ("http://a", "//a", nil), ("http://a/", "//a", nil),
        ("https://a/b?utm_medium=y#utm_x", "//a/b", "/b#utm_x"),
        ("https://a/b?c=1#d", "//a/b?c=1#d", "/b?c=1#d"), ("HTTPS://a/B", "//a/B", "/B"),
        ("http://ä.example/b", "//ä.example/b", "/b"), ("http://www./b", "///b", "/b"),
        ("http:///b", "///b", nil), ("/b/", "/b", nil), ("urn:x:y", "x:y", nil), ("", "", nil),
        ("http://a/b?", "//a/b?", "/b?"), ("http://a/b#", "//a/b", "/b#"),
    ])
    func haveKeysThatStayWhenASiteMoves(_ address: String, _ key: String, _ pathKey: String?) {
        #expect(WebAddress.key(address) == key)
        #expect(WebAddress.pathKey(address) == pathKey)
    }

    @Test(arguments: [
        ("http://a", true), ("HTTPS://A", true), ("http://", false), ("http:///a", false),
        ("https://?q", false), ("https://#f", false), ("http:/a", false), ("httpx://a", false),
        ("ftp://a", false), ("//a", false), ("http", false), ("", false), ("https:", false),
        ("https://é", true), ("ﬁhttp://a", false),
    ])
    func areOfTheWebOrNot(_ address: String, _ isWeb: Bool) {
        #expect(WebAddress.isWeb(address) == isWeb)
    }

    /// RFC 3986 §3.2.3.
    @Test(arguments: [
        ("http://a:80/", true), ("http://a/", true), ("http://a:/", true), ("http://[::1]:1", true),
        ("http://a:080", true), ("http://a:65535", true), ("http://a:65536", false),
        ("http://a:0", false), ("http://a:+80/", false), ("http://a:-1", false),
        ("http://[::1]:+1", false), ("http://a:x", false), ("http://:80", false),
    ])
    func haveAPortOfDigits(_ address: String, _ isWhole: Bool) {
        #expect(WebAddress.hasHostAndPort(address) == isWhole)
    }
}

/// Addresses in messages.
@Suite struct AddressesShown {
    @Test(arguments: [
        ("https://u:p@a.example:8080/x?token=s&n=1#t", "https://a.example:8080/x?token=…&n=…"),
        ("https://a.example/x", "https://a.example/x"),
        ("http://a.example/?s", "http://a.example/?…"),
        ("http://a.example?", "http://a.example?"), ("http://u:p?s@a.example/", "http:…"),
        ("http://u:p#s@a.example/", "http:…"), ("http://u:p/s@a.example/", "http:…"),
        ("postgres://u:p@h/x?password=s", "postgres://h/x?password=…"),
        ("data/feed?x=1", "data/feed?x=1"), ("javascript:s", "javascript:…"),
    ])
    func haveNoSecrets(_ address: String, _ shown: String) {
        #expect(WebAddress.shown(address) == shown)
    }

    @Test(arguments: [
        ("feed://a.example/f", "http://a.example/f"),
        ("FEED:https://a.example/", "https://a.example/"),
        ("feeds://a.example/", "https://a.example/"), ("itpc://a.example/", "http://a.example/"),
        ("pcast://a.example/", "http://a.example/"), ("https://a.example/", "https://a.example/"),
        ("feed", "feed"), ("/feed:x", "/feed:x"),
    ])
    func ofFeedReadersAreOfTheWeb(_ address: String, _ web: String) {
        #expect(WebAddress.withWebScheme(address) == web)
    }
}
