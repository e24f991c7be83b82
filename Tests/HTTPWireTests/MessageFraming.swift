import HTTPWire
import TestSupport
import Testing

/// RFC 9112 §3.2, §6 and §9.3: what the fields mean for the message and its connection.
@Suite struct MessageFraming {
    /// The outcome of a request with these field lines, which every cut must share.
    private func outcome(_ version: String, _ lines: [String]) -> HeadOutcome {
        let text = "POST / HTTP/\(version)\r\n" + lines.map { $0 + "\r\n" }.joined() + "\r\n"
        let (whole, deviating) = outcomes(of: Array(text.utf8))
        #expect(deviating.isEmpty)
        return whole
    }

    private func head(_ version: String, _ lines: [String]) throws -> RequestHead {
        try RequestHead(
            parsing: "POST / HTTP/\(version)\r\n" + lines.map { $0 + "\r\n" }.joined() + "\r\n"
        )
    }

    @Test(arguments: [
        ("1.1", [], RequestHead.Framing.none),
        ("1.1", ["Content-Length: 0"], .length(0)),
        ("1.1", ["content-length:007"], .length(7)),
        ("1.1", ["Content-Length: \t999999999999999 "], .length(999_999_999_999_999)),
        ("1.0", ["Content-Length: 5"], .length(5)),
        ("1.1", ["Content-Length: 0000000000000000005"], .length(5)),
        ("1.1", ["Content-Length: 999999999999999"], .length(999_999_999_999_999)),
        ("1.1", ["Content-Length: 9999999999999999"], .length(RequestHead.longestBody)),
        ("1.1", ["Content-Length: 18446744073709551621"], .length(RequestHead.longestBody)),
        ("1.1", ["Transfer-Encoding: chunked"], .chunked),
        ("1.1", ["TRANSFER-ENCODING:\tChUnKeD\t"], .chunked),
    ])
    func reads(_ version: String, _ lines: [String], as framing: RequestHead.Framing) throws {
        #expect(try head(version, ["Host: h"] + lines).framing == framing)
        guard case .whole = outcome(version, ["Host: h"] + lines) else {
            Issue.record("refused")
            return
        }
    }

    @Test(arguments: [
        [""], ["+5"], ["-1"], ["5,5"], ["5, 5"], ["0x5"], ["5 5"], ["5;"], ["5", "5"], ["5", "6"],
        ["５"], ["5."], ["1e2"], ["\"5\""],
        ["chunked"], [","], ["18446744073709551621x"],
    ])
    func refusesContentLengths(_ values: [String]) {
        let lines = ["Host: h"] + values.map { "Content-Length: " + $0 }
        #expect(outcome("1.1", lines) == .refused(.invalidContentLength))
    }

    @Test(arguments: [
        ["Content-Length: 5", "Transfer-Encoding: chunked"],
        ["Transfer-Encoding: chunked", "Content-Length: 5"],
        ["Content-Length: 0", "X: y", "transfer-encoding: chunked"],
        ["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"],
        ["Transfer-Encoding: chunked", "Transfer-Encoding: identity"],
        ["Transfer-Encoding: chunked, chunked"], ["Transfer-Encoding: chunked, identity"],
        ["Transfer-Encoding: chunked, gzip"], ["Transfer-Encoding: gzip"],
        ["Transfer-Encoding: identity"], ["Transfer-Encoding: xchunked"],
        ["Transfer-Encoding: chunkedx"], ["Transfer-Encoding: x chunked"],
        ["Transfer-Encoding: chunked;q=1"], ["Transfer-Encoding: chunked;"],
        ["Transfer-Encoding: \"chunked\""], ["Transfer-Encoding: 'chunked'"],
        ["Transfer-Encoding:"], ["Transfer-Encoding: ,chunked"], ["Transfer-Encoding: chunked,"],
        ["Transfer-Encoding: ,"], ["Transfer-Encoding: gzip,,chunked"],
        ["Transfer-Encoding: gzip;a=\"x, chunked\", chunked"], ["Transfer-Encoding: ćhunked"],
        ["Transfer-Encoding: gzip", "Transfer-Encoding: chunked"],
    ])
    func refusesAmbiguousFraming(_ lines: [String]) {
        #expect(outcome("1.1", ["Host: h"] + lines) == .refused(.conflictingFraming))
    }

    @Test(arguments: [
        ("Transfer-Encoding : chunked", RequestError.invalidField),
        ("Transfer-Encoding\t: chunked", .invalidField),
        (" Transfer-Encoding: chunked", .invalidField),
        ("Transfer-Encoding: chunked\nX: y", .invalidField),
        ("Transfer-Encoding: x\n chunked", .invalidField),
        ("X: y\rTransfer-Encoding: chunked", .invalidField),
        ("Transfer-Encoding: \u{b}chunked", .invalidField),
        ("Transfer-Encoding: chunked\u{0}", .invalidField),
        ("Transfer-Encoding:\r\n chunked", .conflictingFraming),
        ("Transfer-Encoding: \u{a0}chunked", .conflictingFraming),
        ("Content-Length : 5", .invalidField),
        ("Content-Length: 5\rX", .invalidField),
        ("Content-Length: 5\u{b}", .invalidField),
    ])
    func refusesDisguisedFraming(_ line: String, with error: RequestError) {
        #expect(outcome("1.1", ["Host: h", line]) == .refused(error))
    }

    @Test func refusesTransferCodingsInOldRequests() {
        #expect(outcome("1.0", ["Transfer-Encoding: chunked"]) == .refused(.conflictingFraming))
    }

    @Test(arguments: ["gzip, chunked", "GZIP ,\tChunked", "x,y,chunked"])
    func refusesOtherTransferCodings(_ value: String) {
        #expect(
            outcome("1.1", ["Host: h", "Transfer-Encoding: " + value])
                == .refused(.unsupportedTransferCoding)
        )
    }

    @Test(arguments: [
        "a", "a.example", "a:80", "a:", "1.2.3.4:65535", "[::1]", "[::1]:80",
        "[fe80::1:2.3.4.5]", "[v1.a:b]", "%41b", "a_b~!$&'()*+;=", "A-B.c",
    ])
    func takesHosts(_ host: String) throws {
        #expect(try head("1.1", ["Host: " + host]).value(.host) == host)
    }

    @Test(arguments: [
        "", ":80", "a,b", "a, b", "a b", "a/b", "a:b", "a:80:80", "a:65536",
        "a:99999999999999999999", "[::1", "::1", "[]",
        "[:]", "[1]", "[::g]", "[::1]a", "u@a", "a%4", "a%zz", "é", "a\"b", "a?b", "a#b", "[::1]]",
        "http://a", "a\\b", "a\tb",
    ])
    func refusesHosts(_ host: String) {
        #expect(outcome("1.1", ["Host: " + host]) == .refused(.invalidHost))
        #expect(outcome("1.0", ["Host: " + host]) == .refused(.invalidHost))
    }

    @Test func wantsOneHost() {
        #expect(outcome("1.1", []) == .refused(.invalidHost))
        #expect(outcome("1.1", ["Host: a", "Host: a"]) == .refused(.invalidHost))
        #expect(outcome("1.0", ["Host: a", "host: b"]) == .refused(.invalidHost))
        let bare = outcomes(of: Array("GET http://a/ HTTP/1.1\r\n\r\n".utf8))
        #expect(bare.whole == .refused(.invalidHost))
        #expect(throws: Never.self) { try head("1.0", []) }
    }

    @Test(arguments: [
        ("1.1", [], true), ("1.1", ["keep-alive"], true), ("1.1", ["close"], false),
        ("1.1", ["CLOSE"], false), ("1.1", ["x, close ,y"], false), ("1.1", ["x", "close"], false),
        ("1.1", ["keep-alive, close"], false), ("1.1", ["closed"], true),
        ("1.1", ["\"close"], true),
        ("1.0", [], false), ("1.0", ["keep-alive"], true), ("1.0", ["Keep-Alive"], true),
        ("1.0", ["keep-alive", "close"], false), ("1.0", ["x,,keep-alive"], true),
    ])
    func decidesOnPersistence(_ version: String, _ options: [String], as expected: Bool) throws {
        let head = try head(version, ["Host: h"] + options.map { "Connection: " + $0 })
        #expect(head.isPersistent == expected)
    }

    @Test(arguments: [
        ("1.1", "100-continue", true, false), ("1.1", "100-Continue", true, false),
        ("1.0", "100-continue", false, false), ("1.1", "200-ok", false, true),
        ("1.1", "100-continue, x=1", true, true), ("1.1", "", false, false),
        ("1.1", "100-continue=1", false, true),
    ])
    func readsExpectations(
        _ version: String,
        _ value: String,
        continues: Bool,
        unknown: Bool
    ) throws {
        let head = try head(version, ["Host: h", "Expect: " + value])
        #expect(head.expectsContinue == continues)
        #expect(head.hasUnknownExpectation == unknown)
    }
}
