import TestSupport
import Testing

/// RFC 9112 §11.2: bytes that some readers take for white space, or drop, or end a text at.
@Suite struct StrayBytes {
    /// `@` stands for the byte.
    @Test(
        arguments: Subject.allCases,
        [
            "GET@ /healthz HTTP/1.1\r\nHost: h\r\n\r\n",
            "@GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n",
            "GET @/healthz HTTP/1.1\r\nHost: h\r\n\r\n",
            "GET /heal@thz HTTP/1.1\r\nHost: h\r\n\r\n",
            "GET /healthz@ HTTP/1.1\r\nHost: h\r\n\r\n",
            "GET /healthz?@ HTTP/1.1\r\nHost: h\r\n\r\n",
            "GET /healthz @HTTP/1.1\r\nHost: h\r\n\r\n",
            "GET /healthz HTTP/1.1@\r\nHost: h\r\n\r\n",
            "GET /healthz HTTP/1.1\r\n@Host: h\r\n\r\n",
            "GET /healthz HTTP/1.1\r\nHost@: h\r\n\r\n",
            "GET /healthz HTTP/1.1\r\nHost: h@\r\n\r\n",
            "GET /healthz HTTP/1.1\r\nHost: @h\r\n\r\n",
            "GET /healthz HTTP/1.1\r\nHost: h\r\nX@: y\r\n\r\n",
            "GET /healthz HTTP/1.1\r\nHost: h\r\n@\r\n\r\n",
            Subject.put("Content-Length@: 12", Subject.content),
            Subject.put("Content-@Length: 12", Subject.content),
            Subject.put("Content-Length: @12", Subject.content),
            Subject.put("Content-Length: 1@2", Subject.content),
            Subject.put("Content-Length: 12@", Subject.content),
            Subject.put("Transfer-Encoding@: chunked", "0\r\n\r\n"),
            Subject.put("Transfer-Encoding: @chunked", "0\r\n\r\n"),
            Subject.put("Transfer-Encoding: chunked@", "0\r\n\r\n"),
            Subject.chunked("@c\r\n\(Subject.content)\r\n0\r\n\r\n"),
            Subject.chunked("c@\r\n\(Subject.content)\r\n0\r\n\r\n"),
            Subject.chunked("c;@a\r\n\(Subject.content)\r\n0\r\n\r\n"),
            Subject.chunked("c\r\n\(Subject.content)@\r\n0\r\n\r\n"),
            Subject.chunked("c\r\n\(Subject.content)\r\n@0\r\n\r\n"),
            Subject.chunked("c\r\n\(Subject.content)\r\n0@\r\n\r\n"),
            Subject.chunked("c\r\n\(Subject.content)\r\n0\r\n@\r\n"),
            Subject.chunked("c\r\n\(Subject.content)\r\n0\r\nX@: y\r\n\r\n"),
        ]
    )
    func strayBytesAreNeverPassedOver(_ subject: Subject, _ template: String) throws {
        for byte: UInt8 in [0, 0x01, 0x0b, 0x0c, 0x1c, 0x1f, 0x7f, 0x80, 0x85, 0xa0, 0xff] {
            let bytes = template.utf8.map { $0 == UInt8(ascii: "@") ? byte : $0 }
            try subject.expectRefusal(bytes)
        }
    }
}

/// RFC 9112 §11.2: what looks like a request in the middle of another is none.
@Suite struct SmuggledRequests {
    private static let hidden = "GET /problems/nothing HTTP/1.1\r\nHost: h\r\n\r\n"

    private static let post = "POST /healthz HTTP/1.1\r\nHost: h\r\n"
    private static let chunked = post + "Transfer-Encoding: chunked\r\n\r\n"

    /// The first of the two readings is right, and there is no second.
    @Test(
        arguments: Subject.allCases,
        [
            "\(post)Content-Length: \(hidden.utf8.count)\r\n\r\n\(hidden)",
            "\(post)Content-Length: 6\r\n\r\n0\r\n\r\nX",
            "\(post)Content-Length: 5\r\n\r\n0\r\n\r\n",
            "\(post)Content-Length: 34\r\n\r\nGET /problems/nothing HTTP/1.1\r\nX:",
            "\(post)Content-Length: 4\r\n\r\n\r\n\r\n",
            "\(chunked)30\r\n0\r\n\r\n\(hidden)\r\n0\r\n\r\n",
            "\(chunked)0\r\nX:POST /problems HTTP/1.1\r\n\r\n",
            "\(chunked)0\r\nContent-Length: 41\r\n\r\n",
            "\(chunked)2;a=\"0\\\"\"\r\n0\r\r\n0\r\n\r\n",
        ]
    )
    func smuggledRequestsAreContent(_ subject: Subject, _ request: String) throws {
        #expect(try subject.answer(request).status == 405)
    }

    /// Other readers have gone on behind one of these.
    @Test(
        arguments: Subject.allCases,
        [
            "\(post)Transfer-\r\nEncoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
            "\(post)Transfer-Encoding\r\n: chunked\r\n\r\n0\r\n\r\n",
            "\(post)Transfer-Encoding: ,chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
            "\(post)Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "\(post)Transfer-Encoding: blegh\r\n\r\n1\r\nZ\r\n0\r\n\r\n",
            "\(post)Content-Length: \r\nContent-Length: 43\r\n\r\n\(hidden)",
            "\(post)Content-Length: \r\n\r\n\(hidden)",
            "\(post)Content-Length: +1_0\r\n\r\n0123456789",
            "\(post)Content-Length 10\r\n\r\n0123456789", "\(post)Content-Length: -48\r\n\r\n",
            "\(post):\r\nI: am chopped off\r\n\r\n", "\(post)Useless:\n\n\(hidden)",
            "\(post)\rZGET /evil: HTTP/1.1\r\nHost: h\r\n\r\n", "\(post)Te\nst: test\r\n\r\n",
            "\(post)Visible: :/\rSmuggled: :)\r\n\r\n",
            "\(chunked)0_2e\r\n\r\n\(hidden)",
            "\(chunked)\r\n\r\n\(hidden)",
            "\(chunked)5\r\r;ABCD\r\n34\r\nE\r\n0\r\n\r\n\(hidden)",
            "\(chunked)2\r\r;a\r\n02\r\n41\r\n0\r\n\r\n\(hidden)",
            "\(chunked)1these-bytes-are-none\r\nZ\r\n0\r\n\r\n",
            "\(chunked)INVALID!!!\r\n\(hidden)",
            "\(chunked)1\r0\n", "GET /\nHTTP/1.1\r\nHost: h\r\n\r\n",
            "\(chunked)0\r\nXX\(hidden)",
        ]
    )
    func smuggledRequestsAreNotFoundBehindErrors(_ subject: Subject, _ request: String) throws {
        try subject.expectRefusal(request)
    }

    /// RFC 9112 §11.1: no text of a request ends a line of an answer.
    @Test(arguments: [
        Subject.get("/%0d%0aX-Split:%20y"), Subject.get("/feeds/%0d%0aX-Split:%20y"),
        Subject.get("/feeds/a?since=%0d%0aX-Split:%20y"), Subject.get("/feeds?%0d%0aX-Split=y"),
        Subject.get("/healthz", "Origin: http://h%0d%0aX-Split:%20y\r\n"),
        Subject.get("/healthz", "If-None-Match: \"%0d%0aX-Split: y\"\r\n"),
        "OPTIONS /feeds/a HTTP/1.1\r\nHost: h\r\nOrigin: http://h\r\n"
            + "Access-Control-Request-Method: %0d%0aX-Split:\r\n\r\n",
    ])
    func smuggledRequestsAreNotMadeOfAnswers(_ request: String) throws {
        let answer = try Subject.api.answer(request)
        #expect(answer["x-split"] == nil)
        #expect(answer.fields.allSatisfy { !$0.value.contains("\r") && !$0.value.contains("\n") })
    }
}

/// What other protocols begin with is refused at once, whatever follows.
@Suite struct OtherProtocols {
    @Test(
        arguments: Subject.allCases,
        [
            "PROXY TCP4 192.0.2.1 192.0.2.2 56324 443\r\n", "PROXY UNKNOWN\r\n",
            "\r\n\r\n\0\r\nQUIT\n\u{21}\u{11}\0\u{c}", "SSH-2.0-OpenSSH_9.9\r\n",
            "EHLO example.org\r\n", "USER anonymous\r\n", "*1\r\n$4\r\nPING\r\n", "stats\r\n",
            "OPTIONS rtsp://h/ RTSP/1.0\r\n", "REGISTER sip:h SIP/2.0\r\n", "HELP\n",
            "\u{5}\u{1}\0", "{\"method\":\"GET\"}\n", "<?xml version=\"1.0\"?>\n", "\0\0\0\u{12}",
            "ICY 200 OK\r\n", "GET / HTTP/3\r\n", "HTTP/1.1 400 Bad Request\r\n\r\n",
        ]
    )
    func otherProtocolsAreRefused(_ subject: Subject, _ start: String) throws {
        try subject.expectRefusal(start)
    }
}
