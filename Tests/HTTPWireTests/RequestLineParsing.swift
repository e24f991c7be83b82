import HTTPWire
import TestSupport
import Testing

/// RFC 9112 §3.
@Suite struct RequestLineParsing {
    @Test(arguments: [
        ("GET / HTTP/1.1", RequestHead.Method.get, "/", RequestHead.Version.http11),
        ("HEAD /a?b=c HTTP/1.0", .head, "/a?b=c", .http10),
        ("POST /%41;x=1,2 HTTP/1.9", .post, "/%41;x=1,2", .http11),
        ("PUT // HTTP/1.1", .put, "//", .http11),
        ("PATCH /\"<>\\^`{|} HTTP/1.1", .patch, "/\"<>\\^`{|}", .http11),
        ("DELETE /a/../b HTTP/1.1", .delete, "/a/../b", .http11),
        ("OPTIONS * HTTP/1.1", .options, "*", .http11),
        ("OPTIONS /x HTTP/1.1", .options, "/x", .http11),
        ("TRACE / HTTP/1.1", .trace, "/", .http11),
        ("CONNECT a.example:443 HTTP/1.1", .connect, "a.example:443", .http11),
        ("CONNECT [::1]:443 HTTP/1.1", .connect, "[::1]:443", .http11),
        ("GET http://a/b?c HTTP/1.1", .get, "http://a/b?c", .http11),
        ("GET HTTPS://a:8080 HTTP/1.1", .get, "HTTPS://a:8080", .http11),
        ("GET http://[::1]:1/ HTTP/1.1", .get, "http://[::1]:1/", .http11),
        ("GET http://a?b HTTP/1.1", .get, "http://a?b", .http11),
    ])
    func reads(
        _ line: String,
        as method: RequestHead.Method,
        _ target: String,
        _ version: RequestHead.Version
    ) throws {
        let text = line + "\r\nHost: h\r\n\r\n"
        let head = try RequestHead(parsing: text)
        #expect(head.method == method)
        #expect(head.methodName == String(line.prefix { $0 != " " }))
        #expect(head.string(head.target) == target)
        #expect(head.version == version)
        let (whole, deviating) = outcomes(of: Array(text.utf8))
        #expect(whole == .whole(head: summary(head), count: text.utf8.count))
        #expect(deviating.isEmpty)
    }

    @Test(arguments: ["get", "BREW", "M-SEARCH", "!#$%&'*+-.^_`|~09", "GETGETGETGETGETGET"])
    func keepsUnknownMethods(_ method: String) throws {
        let head = try RequestHead(parsing: "\(method) / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(head.method == .other)
        #expect(head.methodName == method)
    }

    @Test(arguments: [
        " GET / HTTP/1.1\r\n", "GET  / HTTP/1.1\r\n", "GET /  HTTP/1.1\r\n",
        "GET / HTTP/1.1 \r\n", "GET\t/ HTTP/1.1\r\n", "GET / HTTP/1.1\n", "GET / HTTP/1.1\r\r\n",
        "GET /\r\n", "GET /\n", "GET\r\n", "GET / \r\n", "GET / HTTP/1.10\r\n",
        "GET / HTTP/1\r\n", "GET / HTTP/.1\r\n", "GET / HTTP/1,1\r\n", "GET / http/1.1\r\n",
        "GET / HTTPS/1.1\r\n", "GET / ICY/1.1\r\n", "GET / HTTP/11.1\r\n", "GET / HTTP/ 1.1\r\n",
        "GET / HTTP/A.1\r\n", "G\u{0}T / HTTP/1.1\r\n", "G(T / HTTP/1.1\r\n", "GE:T / HTTP/1.1\r\n",
        "\u{16}\u{3}\u{1}", "\n", "\rG", "\r\n\n", "GÉT / HTTP/1.1\r\n",
        "GET / x HTTP/1.1\r\n", "\r\n GET", "GET / HTTP/2\r\n",
    ])
    func refusesWhatIsNoRequestLine(_ text: String) {
        let (whole, deviating) = outcomes(of: Array(text.utf8))
        #expect(whole == .refused(.invalidRequestLine))
        #expect(deviating.isEmpty)
    }

    @Test(arguments: [
        "GET /a\u{0} HTTP/1.1\r\n", "GET /a\t HTTP/1.1\r\n", "GET /a\u{7f} HTTP/1.1\r\n",
        "GET /a\u{b}\r\n", "GET /é\r\n", "GET /#a HTTP/1.1\r\n", "GET #\n",
        "GET a HTTP/1.1\r\n", "GET * HTTP/1.1\r\n", "OPTIONS ** HTTP/1.1\r\n",
        "GET ftp://a/ HTTP/1.1\r\n", "GET http:/a HTTP/1.1\r\n", "GET http:///a HTTP/1.1\r\n",
        "GET http:// HTTP/1.1\r\n", "GET http://u@a/ HTTP/1.1\r\n",
        "GET http://u:p@a/ HTTP/1.1\r\n",
        "GET http://a:b/ HTTP/1.1\r\n", "GET http://a:65536/ HTTP/1.1\r\n",
        "GET http://[::1/ HTTP/1.1\r\n", "GET http://a\\b/ HTTP/1.1\r\n",
        "GET http://?a HTTP/1.1\r\n", "GET ?a HTTP/1.1\r\n", "GET a:443 HTTP/1.1\r\n",
        "CONNECT / HTTP/1.1\r\n", "CONNECT a HTTP/1.1\r\n", "CONNECT a: HTTP/1.1\r\n",
        "CONNECT :443 HTTP/1.1\r\n", "CONNECT http://a/ HTTP/1.1\r\n",
        "CONNECT a:1:2 HTTP/1.1\r\n", "connect a:443 HTTP/1.1\r\n",
    ])
    func refusesWhatIsNoTarget(_ text: String) {
        let (whole, deviating) = outcomes(of: Array(text.utf8))
        #expect(whole == .refused(.invalidTarget))
        #expect(deviating.isEmpty)
    }

    @Test(arguments: ["2.0", "0.9", "3.1", "9.9"])
    func refusesOtherMajorVersions(_ version: String) {
        let (whole, deviating) = outcomes(of: Array("PRI * HTTP/\(version)\r\n".utf8))
        #expect(whole == .refused(.unsupportedVersion))
        #expect(deviating.isEmpty)
    }

    @Test func skipsAFewEmptyLines() {
        let text = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"
        let lead = String(repeating: "\r\n", count: 8)
        let (whole, deviating) = outcomes(of: Array((lead + text).utf8))
        guard case .whole(let head, let count) = whole else {
            Issue.record("\(whole)")
            return
        }
        #expect(head.hasSuffix(text))
        #expect(count == text.utf8.count + 16)
        #expect(deviating.isEmpty)
        #expect(
            outcomes(of: Array((lead + "\r\n" + text).utf8)).whole
                == .refused(.invalidRequestLine)
        )
    }

    @Test func boundsTheMethod() {
        let fits = String(repeating: "A", count: 1 << 10) + " / HTTP/1.1\r\nHost: h\r\n\r\n"
        #expect(throws: Never.self) { try RequestHead(parsing: fits) }
        let (whole, deviating) = outcomes(of: Array(("A" + fits).utf8))
        #expect(whole == .refused(.invalidRequestLine))
        #expect(deviating.isEmpty)
    }

    @Test func boundsTheTarget() {
        let limits = HeadLimits(target: 10)
        let fits = Array("GET /123456789 HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
        let (whole, deviating) = outcomes(of: fits, limits: limits)
        #expect(whole != .refused(.targetTooLong(limit: 10)))
        #expect(deviating.isEmpty)
        let tooLong = outcomes(of: Array("GET /123456789a HTTP/1.1\r\n".utf8), limits: limits)
        #expect(tooLong.whole == .refused(.targetTooLong(limit: 10)))
        #expect(tooLong.deviating.isEmpty)
        #expect(
            outcome(of: [Array("GET /123456789\u{1} HTTP/1.1\r\n".utf8)], limits: limits)
                == .refused(.invalidTarget)
        )
    }

    @Test(arguments: [
        ("GET /", RequestError.targetTooLong(limit: 10)), ("GET /#", .invalidTarget),
        ("GET / ", .invalidRequestLine), ("GET /12345678 HTTP/1.1\r", .invalidRequestLine),
        ("GET /123456789 HTTP/1.1\r", .invalidRequestLine), ("G(T ", .invalidRequestLine),
    ])
    func refusesALineAtItsLimitBeforeItEnds(_ start: String, _ error: RequestError) {
        // A method with its space, a target at its limit, and a version.
        expectRefusal(start, at: 4 + 10 + 11, error)
    }

    @Test(arguments: ["A", "A\u{0}"])
    func refusesAMethodAtItsLimitBeforeItEnds(_ start: String) {
        expectRefusal(start, at: 1024 + 1, .invalidRequestLine)
    }

    /// Expects that a line which goes on with "x" is refused when it has so many bytes.
    private func expectRefusal(_ start: String, at count: Int, _ error: RequestError) {
        let limits = HeadLimits(target: 10)
        let filling = [UInt8](repeating: UInt8(ascii: "x"), count: count - start.utf8.count)
        let bytes = Array(start.utf8) + filling
        #expect(outcome(of: [bytes.dropLast()], limits: limits) == .midway)
        for rest in ["", "x", "\r\n", String(repeating: "x", count: 3000) + "\n"] {
            let whole = outcome(of: [bytes + Array(rest.utf8)], limits: limits)
            #expect(whole == .refused(error))
            let single = (bytes + Array(rest.utf8)).map { [$0] }
            #expect(outcome(of: single, limits: limits) == whole)
        }
        // A head's limit may be the lower one.
        let lower = HeadLimits(target: 10, head: count)
        for parts in [[bytes], bytes.map { [$0] }, [bytes + bytes]] {
            #expect(outcome(of: parts, limits: lower) == .refused(.headTooLarge(limit: count)))
        }
    }

    @Test(arguments: [
        "G\u{0}", "GET  /", "GET /\u{0}", "GET / HTTQ", "GET / HTTP/1.1\rX",
        "GET / HTTP/1.1\r\nHost : ", "GET / HTTP/1.1\r\nHost: h\r\nX: \u{0}",
        "GET / HTTP/1.1\r\nHost: h\r\n\rX",
    ])
    func looksAtALineWhenItHasEnded(_ text: String) {
        let (whole, deviating) = outcomes(of: Array(text.utf8))
        #expect(whole == .midway)
        #expect(deviating.isEmpty)
        let ended = outcomes(of: Array((text + "\n").utf8))
        #expect(ended.deviating.isEmpty)
        guard case .refused = ended.whole else {
            Issue.record("\(ended.whole)")
            return
        }
    }

    @Test(arguments: ["\u{16}", "\u{0}", " ", "\n", "\u{80}", "(", "\rG", "\r\r", "\r\n\u{16}"])
    func refusesAtOnceAByteThatBeginsNoRequest(_ text: String) {
        let (whole, deviating) = outcomes(of: Array(text.utf8))
        #expect(whole == .refused(.invalidRequestLine))
        #expect(deviating.isEmpty)
    }
}
