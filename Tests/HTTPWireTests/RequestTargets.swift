import HTTPWire
import TestSupport
import Testing

/// RFC 9112 §3.2, RFC 3986 §2.1 and §3.4.
@Suite struct RequestTargets {
    private func target(_ text: String, method: String = "GET") throws -> RequestTarget {
        try RequestTarget(RequestHead(parsing: "\(method) \(text) HTTP/1.1\r\nHost: h\r\n\r\n"))
    }

    @Test(arguments: [
        ("/", [""]), ("//", ["", ""]), ("/a", ["a"]), ("/a/", ["a", ""]),
        ("/a//b", ["a", "", "b"]),
        ("/feeds/a%2Fb", ["feeds", "a/b"]), ("/.", ["."]), ("/a/../b", ["a", "..", "b"]),
        ("/%2e%2E/x", ["..", "x"]), ("/a+b", ["a+b"]), ("/%C3%a9", ["é"]), ("/%00", ["\u{0}"]),
        ("/%25%32%35", ["%25"]), ("/a;b=c", ["a;b=c"]), ("/%3F", ["?"]), ("/%F0%9F%8D%8E", ["🍎"]),
        ("/a?b/c", ["a"]), ("/?", [""]), ("/\"<>\\^`{|}", ["\"<>\\^`{|}"]),
    ])
    func requestTargetsHaveSegments(_ text: String, _ segments: [String]) throws {
        let target = try target(text)
        #expect(target.form == .origin)
        #expect(target.segments.map { Array($0.utf8) } == segments.map { Array($0.utf8) })
        #expect(target.rawPath == text.prefix { $0 != "?" })
    }

    @Test(
        arguments: [
            ("/", nil), ("/?", ""), ("/?a", "a"), ("/?a=b", "a=b"), ("/?a=1&&b=2&", "a=1&&b=2&"),
            ("/?a+b=c+d%2B", "a+b=c+d%2B"), ("/?a=b?c", "a=b?c"), ("/?n=%EA%B0%80", "n=%EA%B0%80"),
        ] as [(String, String?)]
    )
    func requestTargetsHaveQueries(_ text: String, _ raw: String?) throws {
        let target = try target(text)
        #expect(target.rawQuery == raw)
        #expect(target.rawPath == "/")
    }

    @Test(
        arguments: [
            ("http://a", "/", [""], nil), ("http://a/", "/", [""], nil),
            ("HTTP://a:80/b/c?d", "/b/c", ["b", "c"], "d"), ("https://[::1]?q", "/", [""], "q"),
            ("http://a//b", "//b", ["", "b"], nil), ("http://a?b/c", "/", [""], "b/c"),
        ] as [(String, String, [String], String?)]
    )
    func requestTargetsAreReadInAbsoluteForm(
        _ text: String,
        _ path: String,
        _ segments: [String],
        _ query: String?
    ) throws {
        let target = try target(text)
        #expect(target.form == .absolute)
        #expect(target.rawPath == path)
        #expect(target.segments == segments)
        #expect(target.rawQuery == query)
    }

    @Test func requestTargetsAreReadInTheOtherForms() throws {
        let asterisk = try target("*", method: "OPTIONS")
        #expect(asterisk.form == .asterisk)
        #expect(asterisk.rawPath == "*")
        #expect(asterisk.segments.isEmpty)
        let authority = try target("a.example:443", method: "CONNECT")
        #expect(authority.form == .authority)
        #expect(authority.rawPath == "a.example:443")
        #expect(authority.segments.isEmpty)
    }

    @Test(arguments: [
        "/%", "/%4", "/%zz", "/%4g", "/%g4", "/a%/b", "/%+1", "/?%", "/?a=%4", "/?a=%&b", "/%%41",
        "/%ff", "/%C3", "/%C3/%A9", "/%C0%AF", "/%ED%A0%80", "/%F5%80%80%80", "/?a=%ff", "/?%80=b",
        "/?a=%C3&b=%A9", "/%E0%80%AF", "http://a/%",
    ])
    func requestTargetsRefuseWhatDoesNotDecode(_ text: String) {
        #expect(throws: RequestError.invalidTarget) { try target(text) }
    }

    @Test func whatCanBeDecodedIsToldWithoutDecoding() {
        var random = SeededGenerator(seed: 5)
        let pieces = [
            "a", "%", "%4", "%41", "%c3", "%a9", "%C3%A9", "%ff", "%00", "+", "%zz", "é", "%7F",
        ]
        for length in 0...6 {
            for _ in 0..<300 {
                let text = (0..<length).compactMap { _ in pieces.randomElement(using: &random) }
                let bytes = Array(text.joined().utf8)
                let isDecodable = bytes.span.isPercentDecodable
                #expect(isDecodable == ((try? bytes.span.percentDecoded()) != nil))
            }
        }
    }
}
