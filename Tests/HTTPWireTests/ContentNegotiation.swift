import HTTPWire
import TestSupport
import Testing

/// RFC 9110 §12.5.3 and §12.4.2.
@Suite struct CodingNegotiation {
    @Test(
        arguments: [
            ("gzip", .gzip, 1000), ("gzip", .identity, 1),
            ("GZip", .gzip, 1000), ("x-gzip", .gzip, 1000), ("x-gzip;q=0.5, gzip", .gzip, 500),
            ("gzip;q=0.5", .gzip, 500), ("gzip;q=0.123", .gzip, 123), ("gzip; Q=0.05", .gzip, 50),
            ("gzip ;\tq=1.000", .gzip, 1000), ("gzip;q=1.", .gzip, 1000), ("gzip;q=0", .gzip, 0),
            ("gzip;q=0.001", .gzip, 1), ("br, gzip;q=0.2", .gzip, 200), (",,gzip,", .gzip, 1000),
            ("", .gzip, 0), ("", .identity, 1), (" , ", .identity, 1), ("*", .gzip, 1000),
            ("*", .identity, 1000), ("*;q=0", .identity, 0), ("*;q=0", .gzip, 0),
            ("identity;q=0", .identity, 0), ("*;q=0, identity", .identity, 1000),
            ("*;q=0, identity;q=0.5", .identity, 500), ("gzip, *;q=0", .identity, 0),
            ("gzip, *;q=0", .gzip, 1000), ("gzip;q=0, *", .gzip, 0),
            ("gzip;q=0.3, gzip", .gzip, 300), ("gzip;q=1.001", .gzip, 0), ("gzip;q=2", .gzip, 0),
            ("gzip;q=0.1234", .gzip, 0), ("gzip;q=-1", .gzip, 0), ("gzip;q=", .gzip, 0),
            ("gzip;q", .gzip, 0), ("gzip;", .gzip, 0), ("gzip;q=.5", .gzip, 0),
            ("gzip;q = 1", .gzip, 0), ("gzip;q=\"1\"", .gzip, 0), ("gzip;a=1", .gzip, 0),
            ("gzip;q=1;a=1", .gzip, 0), ("gzip br", .gzip, 0), ("gzip/1", .gzip, 0),
            ("gzip;q=x, gzip;q=0.5", .gzip, 500), ("gzip;q=00", .gzip, 0), ("gzip;q=1e0", .gzip, 0),
        ] as [(String, ContentCoding, Int)]
    )
    func weighs(_ value: String, _ coding: ContentCoding, as quality: Int) {
        #expect(AcceptEncoding(value.utf8.span).quality(of: coding) == quality)
    }

    @Test func takesEverythingWithoutTheField() {
        #expect(AcceptEncoding().quality(of: .gzip) == 1000)
        #expect(AcceptEncoding().quality(of: .identity) == 1000)
        #expect(AcceptEncoding().choice == .identity)
    }

    @Test(
        arguments: [
            ("gzip", .gzip, false), ("gzip, identity", .gzip, false),
            ("gzip;q=0.001", .gzip, false), ("gzip;q=0.5, identity", .identity, false),
            ("br", .identity, false), ("", .identity, false), ("*", .gzip, false),
            ("gzip, deflate, br, zstd", .gzip, false), ("deflate, gzip", .gzip, false),
            ("deflate", .identity, false), ("deflate, gzip;q=0.9", .gzip, false),
            ("identity;q=0", .identity, false), ("identity;q=0, gzip", .gzip, true),
            ("identity;q=0, deflate", .identity, false), ("br, *;q=0", .identity, false),
            ("gzip;q=0", .identity, false), ("*;q=0", .identity, false),
            ("gzip;q=0.5, *;q=0.8", .identity, false), ("br;q=0.8, gzip", .gzip, false),
            ("gzip;q=zero", .identity, false), ("x-gzip", .gzip, false),
            ("GZip,identity;q=0", .gzip, true), ("gzip,*;q=0", .gzip, true),
            ("gzip, gzip;q=0", .gzip, false), ("gzipped", .identity, false),
            ("gzip ,br", .gzip, false),
            ("gzip;q=0, gzip", .identity, false), ("\"a,gzip\"", .identity, false),
            ("\"a\\\",gzip\", gzip", .gzip, false),
        ] as [(String, ContentCoding, Bool)]
    )
    func chooses(_ value: String, _ coding: ContentCoding, isForced: Bool) throws {
        let choice = AcceptEncoding(value.utf8.span).choice
        #expect(choice == CodingChoice(coding, isForced: isForced))
        let head = try RequestHead(
            parsing: "GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: \(value)\r\n\r\n"
        )
        #expect(head.acceptEncoding.choice == choice)
    }
}

/// RFC 9110 §8.3.1.
@Suite struct MediaTypes {
    @Test(arguments: [
        ("text/plain", "text/plain", [:]), (" Text/HTML ", "text/html", [:]),
        ("application/json;charset=UTF-8", "application/json", ["charset": "UTF-8"]),
        ("a/b ;\tC=d", "a/b", ["c": "d"]),
        ("a/b;c=\"d;\\\"e\\\\\"", "a/b", ["c": "d;\"e\\"]), ("a/b;c=\"\"", "a/b", ["c": ""]),
        ("a/b;", "a/b", [:]), ("a/b;;c=d; ;", "a/b", ["c": "d"]),
        ("a/b;c=1;C=2;d=3", "a/b", ["c": "1", "d": "3"]), ("a/b+json", "a/b+json", [:]),
        ("application/merge-patch+json", "application/merge-patch+json", [:]),
    ])
    func mediaTypesAreRead(_ value: String, _ essence: String, _ parameters: [String: String])
        throws
    {
        let type = try #require(MediaType(value))
        #expect(type.essence == essence)
        #expect(type.parameters == parameters)
    }

    @Test(arguments: [
        "", "text", "text/", "/plain", "text /plain", "text/ plain", "text/plain x", "a/b/c",
        "a/b;c", "a/b;c=", "a/b;=d", "a/b;c =d", "a/b;c= d", "a/b;c=\"d", "a/b;c=\"d\"e", "a/b,c/d",
        "a/b;c=d e", "é/b", "a/b;c=\"\\", "a/b;c=\"\u{0}\"", "a(/b",
    ])
    func mediaTypesAreRefused(_ value: String) {
        #expect(MediaType(value) == nil)
    }
}

/// RFC 7240.
@Suite struct PreferenceReading {
    @Test(
        arguments: [
            ("wait=5", "wait", "5"), ("WAIT=5", "wait", "5"),
            ("respond-async", "respond-async", ""),
            ("a, wait=5", "wait", "5"), ("wait=5, wait=6", "wait", "5"), ("wait = 5", "wait", "5"),
            ("wait=\"5\"", "wait", "5"), ("wait=\"a, b\\\"\", x=1", "wait", "a, b\""),
            ("wait=\"a, b\", x=1", "x", "1"), ("wait=5; x=1", "wait", "5"),
            ("wait=5;;", "wait", "5"),
            ("wait=5; x=1", "x", nil), ("a=\"\"", "a", ""), ("wait=5", "other", nil),
            ("", "wait", nil),
            (nil, "wait", nil), ("wait=", "wait", nil), ("wait=5 6", "wait", nil),
            ("=5", "wait", nil),
            ("wait=\"5", "wait", nil), ("wait=, wait=7", "wait", "7"), (",, wait=5,", "wait", "5"),
            ("return=minimal; foo=\"some parameter\"", "return", "minimal"),
            ("wait=5;é", "wait", nil),
        ] as [(String?, String, String?)]
    )
    func reads(_ value: String?, _ name: String, as expected: String?) {
        #expect(Preferences(value)[name] == expected)
    }
}
