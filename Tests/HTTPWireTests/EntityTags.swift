import HTTPWire
import TestSupport
import Testing

/// RFC 9110 §8.8.3 and §13.1.
@Suite struct EntityTags {
    /// A list of tags as it is read: `*`, or each tag with its mark.
    private func read(_ value: String, lenient: Bool) -> [String]? {
        let bytes = Array(value.utf8)
        var tags: [String] = []
        let form = bytes.span.scanEntityTags(lenient: lenient) { range, isWeak in
            tags.append((isWeak ? "weak " : "") + String(decoding: bytes[range], as: UTF8.self))
        }
        return switch form {
        case .any: ["any"]
        case .list: tags
        case nil: nil
        }
    }

    @Test(arguments: [
        ("*", ["any"]), (" * ", ["any"]), (",*,", ["any"]),
        ("\"a\"", ["a"]), ("W/\"a\"", ["weak a"]), ("\"\"", [""]),
        ("\"a\",\"b\"", ["a", "b"]), ("\"a\" ,\t W/\"a\" , \"b\"", ["a", "weak a", "b"]),
        (",, \"a\" ,,\"b\",", ["a", "b"]), ("\"a,b\"", ["a,b"]),
        ("\"*\"", ["*"]), ("\"a\\\"", ["a\\"]),
        ("\"W/\"", ["W/"]), ("\"é!#~\"", ["é!#~"]),
        ("\"q7x2m5kd.42-gzip\"", ["q7x2m5kd.42-gzip"]),
    ])
    func entityTagsAreRead(_ value: String, as expected: [String]) {
        #expect(read(value, lenient: false) == expected)
        #expect(read(value, lenient: true) == expected)
    }

    @Test(arguments: [
        "", " ", ",", "\"a", "a\"", "\"a b\"", "\"a\"b\"", "\"a\" \"b\"", "\"a\"\"b\"", "w/\"a\"",
        "*, \"a\"", "\"a\", *", "**", "*,*", "W/ \"a\"", "W /\"a\"", "W/", "\"a\u{7f}\"",
        "\"a\tb\"",
        "\"a\";x", "W/W/\"a\"", "/\"a\"", "\"a\"W/\"b\"",
    ])
    func entityTagsAreRefused(_ value: String) {
        #expect(read(value, lenient: false) == nil)
    }

    @Test(arguments: [
        ("a", ["a"]), ("W/a", ["weak a"]), ("a, \"b\"", ["a", "b"]),
        ("a ,b", ["a", "b"]), ("q7x2m5kd.42", ["q7x2m5kd.42"]),
        ("W", ["W"]), ("w/a", ["w/a"]),
    ])
    func entityTagsAreReadWithoutQuotes(_ value: String, as expected: [String]) {
        #expect(read(value, lenient: true) == expected)
        #expect(read(value, lenient: false) == nil)
    }

    @Test(arguments: [
        "", ",", "a b", "a\"", "\"a", "a\"b\"", "*a", "a*", "*, a", "a, *", "W/", "W/,a",
    ])
    func entityTagsAreRefusedEvenWithoutQuotes(_ value: String) {
        #expect(read(value, lenient: true) == nil)
    }

    @Test func entityTagsAreWrittenWithTheirCoding() {
        let tag = EntityTag("q7x2m5kd.42".utf8)
        #expect(tag.text(.identity) == "\"q7x2m5kd.42\"")
        #expect(tag.text(.gzip) == "\"q7x2m5kd.42-gzip\"")
        let hash = EntityTag(hash: 0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210)
        #expect(hash.text(.identity) == "\"fedcba9876543210" + "0123456789abcdef\"")
        #expect(Set([tag, EntityTag("q7x2m5kd.42".utf8), EntityTag("q7x2m5kd.4".utf8)]).count == 2)
    }
}

/// docs/PROTOCOL.md, "One validator for everything": the tags of all codings, those that
/// compressing proxies have made of them, and which of them a client may have.
@Suite struct TagsWithSuffixes {
    private func outcome(
        _ field: String,
        _ value: String,
        accepting: String?,
        only coding: ContentCoding? = nil
    ) throws -> Conditions.Outcome {
        let accept = accepting.map { "Accept-Encoding: \($0)\r\n" } ?? ""
        let head = try RequestHead(
            parsing: "GET / HTTP/1.1\r\nHost: h\r\n\(accept)\(field): \(value)\r\n\r\n"
        )
        let tag = EntityTag("t.1".utf8)
        let outcome = head.outcome(Validators(tag, only: coding), accepting: head.acceptEncoding)
        // A request that waits is copied.
        if coding == nil { #expect(Conditions(head).outcome(tag) == outcome) }
        return outcome
    }

    @Test(arguments: [
        ("\"t.1\"", nil, .identity), ("t.1", nil, .identity), ("W/\"t.1\"", "br", .identity),
        ("\"t.1-gzip\"", nil, .gzip), ("W/\"t.1-gzip\"", "gzip", .gzip),
        ("t.1-gzip", "gzip, br", .gzip), ("\"t.1-gzip\"", "br", nil),
        ("\"t.1-gzip\"", "gzip;q=0", nil), ("\"t.1-gzip\"", "*", .gzip),
        ("\"t.1-gzip\"", "identity;q=1, gzip;q=0.1", .gzip), ("\"t.1-gzip\"", "", nil),
        // A proxy's suffix is not the server's.
        ("\"t.1-br\"", nil, .identity), ("\"t.1;br\"", "br", .identity),
        ("\"t.1-zstd\"", "gzip, zstd", .identity), ("\"t.1-deflate\"", "deflate", .identity),
        ("\"t.1-br\"", "gzip", nil), ("\"t.1-zstd\"", "zstd;q=0, *", nil),
        ("\"t.1-gzip-br\"", "gzip, br", .gzip), ("\"t.1-gzip-gzip\"", "gzip", .gzip),
        ("\"t.1-gzip;br\"", "br", nil), ("\"t.1-br-gzip\"", nil, nil), ("\"t.1-x\"", nil, nil),
        ("\"t.1-GZIP\"", nil, nil), ("\"t.10\"", nil, nil), ("\"t.1-\"", nil, nil),
        // The first that counts is named.
        ("\"x\", \"t.1-gzip\", \"t.1\"", "gzip", .gzip),
        ("\"t.1\", \"t.1-gzip\"", "gzip", .identity),
        ("\"t.1-br\", \"t.1-gzip\"", "gzip", .gzip), ("*", "gzip", .identity),
    ] as [(String, String?, ContentCoding?)])
    func whatTheClientTakesIsNotSentAgain(
        _ value: String,
        _ accepting: String?,
        _ expected: ContentCoding?
    ) throws {
        let outcome = try outcome("If-None-Match", value, accepting: accepting)
        #expect(outcome == expected.map { .notModified($0) } ?? .send)
    }

    @Test(arguments: [
        ("\"t.1\"", true), ("\"t.1-gzip\"", true), ("\"t.1-br\"", true), ("\"t.1-gzip;br\"", true),
        ("W/\"t.1\"", false), ("t.1", false), ("W/\"t.1-gzip\", \"t.1-zstd\"", true),
        ("\"t.2\"", false), ("*", true),
    ])
    func ifMatchIsStrongWhateverTheClientTakes(_ value: String, _ holds: Bool) throws {
        for accepting in [nil, "identity", "gzip;q=0"] {
            let outcome = try outcome("If-Match", value, accepting: accepting)
            #expect(outcome == (holds ? .send : .failed(.match)))
        }
    }

    @Test(arguments: [
        (ContentCoding.identity, "\"t.1\"", true), (.identity, "\"t.1-gzip\"", true),
        (.identity, "\"t.1-br\"", true), (.gzip, "\"t.1\"", false), (.gzip, "\"t.1-gzip\"", true),
        (.gzip, "\"t.1-gzip-br\"", true), (.gzip, "\"t.1-br\"", false), (.gzip, "*", true),
    ])
    func ofAFileTheChosenCodingCounts(
        _ coding: ContentCoding,
        _ value: String,
        _ isKnown: Bool
    ) throws {
        let outcome = try outcome("If-None-Match", value, accepting: "gzip, br", only: coding)
        #expect(outcome == (isKnown ? .notModified(coding) : .send))
    }
}
