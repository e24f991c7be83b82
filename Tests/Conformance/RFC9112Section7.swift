import TestSupport
import Testing

/// RFC 9112 §7.1.
@Suite struct Chunks {
    private static let content = Subject.content

    @Test(
        arguments: Subject.allCases,
        [
            "c\r\n\(content)\r\n0\r\n\r\n", "C\r\n\(content)\r\n0\r\n\r\n",
            "0000c\r\n\(content)\r\n0000\r\n\r\n", "00000000000000c\r\n\(content)\r\n0\r\n\r\n",
            "1\r\n{\r\n5\r\n\"item\r\n6\r\ns\":[]}\r\n0\r\n\r\n",
            "c;a\r\n\(content)\r\n0;b\r\n\r\n", "c;a=b;c\r\n\(content)\r\n0\r\n\r\n",
            "c;a=\"b; \\\" c\"\r\n\(content)\r\n0\r\n\r\n", "c ;a\r\n\(content)\r\n0\r\n\r\n",
            "c; a = b ; c\r\n\(content)\r\n0\r\n\r\n", "c\t;\ta\r\n\(content)\r\n0\r\n\r\n",
            "c\r\n\(content)\r\n0\r\nX: y\r\n\r\n", "c\r\n\(content)\r\n0\r\nX: y\r\nZ:\r\n\r\n",
            "c\r\n\(content)\r\n0\r\nContent-Length: 50\r\n\r\n",
            "c\r\n\(content)\r\n0\r\nTransfer-Encoding: chunked\r\n\r\n",
            "c\r\n\(content)\r\n0\r\nHost: evil\r\nConnection: close\r\nAuthorization: no\r\n\r\n",
        ]
    )
    func chunksArePutTogether(_ subject: Subject, _ chunks: String) throws {
        try subject.expectTaken(Subject.chunked(chunks))
    }

    @Test(
        arguments: Subject.allCases,
        [
            "\r\n", "x\r\n", "g\r\n", "-1\r\n", "+c\r\n", "0xc\r\n", "0Xc\r\n", "c \r\n", " c\r\n",
            "\tc\r\n", "c\t\r\n", "1_2\r\n", "c,\r\n", "c.0\r\n", "\"c\"\r\n", "c c\r\n", "c=\r\n",
            "ｃ\r\n",
            "ch\r\n", "\u{0}c\r\n", "c\u{0}\r\n", "c\n", "c\r", "c\r\r\n", "c\n\r\n", "c\u{b}\r\n",
            "ffffffffffffffff\r\n", "10000000000000000\r\n", "1000000000000000c\r\n",
            "ffffffffffffffff0\r\n", "80000000000000000c\r\n",
            "c;\r\n", "c;;\r\n", "c; \r\n", "c;a \r\n", "c;=b\r\n", "c;a=\r\n", "c;a=\"b\r\n",
            "c;a\u{0}\r\n",
            "c;\u{0}a\r\n", "c;a\n", "c;\n", "c;a\rb\r\n", "c;a\r\r\n", "c;a=\"\n\"\r\n", "c;é\r\n",
        ]
    )
    func chunksWithBadSizesAreRefused(_ subject: Subject, _ size: String) throws {
        try subject.expectRefusal(Subject.chunked(size + Self.content + "\r\n0\r\n\r\n"))
    }

    @Test(
        arguments: Subject.allCases,
        [
            "c\r\n\(content)0\r\n\r\n", "c\r\n\(content)\n0\r\n\r\n", "c\r\n\(content)\r0\r\n\r\n",
            "c\r\n\(content)!!\r\n0\r\n\r\n", "b\r\n\(content)\r\n0\r\n\r\n",
            "d\r\n\(content)\r\n0\r\n\r\n",
            "c\r\n\(content) \r\n0\r\n\r\n", "c\r\n\(content)\r\n\r\n0\r\n\r\n",
            "c\r\n\(content)\n\r0\r\n\r\n",
            "c\r\n\(content)\r\n0\n\r\n", "c\r\n\(content)\r\n0\r\n\n",
            "c\r\n\(content)\r\n0\r\n\r\r\n",
            "c\r\n\(content)\r\n0\r\n X: y\r\n\r\n", "c\r\n\(content)\r\n0\r\nX : y\r\n\r\n",
            "c\r\n\(content)\r\n0\r\nX: y\n\r\n", "c\r\n\(content)\r\n0\r\nX: y\r\n z\r\n\r\n",
            "c\r\n\(content)\r\n0\r\nX\r\n\r\n", "c\r\n\(content)\r\n0\r\n: y\r\n\r\n",
            "c\r\n\(content)\r\n0\r\nX: a\u{0}b\r\n\r\n", "c\r\n\(content)\r\n0\r\nX: a\rb\r\n\r\n",
        ]
    )
    func chunksWithBadEndsAreRefused(_ subject: Subject, _ chunks: String) throws {
        try subject.expectRefusal(Subject.chunked(chunks))
    }

    /// Where nobody wants the body the framing counts all the same: the answer waits for it.
    @Test(arguments: Subject.allCases, ["GET", "HEAD", "POST", "OPTIONS"])
    func chunksThatNobodyWantsAreCheckedToo(_ subject: Subject, _ method: String) throws {
        let head = "\(method) /healthz HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
        let isHead = method == "HEAD"
        let answer = try subject.answer(head + "5\r\nhello\r\n0\r\nX: y\r\n\r\n", isHead: isHead)
        #expect(answer.status < 500)
        for chunks in [
            "5\r\nhello0\r\n\r\n", "x\r\n", "5\nhello\r\n0\r\n\r\n", "5\r\nhello\r\n0\r\n\n",
        ] {
            try subject.expectRefusal(head + chunks)
        }
    }

    @Test(arguments: Subject.allCases)
    func chunksWithEndlessExtensionsOrTrailersAreRefused(_ subject: Subject) throws {
        let long = String(repeating: "e", count: 70_000)
        try subject.expectRefusal(Subject.chunked("c;\(long)\r\n\(Self.content)\r\n0\r\n\r\n"))
        try subject.expectRefusal(Subject.chunked("c\r\n\(Self.content)\r\n0\r\nX: \(long)"), 431)
        let many = String(repeating: "1;a=b\r\nx\r\n", count: 2000)
        try subject.expectRefusal(Subject.chunked(many))
    }

    @Test(
        arguments: Subject.allCases,
        ["7fffffff", "ffffffff", "7fffffffffffff", "fffffffffffffff"]
    )
    func largerThanWhatIsTakenAreRefused(_ subject: Subject, _ size: String) throws {
        try subject.expectRefusal(Subject.chunked(size + "\r\n" + Self.content), 413)
    }
}
