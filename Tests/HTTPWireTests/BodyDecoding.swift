import HTTPWire
import TestSupport
import Testing

/// What a decoder said about some bytes.
private enum BodyOutcome: Equatable {
    case whole(String, count: Int)
    case midway(String)
    case refused(RequestError)
}

private func outcome(
    of parts: [[UInt8]],
    framing: RequestHead.Framing,
    limit: Int
) -> BodyOutcome {
    var decoder = BodyDecoder(framing, limit: limit)
    var body: [UInt8] = []
    var count = 0
    do throws(RequestError) {
        for part in parts {
            let result = try decoder.decode(part.span, into: &body)
            count += result.count
            if result.isComplete {
                return .whole(String(decoding: body, as: UTF8.self), count: count)
            }
        }
    } catch {
        return .refused(error)
    }
    return .midway(String(decoding: body, as: UTF8.self))
}

/// The outcome of `text`, which every cut must share.
private func outcome(
    of text: String,
    framing: RequestHead.Framing = .chunked,
    limit: Int = 100
) -> BodyOutcome {
    let bytes = Array(text.utf8)
    let whole = outcome(of: [bytes], framing: framing, limit: limit)
    for parts in cuts(of: bytes) where !bytes.isEmpty {
        #expect(outcome(of: parts, framing: framing, limit: limit) == whole)
    }
    return whole
}

/// RFC 9112 §7.1.
@Suite struct ChunkedDecoding {
    @Test(arguments: [
        ("0\r\n\r\n", ""), ("000\r\n\r\n", ""), ("5\r\nhello\r\n0\r\n\r\n", "hello"),
        ("1\r\na\r\n2\r\nbc\r\n0\r\n\r\n", "abc"), ("A\r\n0123456789\r\n0\r\n\r\n", "0123456789"),
        ("a\r\n\r\n\r\n\r\n\r\n\r\n\r\n0\r\n\r\n", "\r\n\r\n\r\n\r\n\r\n"),
        ("000000000000001\r\na\r\n0\r\n\r\n", "a"), ("1;a\r\nx\r\n0\r\n\r\n", "x"),
        ("1;a=b;c=\"d;\\\" \té\";e\r\nx\r\n0;f=\"\"\r\n\r\n", "x"),
        ("1 ;a\r\nx\r\n0\t; a =\t\"b\" ;c = d ; e\r\n\r\n", "x"),
        ("1; a ;b\r\nx\r\n0\r\n\r\n", "x"),
        ("0\r\nA: b\r\nC:\r\nD: \"é\t\r\n\r\n", ""), ("0\r\nContent-Length: 5\r\n\r\n", ""),
    ])
    func reads(_ text: String, as body: String) {
        #expect(outcome(of: text) == .whole(body, count: text.utf8.count))
        let more = outcome(of: text + "GET / HTTP/1.1")
        #expect(more == .whole(body, count: text.utf8.count))
    }

    @Test(arguments: [
        "\r\n", "g\r\n", "+1\r\n", "-1\r\n", "0x1\r\n", " 1\r\n", "1 \r\n", "1\t\r\n", "1 a\r\n",
        "1\n", "1\ra", "1\r\r", ";a\r\n", "1;\r\n", "1;;a\r\n", "1; \r\n", "1;a \r\n", "1;a=b \r\n",
        "1;a b\r\n", "1;a=b c\r\n", "1;a=b =c\r\n", "1;a = \r\n", "1;a=\r\n",
        "1;a=\"b\" \r\n", "1 1\r\n", "1 =a\r\n", "1;=b\r\n", "1;a=b=c\r\n", "1;a=\"b\r\n",
        "1;a=\"b\"c\r\n",
        "1;a=\"\\\r\n", "1;a\n", "1;a\rx", "1;a=\"b\n\"", "1;a=\"\n", "1;a=\"\u{0}", "1;a\u{0}",
        "1;é\r\n", "1;a\u{7f}", "1\r\nab", "1\r\na\n", "1\r\na\rb", "1\r\na0\r\n",
        "5\r\nhello0\r\n",
        "0000000000000001", "ffffffffffffffff\r\n", "10000000000000000", "1_0\r\n", "1.\r\n",
        "1\r\na\r\n\r\n", "１\r\n", "\u{0}", "1,1\r\n",
    ])
    func refusesWhatIsNoChunk(_ text: String) {
        #expect(outcome(of: text) == .refused(.invalidChunk))
    }

    @Test(arguments: [
        "0\r\n A: b", "0\r\n\t", "0\r\n:", "0\r\nA : b", "0\r\nA\r\n", "0\r\nA: b\n",
        "0\r\nA: b\rc",
        "0\r\nA: \u{0}", "0\r\n\n", "0\r\n\rA", "0\r\nA: b\r\n C", "0\r\n\u{7f}", "0\r\nA: b\r\n\n",
    ])
    func refusesWhatIsNoTrailer(_ text: String) {
        #expect(outcome(of: text) == .refused(.invalidField))
    }

    @Test(arguments: [
        "", "0", "0\r", "0\r\n", "0\r\n\r", "1", "1;a", "1;a=\"b\"", "1\r\n", "0\r\nA: b\r\n",
    ])
    func waitsForMore(_ text: String) {
        #expect(outcome(of: text) == .midway(""))
    }

    @Test(arguments: [
        "b\r\n", "b;", "5\r\nhello\r\n6\r\n", "fffffffffffffff\r\n", "A\r\n0123456789\r\n1\r\n",
    ])
    func boundsTheBody(_ text: String) {
        #expect(outcome(of: text, limit: 10) == .refused(.bodyTooLarge(limit: 10)))
    }

    @Test func takesABodyOfTheLimit() {
        let text = "5\r\nhello\r\n5\r\nworld\r\n0\r\n\r\n"
        #expect(outcome(of: text, limit: 10) == .whole("helloworld", count: text.utf8.count))
    }

    @Test func boundsExtensions() {
        // 1024 extensions of four bytes in all fit; one byte more does not.
        let chunk = "1;a=b\r\nx\r\n"
        let fits = Array(String(repeating: chunk, count: 1024).utf8)
        let whole = outcome(of: [fits, Array("0\r\n\r\n".utf8)], framing: .chunked, limit: 2000)
        #expect(whole == .whole(String(repeating: "x", count: 1024), count: fits.count + 5))
        let more = outcome(of: [fits, Array("1;".utf8)], framing: .chunked, limit: 2000)
        #expect(more == .refused(.chunkExtensionsTooLarge(limit: 4 << 10)))
    }

    @Test func boundsTrailers() {
        let trailers = String(repeating: "A: 456789abcd\r\n", count: 1092)
        let limit = 16 << 10
        // 1092 lines of 15 bytes are 16380; the empty line makes 16382.
        let fits = Array(("0\r\n" + trailers + "\r\n").utf8)
        #expect(outcome(of: [fits], framing: .chunked, limit: 0) == .whole("", count: fits.count))
        let tooLong = Array(("0\r\n" + trailers + "A:345").utf8)
        #expect(
            outcome(of: [tooLong], framing: .chunked, limit: 0)
                == .refused(.trailersTooLarge(limit: limit))
        )
    }

    @Test func agreesWithAnEncoder() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            var text = ""
            var body = ""
            for _ in 0..<Int.random(in: 0...5, using: &random) {
                let size = Int.random(in: 1...40, using: &random)
                let letters = (0..<size).map { _ in
                    Character(Unicode.Scalar(UInt8.random(in: 10...126, using: &random)))
                }
                let part = String(letters)
                text += String(part.utf8.count, radix: 16, uppercase: Bool.random(using: &random))
                text += "\r\n" + part + "\r\n"
                body += part
            }
            text += "0\r\n\r\n"
            #expect(outcome(of: text, limit: 1000) == .whole(body, count: text.utf8.count))
        }
    }
}

/// RFC 9112 §6.2 and §6.3.
@Suite struct LengthDecoding {
    @Test(arguments: [(0, "", 0), (0, "x", 0), (3, "abc", 3), (3, "abcde", 3)])
    func reads(_ length: Int, of text: String, taking count: Int) {
        let expected = BodyOutcome.whole(String(text.prefix(count)), count: count)
        let parts = [Array(text.utf8)]
        #expect(outcome(of: parts, framing: .length(length), limit: 3) == expected)
        guard !text.isEmpty else { return }
        #expect(outcome(of: text, framing: .length(length), limit: 3) == expected)
    }

    @Test func waitsForMore() {
        #expect(outcome(of: "ab", framing: .length(3), limit: 3) == .midway("ab"))
    }

    @Test func aBodyIsCompleteWithoutABody() {
        #expect(outcome(of: [[]], framing: .none, limit: 0) == .whole("", count: 0))
        #expect(outcome(of: "GET", framing: .none, limit: 0) == .whole("", count: 0))
    }

    @Test func boundsTheBody() {
        #expect(
            outcome(of: "a", framing: .length(4), limit: 3)
                == .refused(.bodyTooLarge(limit: 3))
        )
        #expect(RequestHead.Framing.length(4).exceeds(3))
        #expect(!RequestHead.Framing.length(3).exceeds(3))
        #expect(!RequestHead.Framing.chunked.exceeds(0))
        #expect(!RequestHead.Framing.none.exceeds(0))
    }
}
