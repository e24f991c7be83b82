import TestSupport
import Testing

/// RFC 9112 §3.
@Suite struct RequestLines {
    @Test(
        arguments: Subject.allCases,
        [
            "GET  /healthz HTTP/1.1", "GET /healthz  HTTP/1.1", " GET /healthz HTTP/1.1",
            "GET\t/healthz HTTP/1.1", "GET /healthz\tHTTP/1.1", "GET HTTP/1.1", "GET  HTTP/1.1",
            "GET",
            "GET ", "/healthz HTTP/1.1", "HTTP/1.1", "HTTP/1.1 200 OK", "GET /a b HTTP/1.1",
            "GET /healthz HTTP/1.1 HTTP/1.1", "GET, /healthz HTTP/1.1", "GET: /healthz HTTP/1.1",
            "G ET /healthz HTTP/1.1", "GE(T /healthz HTTP/1.1", "GE\u{0}T /healthz HTTP/1.1",
            "GÉT /healthz HTTP/1.1", "[GET] /healthz HTTP/1.1", "{} /healthz HTTP/1.1",
            "GET\u{b}/healthz HTTP/1.1", "GET\u{c}/healthz HTTP/1.1", "GET\u{a0}/healthz HTTP/1.1",
            "\u{feff}GET /healthz HTTP/1.1", "GET/healthz HTTP/1.1",
            "G=\":<>(e),[T];?\" /healthz HTTP/1.1", "\0 / HTTP/............0596.7407.",
        ]
    )
    func requestLinesThatAreMalformedAreRefused(_ subject: Subject, _ line: String) throws {
        try subject.expectRefusal(line + "\r\nHost: h\r\n\r\n")
    }

    /// RFC 9112 §3.1, RFC 9110 §9.1.
    @Test(
        arguments: Subject.allCases,
        [
            "get", "Get", "BREW", "GETX", "GE", "M-SEARCH", "!#$%&'*+-.^_`|~09", "PROPFIND",
            "TRACK",
            String(repeating: "A", count: 1000),
        ]
    )
    func requestLinesWithUnknownMethodsAreNotImplemented(_ subject: Subject, _ method: String)
        throws
    {
        let answer = try subject.answer("\(method) /healthz HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(answer.status == 501)
    }

    @Test(arguments: Subject.allCases)
    func requestLinesWithEndlessMethodsAreRefused(_ subject: Subject) throws {
        let method = String(repeating: "A", count: 100_000)
        try subject.expectRefusal("\(method) /healthz HTTP/1.1\r\nHost: h\r\n\r\n")
    }

    /// RFC 9112 §3: at least 8000 bytes; past the limit, 414.
    @Test(arguments: Subject.allCases)
    func requestLinesMayBeLongButNotAnyLength(_ subject: Subject) throws {
        let fits = String(repeating: "a", count: 8000)
        #expect(try subject.answer(Subject.get("/healthz?" + fits)).status == 200)
        for length in [25_000, 100_000, 1_000_000] {
            let long = String(repeating: "a", count: length)
            try subject.expectRefusal(Subject.get("/" + long), 414)
            try subject.expectRefusal("GET /" + long, 414)
        }
    }
}

/// RFC 9112 §3.2.
@Suite struct Targets {
    @Test(
        arguments: Subject.allCases,
        [
            "/healthz?", "/healthz?a", "/healthz?a=b&c=%20", "/healthz?a=/?b",
            "http://example.org/healthz", "HTTP://example.org/healthz", "http://other:1/healthz",
            "https://example.org/healthz", "http://[::1]:8080/healthz?x",
            "http://example.org:/healthz",
        ]
    )
    func targetsInOriginAndAbsoluteFormAreFound(_ subject: Subject, _ target: String) throws {
        #expect(try subject.answer(Subject.get(target)).status == 200)
    }

    @Test func aPathIsDecodedBeforeItIsLookedUp() throws {
        #expect(try Subject.api.answer(Subject.get("/%68ealthz")).status == 200)
    }

    @Test(
        arguments: Subject.allCases,
        [
            "*", "healthz", "a:80", "example.org", "example.org/healthz", "?a", "#", "\\healthz",
            "http:/healthz", "http://", "http:///healthz", "http://?a", "ftp://h/healthz", "://h/",
            "http://u@h/healthz", "http://u:p@h/", "http://h:port/", "http://h:65536/",
            "http://h h/",
            "http://[::1/", "http://h\\x/", "http:healthz", "/healthz#a", "/#", "/\u{0}", "/a\u{1}",
            "/a\u{7f}", "/é", "/\u{ff0f}", "/a\tb", "/a\u{b}b", "/a\u{1b}[0m", "//\u{0}",
            "/a?\u{0}",
        ]
    )
    func targetsThatAreNoneAreRefused(_ subject: Subject, _ target: String) throws {
        try subject.expectRefusal(Subject.get(target))
    }

    /// RFC 3986 §2.1, RFC 3629 §3: what comes out when a target is decoded is text.
    @Test(arguments: [
        "/%", "/%4", "/%zz", "/a?%", "/%c0%af", "/%ff", "/%ed%a0%80", "/feeds/%c3",
    ])
    func targetsThatDoNotDecodeAreBad(_ target: String) throws {
        #expect(try Subject.api.answer(Subject.get(target)).status == 400)
    }

    @Test func targetsThatOnlyDecodeToOddNamesFindNothing() throws {
        for target in ["/%00", "/%0d%0aX:%20y", "/feeds/%00", "/feeds/%2e%2e", "/..%2f..", "/.."] {
            let answer = try Subject.api.answer(Subject.get(target))
            #expect(answer.status == 404 || answer.status == 400)
            #expect(answer["x"] == nil)
        }
    }

    /// RFC 9112 §3.2.3: nothing here is a proxy.
    @Test(arguments: Subject.allCases)
    func targetsInAuthorityFormAreForConnectAlone(_ subject: Subject) throws {
        let client = try subject.connect()
        try client.send("CONNECT h:443 HTTP/1.1\r\nHost: h:443\r\n\r\n")
        #expect([400, 404, 405, 501].contains(try client.receive().status))
        for target in ["/healthz", "h", "h:", ":443", "http://h/", "*"] {
            try subject.expectRefusal("CONNECT \(target) HTTP/1.1\r\nHost: h\r\n\r\n")
        }
        try subject.expectRefusal("GET h:443 HTTP/1.1\r\nHost: h:443\r\n\r\n")
    }

    /// RFC 9112 §3.2.4.
    @Test(arguments: Subject.allCases)
    func targetsInAsteriskFormAreForOptionsAlone(_ subject: Subject) throws {
        let answer = try subject.answer("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(answer.status == 204)
        let methods = try #require(answer["allow"]).split(separator: ", ")
        // The server as a whole (RFC 9110 §9.3.7) has the methods of all its resources.
        if subject == .api { #expect(methods.contains("QUERY") && methods.contains("PATCH")) }
        for method in ["GET", "HEAD", "POST", "PUT", "DELETE"] {
            try subject.expectRefusal("\(method) * HTTP/1.1\r\nHost: h\r\n\r\n")
        }
        try subject.expectRefusal("OPTIONS ** HTTP/1.1\r\nHost: h\r\n\r\n")
    }
}

/// RFC 9112 §3.2, RFC 9110 §7.2.
@Suite struct Hosts {
    @Test(
        arguments: Subject.allCases,
        [
            "example.org", "EXAMPLE.org:80", "127.0.0.1", "[::1]", "[::1]:8080", "a_b", "a.", "x:",
            "xn--bcher-kva.example", "a-b.c", "%41", "[fe80::1]:1",
        ]
    )
    func hostsOfManyKindsAreTaken(_ subject: Subject, _ host: String) throws {
        let answer = try subject.answer("GET /healthz HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        #expect(answer.status == 200)
    }

    @Test(
        arguments: Subject.allCases,
        [
            "", " ", "\t", ":80", "a b", "a, b", "a,b", "a/b", "/", "u@a", "u:p@a", "http://a",
            "a:b",
            "a:80:80", "a:-1", "a:+1", "a:65536", "a:99999999999999999999", "a:80a", "[::1", "::1",
            "[]", "[::g]", "[::1]x", "a?b", "a#b", "a\\b", "a\tb", "a\u{0}", "é", "\"a\"", "<a>",
            "a%4",
            "a\u{7f}", "a;b c", "{a}",
        ]
    )
    func hostsThatAreNoneAreRefused(_ subject: Subject, _ host: String) throws {
        try subject.expectRefusal("GET /healthz HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        try subject.expectRefusal("HEAD http://a/healthz HTTP/1.1\r\nHost:\(host)\r\n\r\n")
    }

    @Test(
        arguments: Subject.allCases,
        [
            "", "X: y\r\n", "Hos: h\r\n", "Host_: h\r\n", "Host: a\r\nHost: a\r\n",
            "Host: a\r\nHost: b\r\n", "Host: a\r\nX: y\r\nhost: a\r\n", "Host: a\r\nHost:\r\n",
            "Host:\r\nHost: a\r\n", "Host : a\r\n", "Host\t: a\r\n", " Host: a\r\n", "Host\r\n",
        ]
    )
    func hostsAreGivenExactlyOnce(_ subject: Subject, _ fields: String) throws {
        try subject.expectRefusal("GET /healthz HTTP/1.1\r\n\(fields)\r\n")
        try subject.expectRefusal("GET http://a/healthz HTTP/1.1\r\n\(fields)\r\n")
    }

    @Test(arguments: Subject.allCases)
    func hostsAreNotNeededInOldRequestsButMustBeRight(_ subject: Subject) throws {
        let client = try subject.connect()
        try client.send("GET /healthz HTTP/1.0\r\n\r\n")
        #expect(try client.receive().status == 200)
        try subject.expectRefusal("GET /healthz HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n")
        try subject.expectRefusal("GET /healthz HTTP/1.0\r\nHost: a b\r\n\r\n")
    }

    /// RFC 9112 §3.2.2: the target's own counts.
    @Test(arguments: Subject.allCases)
    func hostsOfTheTargetAreUsedInPlaceOfTheField(_ subject: Subject) throws {
        let answer = try subject.answer(
            "GET http://other.example/healthz HTTP/1.1\r\nHost: example.org\r\n\r\n"
        )
        #expect(answer.status == 200)
    }
}
