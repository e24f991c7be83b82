import HTTPWire
import TestSupport
import Testing

/// RFC 9110 §6.6.1 and §8.6: what every answer says of itself.
@Suite struct Answers {
    private static let requests: [(text: String, isHead: Bool)] = [
        (Subject.get(), false), ("HEAD /healthz HTTP/1.1\r\nHost: h\r\n\r\n", true),
        (Subject.get("/problems/nothing"), false),
        ("DELETE /healthz HTTP/1.1\r\nHost: h\r\n\r\n", false),
        ("OPTIONS /healthz HTTP/1.1\r\nHost: h\r\n\r\n", false),
        ("BREW /healthz HTTP/1.1\r\nHost: h\r\n\r\n", false),
        (Subject.put("Content-Length: 12", Subject.content), false),
        ("PUT /feeds/x HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nx", false),
        ("GET  /\r\n", false), (Subject.get("*"), false), ("GET / HTTP/2.0\r\n", false),
        (Subject.put("Transfer-Encoding: gzip, chunked", ""), false),
    ]

    @Test(arguments: Subject.allCases, requests)
    func answersHaveADateAndOneLength(_ subject: Subject, _ request: (text: String, isHead: Bool))
        throws
    {
        let client = try subject.connect()
        try client.send(request.text)
        let answer = try client.receive(isHead: request.isHead)
        let date = try #require(answer["date"])
        #expect(date.utf8.count == 29)
        #expect(HTTPDate.parse(date, now: 0) != nil)
        let lengths = answer.values("content-length")
        let hasNone = answer.status == 204 || answer.status == 304
        #expect(lengths.count == (hasNone ? 0 : 1))
        #expect(answer.values("transfer-encoding").isEmpty)
        #expect(answer.fields.allSatisfy { !$0.name.isEmpty })
        if !answer.body.isEmpty { #expect(answer["content-type"] != nil) }
    }
}
