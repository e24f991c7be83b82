import TestSupport
import Testing

/// RFC 9112 §8.
@Suite struct IncompleteRequests {
    /// Each is cut everywhere: what has not ended is not answered, and the connection ends.
    @Test(
        arguments: Subject.allCases,
        [
            Subject.get(), Subject.put("Content-Length: 12", Subject.content),
            Subject.chunked("5;a\r\n{\"ite\r\n7\r\nms\":[]}\r\n0\r\nX: y\r\n\r\n"),
            "POST /healthz HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello",
            "HEAD / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
        ]
    )
    func incompleteRequestsAreNeverAnswered(_ subject: Subject, _ text: String) throws {
        let bytes = Array(text.utf8)
        for count in bytes.indices {
            let client = try subject.connect()
            try client.send(Array(bytes[..<count]))
            client.endSending()
            #expect(try client.isEnded())
        }
    }
}
