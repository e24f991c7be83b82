import TestSupport
import Testing

/// RFC 9112 §6.2 and §6.3, RFC 9110 §8.6.
@Suite struct ContentLengths {
    @Test(
        arguments: Subject.allCases,
        [
            "Content-Length: 12", "content-length:12", "CONTENT-LENGTH: 12",
            "Content-Length: \t12 \t",
            "Content-Length: 012", "Content-Length: 000000000012",
        ]
    )
    func contentLengthsSayHowMuchIsRead(_ subject: Subject, _ line: String) throws {
        try subject.expectTaken(Subject.put(line, Subject.content))
    }

    @Test(
        arguments: Subject.allCases,
        [
            "", " ", "+12", "-1", "-0", "-12", "1 2", "12;", "12,", ",12", "12, 12", "12,12",
            "12, 13",
            "0x0c", "0xC", "c", "1e1", "12.0", "1_2", "0o14", "12\u{0}", "１２", "twelve", "\"12\"",
            "'12'",
            "12 bytes", "4294967308x", "12\u{b}", "\u{b}12", "12\u{a0}", "chunked", "NaN", "∞",
        ]
    )
    func contentLengthsThatAreNoNumbersAreRefused(_ subject: Subject, _ value: String) throws {
        let line = "Content-Length: " + value
        try subject.expectRefusal(Subject.put(line, Subject.content))
        try subject.expectRefusal(Subject.get("/healthz", line + "\r\n"))
    }

    @Test(
        arguments: Subject.allCases,
        [
            ["12", "12"], ["12", "13"], ["0", "12"], ["12", "0"], ["12", "x"], ["x", "12"],
            ["", "12"],
        ]
    )
    func contentLengthsAreGivenOnce(_ subject: Subject, _ values: [String]) throws {
        let lines = values.map { "Content-Length: " + $0 }
        try subject.expectRefusal(Subject.put(lines.joined(separator: "\r\n"), Subject.content))
        let apart = lines.joined(separator: "\r\nX: y\r\n")
        try subject.expectRefusal(Subject.put(apart, Subject.content))
    }

    @Test(arguments: Subject.allCases)
    func contentLengthsOfZeroOrNoneMeanNoContent(_ subject: Subject) throws {
        for framing in ["Content-Length: 0\r\n", "Content-Length: 00\r\n", ""] {
            for method in ["GET", "HEAD", "POST", "DELETE", "OPTIONS"] {
                let answer = try subject.answer(
                    "\(method) /healthz HTTP/1.1\r\nHost: h\r\n\(framing)\r\n",
                    isHead: method == "HEAD"
                )
                #expect(answer.status < 500)
            }
        }
    }

    /// What a handler has no use for is still no next request.
    @Test(
        arguments: Subject.allCases,
        ["GET", "HEAD", "POST", "DELETE", "OPTIONS", "TRACE", "BREW"]
    )
    func contentLengthsCountForEveryMethod(_ subject: Subject, _ method: String) throws {
        let hidden = Subject.get("/problems/nothing")
        let answer = try subject.answer(
            """
            \(method) /healthz HTTP/1.1\r\nHost: h\r\nContent-Length: \(hidden.utf8.count)\r\n\r
            \(hidden)
            """,
            isHead: method == "HEAD"
        )
        #expect(answer.status != 404)
    }

    @Test(
        arguments: Subject.allCases,
        [
            "999999999999999", "1000000000000000", "9223372036854775808", "18446744073709551628",
            "99999999999999999999",
        ]
    )
    func contentLengthsThatExceedWhatIsTakenAreRefusedAtOnce(
        _ subject: Subject,
        _ length: String
    ) throws {
        let client = try subject.connect()
        try client.send(Subject.put("Content-Length: \(length)", ""))
        let refusal = try client.receive()
        #expect(refusal.status == 413)
        #expect(refusal["connection"] == "close")
        #expect(try client.isEnded())
    }
}

/// RFC 9112 §6.1 and §6.3.
@Suite struct TransferCodings {
    private static let chunks = "c\r\n\(Subject.content)\r\n0\r\n\r\n"

    @Test(
        arguments: Subject.allCases,
        [
            "Transfer-Encoding: chunked", "transfer-encoding:chunked", "TRANSFER-ENCODING: CHUNKED",
            "Transfer-Encoding: \tChunked \t",
        ]
    )
    func transferCodingsAreChunkedInAnyCase(_ subject: Subject, _ line: String) throws {
        try subject.expectTaken(Subject.put(line, Self.chunks))
    }

    @Test(
        arguments: Subject.allCases,
        [
            "", ",", "identity", "xchunked", "chunkedx", "chunke", "x chunked", "chunked x", "gzip",
            "chunked, identity", "chunked, gzip", "chunked, chunked", "chunked,", ",chunked",
            "chunked;q=1", "chunked;", "chunked; ext=val", "\"chunked\"", "'chunked'",
            "chunked\u{0}",
            "\u{b}chunked", "\u{c}chunked", "chunked\u{b}", "chun ked", "chun\tked", "ｃhunked",
            "chunĸed", "c\u{0}hunked", "[chunked]", "chunked\r", "identity, chunked, identity",
            "\u{a0}chunked", "gzip, deflate", "=chunked", "chunked=", "cow", "chunked, cow",
        ]
    )
    func transferCodingsThatLeaveTheEndOpenAreRefused(_ subject: Subject, _ value: String) throws {
        let line = "Transfer-Encoding: " + value
        try subject.expectRefusal(Subject.put(line, Self.chunks))
        try subject.expectRefusal(Subject.get("/healthz", line + "\r\n"))
    }

    @Test(
        arguments: Subject.allCases,
        [
            "gzip, chunked", "GZIP,chunked", "deflate, chunked", "identity, chunked",
            "cow, chunked",
        ]
    )
    func transferCodingsThatNobodyKnowsAreNotImplemented(_ subject: Subject, _ value: String) throws
    {
        try subject.expectRefusal(Subject.put("Transfer-Encoding: " + value, Self.chunks), 501)
    }

    @Test(
        arguments: Subject.allCases,
        [
            "Content-Length: 12\r\nTransfer-Encoding: chunked",
            "Transfer-Encoding: chunked\r\nContent-Length: 12",
            "Transfer-Encoding: chunked\r\nContent-Length: 0",
            "Content-Length: 0\r\nTransfer-Encoding: chunked",
            "Transfer-Encoding: chunked\r\nX: y\r\nContent-Length: 5",
            "transfer-encoding: chunked\r\ncontent-length: 5",
            "Content-Length: 12\r\nTransfer-Encoding: identity",
            "Content-Length: 12\r\nTransfer-Encoding: xchunked",
            "Content-Length: 12\r\nTransfer-Encoding:",
            "Content-Length: 12\r\nTransfer-Encoding: \u{b}chunked",
            "Content-Length: 12\r\nTransfer-Encoding: gzip, chunked",
            "Content-Length: 12\r\nTransfer-Encoding:\r\n chunked",
            "Content-Length: +12\r\nTransfer-Encoding: chunked",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
            "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked",
            "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked",
            "Transfer-Encoding: cow\r\nTransfer-Encoding: chunked",
            "Transfer-Encoding : chunked", " Transfer-Encoding: chunked",
            "Transfer-Encoding\t: chunked",
            "X: y\rTransfer-Encoding: chunked", "X: y\nTransfer-Encoding: chunked",
            "\u{0}Transfer-Encoding: chunked", "Transfer-Encoding\u{0}: chunked",
        ]
    )
    func transferCodingsThatConflictAreRefusedAndNothingIsSmuggled(
        _ subject: Subject,
        _ framing: String
    ) throws {
        try subject.expectRefusal(Subject.put(framing, Self.chunks))
        try subject.expectRefusal(Subject.put(framing, "0\r\n\r\n" + Subject.get()))
    }

    @Test(arguments: Subject.allCases, ["", "Content-Length: 12\r\n"])
    func transferCodingsAreUnknownToOldRequests(_ subject: Subject, _ length: String) throws {
        try subject.expectRefusal(
            """
            PUT /feeds/conformance HTTP/1.0\r\nHost: h\r\nConnection: keep-alive\r
            \(length)Transfer-Encoding: chunked\r\n\r\n\(Self.chunks)
            """
        )
    }
}
