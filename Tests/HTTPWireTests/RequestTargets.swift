import HTTPWire
import TestSupport
import Testing

/// RFC 9112 §3.2, RFC 3986 §2.1 and §3.4.
@Suite struct RequestTargets {
    private func head(_ text: String, method: String = "GET") throws -> RequestHead {
        try RequestHead(parsing: "\(method) \(text) HTTP/1.1\r\nHost: h\r\n\r\n")
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
        let head = try head(text)
        #expect(head.targetParts.form == .origin)
        #expect(try head.pathSegments().map { Array($0.utf8) } == segments.map { Array($0.utf8) })
        #expect(head.path == text.prefix { $0 != "?" })
    }

    @Test(
        arguments: [
            ("/", nil), ("/?", ""), ("/?a", "a"), ("/?a=b", "a=b"), ("/?a=1&&b=2&", "a=1&&b=2&"),
            ("/?a+b=c+d%2B", "a+b=c+d%2B"), ("/?a=b?c", "a=b?c"), ("/?n=%EA%B0%80", "n=%EA%B0%80"),
        ] as [(String, String?)]
    )
    func requestTargetsHaveQueries(_ text: String, _ raw: String?) throws {
        let head = try head(text)
        #expect(head.targetParts.query.map(head.string) == raw)
        #expect(head.path == "/")
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
        let head = try head(text)
        #expect(head.targetParts.form == .absolute)
        #expect(head.path == path)
        #expect(try head.pathSegments() == segments)
        #expect(head.targetParts.query.map(head.string) == query)
    }

    @Test func requestTargetsAreReadInTheOtherForms() throws {
        let asterisk = try head("*", method: "OPTIONS")
        #expect(asterisk.targetParts.form == .asterisk)
        #expect(asterisk.path == "*")
        #expect(try asterisk.pathSegments().isEmpty)
        let authority = try head("a.example:443", method: "CONNECT")
        #expect(authority.targetParts.form == .authority)
        #expect(authority.path == "a.example:443")
        #expect(try authority.pathSegments().isEmpty)
    }

    @Test(arguments: [
        "/%", "/%4", "/%zz", "/%4g", "/%g4", "/a%/b", "/%+1", "/%%41", "/%ff", "/%C3", "/%C3/%A9",
        "/%C0%AF", "/%ED%A0%80", "/%F5%80%80%80", "/%E0%80%AF", "http://a/%",
    ])
    func pathsRefuseWhatDoesNotDecode(_ text: String) throws {
        let head = try head(text)
        #expect(throws: RequestError.invalidTarget) { try head.pathSegments() }
    }

    @Test(arguments: ["%", "a=%4", "a=%&b", "a=%ff", "%80=b", "a=%C3&b=%A9"])
    func queriesAreToldThatDoNotDecode(_ text: String) {
        let isDecodable = Array(text.utf8).span.isPercentDecodable
        #expect(!isDecodable)
    }

    @Test func percentEncodingIsDecodedAsByHand() {
        var random = SeededGenerator(seed: 5)
        let pieces: [(text: String, bytes: [UInt8]?)] = [
            ("a", [0x61]), ("%", nil), ("%4", nil), ("%41", [0x41]), ("%c3", [0xc3]),
            ("%a9", [0xa9]), ("%C3%A9", [0xc3, 0xa9]), ("%ff", [0xff]), ("%00", [0]),
            ("+", [0x2b]), ("%zz", nil), ("é", [0xc3, 0xa9]), ("%7F", [0x7f]),
        ]
        for length in 0...6 {
            for _ in 0..<300 {
                let parts = (0..<length).compactMap { _ in pieces.randomElement(using: &random) }
                let bytes = Array(parts.map(\.text).joined().utf8)
                // A piece that is no escape alone may become one before what follows it.
                let isAmbiguous = parts.dropLast().contains { $0.text == "%" || $0.text == "%4" }
                guard !isAmbiguous else { continue }
                let isWhole = parts.allSatisfy { $0.bytes != nil }
                let decoded = parts.flatMap { $0.bytes ?? [] }
                let text = isWhole ? String(validating: decoded, as: UTF8.self) : nil
                let isDecodable = bytes.span.isPercentDecodable
                #expect((try? bytes.span.percentDecoded()) == text)
                #expect(isDecodable == (text != nil))
            }
        }
    }
}
