import TestSupport
import Testing

/// RFC 9112 §2.2: message parsing.
@Suite struct LineEnds {
    @Test(
        arguments: Subject.allCases,
        [
            "GET /healthz HTTP/1.1\nHost: h\r\n\r\n", "GET /healthz HTTP/1.1\r\nHost: h\n\r\n",
            "GET /healthz HTTP/1.1\r\nHost: h\r\n\n", "GET /healthz HTTP/1.1\nHost: h\n\n",
            "GET /healthz HTTP/1.1\rHost: h\r\r\n",
            "GET /healthz HTTP/1.1\r\nHost: h\rX: y\r\n\r\n",
            "GET /healthz HTTP/1.1\r\r\nHost: h\r\n\r\n",
            "GET /healthz HTTP/1.1\r\nHost: h\r\r\n\r\n",
            "GET /healthz HTTP/1.1\r\nHost: h\r\n\r\r\n",
            "GET /healthz HTTP/1.1\r\nHost: h\n\r\r\n\r\n",
            "GET /\rhealthz HTTP/1.1\r\nHost: h\r\n\r\n",
            "GET\r/healthz HTTP/1.1\r\nHost: h\r\n\r\n",
            "GET /healthz\r HTTP/1.1\r\nHost: h\r\n\r\n",
            "GET /healthz\n HTTP/1.1\r\nHost: h\r\n\r\n",
        ]
    )
    func lineEndsAreBothBytesOrTheRequestIsRefused(_ subject: Subject, _ text: String) throws {
        try subject.expectRefusal(text)
    }

    @Test(arguments: Subject.allCases, 1...8)
    func lineEndsMaySomeTimesPrecedeARequest(_ subject: Subject, _ count: Int) throws {
        let lead = String(repeating: "\r\n", count: count)
        let client = try subject.connect()
        for _ in 0..<2 {
            try client.send(lead + Subject.get())
            #expect(try client.receive().status == 200)
        }
    }

    @Test(
        arguments: Subject.allCases,
        [
            String(repeating: "\r\n", count: 9), "\n", "\r", "\r\r\n", "\n\r\n", " \r\n", "\t\r\n",
            "\r\n\n", "\r\n \r\n", "   \r\n\r\n", "\0\r\n",
        ]
    )
    func lineEndsOfOtherKindsMayNotPrecedeARequest(_ subject: Subject, _ lead: String) throws {
        try subject.expectRefusal(lead + Subject.get())
    }

    @Test(
        arguments: Subject.allCases,
        [
            "GET /healthz HTTP/1.1\r\n Host: h\r\n\r\n",
            "GET /healthz HTTP/1.1\r\n\tHost: h\r\n\r\n",
            "GET /healthz HTTP/1.1\r\n \r\nHost: h\r\n\r\n",
            "GET /healthz HTTP/1.1\r\n X: y\r\nHost: h\r\n\r\n",
        ]
    )
    func lineEndsAreNotFollowedByWhiteSpaceBeforeTheFirstField(_ subject: Subject, _ text: String)
        throws
    {
        try subject.expectRefusal(text)
    }

    @Test(arguments: Subject.allCases)
    func lineEndsAreMissingInWhatIsNoHTTPAtAll(_ subject: Subject) throws {
        var random = SeededGenerator(seed: 42)
        for _ in 0..<20 {
            let garbage = (0..<256).map { _ in UInt8.random(in: 0...255, using: &random) }
            try subject.expectRefusal([0] + garbage)
        }
        // The beginning of a TLS handshake.
        try subject.expectRefusal([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3])
    }
}

/// RFC 9112 §2.3.
@Suite struct Versions {
    @Test(
        arguments: Subject.allCases,
        [
            ("HTTP/1.0", true), ("HTTP/1.1", false), ("HTTP/1.2", false), ("HTTP/1.9", false),
        ]
    )
    func versionsOfOneAreAnswered(_ subject: Subject, _ known: (version: String, ends: Bool)) throws
    {
        let client = try subject.connect()
        try client.send("GET /healthz \(known.version)\r\nHost: h\r\n\r\n")
        #expect(try client.receive().status == 200)
        if known.ends { #expect(try client.isEnded()) }
    }

    @Test(arguments: Subject.allCases, ["HTTP/2.0", "HTTP/0.9", "HTTP/3.0", "HTTP/9.9"])
    func versionsOfOtherMajorNumbersAreNotSupported(_ subject: Subject, _ version: String) throws {
        try subject.expectRefusal("GET /healthz \(version)\r\nHost: h\r\n\r\n", 505)
        try subject.expectRefusal("HEAD /healthz \(version)\r\nHost: h\r\n\r\n", 505)
    }

    @Test(
        arguments: Subject.allCases,
        [
            "http/1.1", "Http/1.1", "HTTP/1", "HTTP/1.", "HTTP/.1", "HTTP/", "HTTP", "HTTP/01.01",
            "HTTP/1.01", "HTTP/1.10", "HTTP/11.1", "HTTP/ 1.1", "HTTP /1.1", "HTTP/1 .1",
            "HTTP/1.1 ",
            "HTTP/1.1\t", "HTTP/1.1.1", "HTTP/1,1", "HTTP-1.1", "HTTP/+1.1", "HTTP/1.-1",
            "HTTP/1.x",
            "HTTP/1.32", "HTTP/4294967295.255", "HTTP/\r\r1.1", "HTTP/1.1\0", "HTTP/1.1\u{b}",
            "HTTP/2", "HTTPS/1.1", "XHTTP/1.1", "ICAP/1.0", "HTTP\\1.1", "\"HTTP/1.1\"", "HTTP/１.1",
        ]
    )
    func versionsThatAreNoneAreRefused(_ subject: Subject, _ version: String) throws {
        try subject.expectRefusal("GET /healthz \(version)\r\nHost: h\r\n\r\n")
    }

    @Test(arguments: Subject.allCases)
    func versionsAreThereInEveryRequest(_ subject: Subject) throws {
        try subject.expectRefusal("GET /healthz\r\n\r\n")
        try subject.expectRefusal("GET /healthz \r\n\r\n")
        try subject.expectRefusal("GET /healthz\r\nHost: h\r\n\r\n")
    }

    /// RFC 9113 §3.4.
    @Test(arguments: Subject.allCases)
    func versionsAreNotNegotiatedByAPreface(_ subject: Subject) throws {
        try subject.expectRefusal("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505)
    }
}
