import TestSupport
import Testing

/// RFC 9110 §12.5.3: how the content is coded follows Accept-Encoding, and Vary says so.
@Suite struct ContentNegotiation {
    /// Large enough to be worth compressing.
    private static let feed = SampleFeed(name: "negotiated", itemCount: 200)

    @Test(arguments: [
        ("", nil), ("Accept-Encoding: gzip\r\n", "gzip"),
        ("Accept-Encoding: gzip, deflate, br\r\n", "gzip"),
        ("Accept-Encoding: deflate, gzip\r\n", "gzip"),
        ("Accept-Encoding: br,gzip\r\n", "gzip"), ("Accept-Encoding: deflate\r\n", nil),
        ("Accept-Encoding:\r\n", nil), ("Accept-Encoding: identity\r\n", nil),
        ("Accept-Encoding: gzip;q=0\r\n", nil),
        ("Accept-Encoding: gzip;q=0.0, *\r\n", nil),
        ("Accept-Encoding: gzip;q=0, deflate;q=0, *\r\n", nil),
        ("Accept-Encoding: *\r\n", "gzip"), ("Accept-Encoding: *;q=0\r\n", nil),
        ("Accept-Encoding: gzip;q=0.001\r\n", "gzip"),
        ("Accept-Encoding: identity;q=0\r\n", nil),
        ("Accept-Encoding: identity;q=0, gzip\r\n", "gzip"),
        ("Accept-Encoding: gzip;q=0.5, identity;q=1\r\n", nil),
        ("Accept-Encoding: gzip;q=1, identity;q=0.5\r\n", "gzip"),
        ("Accept-Encoding: gzip;q=0.5, deflate;q=0.8\r\n", "gzip"),
        ("Accept-Encoding: gzip;q=0.5, deflate;q=0.5\r\n", "gzip"),
        ("Accept-Encoding: deflate;q=0.5, *;q=0.1\r\n", "gzip"),
        ("Accept-Encoding: gzip ; q=1\r\n", "gzip"), ("Accept-Encoding: gzip;q=2\r\n", nil),
        ("Accept-Encoding: gzip;q=x\r\n", nil), ("Accept-Encoding: xgzip, gzipx\r\n", nil),
        ("Accept-Encoding: gzip;q=0, gzip\r\n", nil),
        ("Accept-Encoding: deflate\r\nAccept-Encoding: gzip\r\n", "gzip"),
        ("Accept-Encoding: ,gzip,,\r\n", "gzip"), ("Accept-Encoding: GZIP;q=1\r\n", "gzip"),
        ("Accept-Encoding: x-gzip;q=1\r\n", "gzip"),
    ])
    func codesAsIsAskedFor(_ fields: String, _ coding: String?) throws {
        try Self.feed.publish()
        let answer = try Subject.api.answer(Subject.get(Self.feed.target, fields))
        #expect(answer.status == 200)
        #expect(answer["content-encoding"] == coding)
        let suffix = coding.map { "-" + $0 } ?? ""
        #expect(try answer["etag"] == Self.feed.tag().dropLast() + suffix + "\"")
        #expect(answer["vary"]?.lowercased().contains("accept-encoding") == true)
        #expect(answer["content-length"] == String(answer.body.count))
        switch coding {
        case "gzip": #expect(gunzip(answer.body)?.first == UInt8(ascii: "{"))
        default: #expect(answer.body.first == UInt8(ascii: "{"))
        }
        let head = try Subject.api.answer(
            Subject.get(Self.feed.target, fields).replacing("GET", with: "HEAD"),
            isHead: true
        )
        for name in ["content-encoding", "etag", "vary", "content-length"] {
            #expect(head[name] == answer[name])
        }
    }

    /// §8.4.1 and §5.6.3: names in any case, an old name, white space of either kind.
    @Test(arguments: ["x-gzip", "GZIP", "br\t,\tgzip\t"])
    func knowsTheCodingHoweverItIsWritten(_ value: String) throws {
        try Self.feed.publish()
        // What was answered before may be answered from memory.
        _ = try Subject.api.answer(Subject.get(Self.feed.target))
        let field = "Accept-Encoding: \(value)\r\n"
        let answer = try Subject.api.answer(Subject.get(Self.feed.target, field))
        #expect(answer["content-encoding"] == "gzip")
    }

    /// §12.1: what cannot be had otherwise is sent as it is.
    @Test(arguments: [
        "Accept: text/html", "Accept: image/*;q=0", "Accept-Language: xx", "Accept: */*;q=0",
        "Accept-Charset: utf-16", "Accept: ;;", "Accept: application/json;q=0.5, */*;q=0.1",
    ])
    func negotiationIsNeverTheReasonForARefusal(_ field: String) throws {
        try Self.feed.publish()
        let answer = try Subject.api.answer(Subject.get(Self.feed.target, field + "\r\n"))
        #expect(answer.status == 200)
        #expect(answer["content-type"] == "application/json")
    }

    /// §15.5.16.
    @Test(arguments: [
        ("Content-Type: text/plain", "accept"), ("Content-Type: image/png", "accept"),
        ("Content-Type: application/json\r\nContent-Encoding: br", "accept-encoding"),
        ("Content-Type: application/json\r\nContent-Encoding: gzip, gzip", "accept-encoding"),
    ])
    func negotiationOfRequestsTellsWhatWouldBeTaken(_ fields: String, _ name: String) throws {
        let answer = try Subject.api.answer(
            """
            PUT /feeds/refused HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(Subject.key)\r
            \(fields)\r\nContent-Length: 12\r\n\r\n\(Subject.content)
            """
        )
        #expect(answer.status == 415)
        #expect(answer[name] != nil)
    }
}
