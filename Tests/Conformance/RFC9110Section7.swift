import TestSupport
import Testing

/// RFC 9110 §7.8: nothing is upgraded to.
@Suite struct Upgrades {
    private static let webSocket = """
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n
        """

    @Test(
        arguments: Subject.allCases,
        [
            "Connection: Upgrade\r\nUpgrade: websocket\r\n\(webSocket)",
            "Upgrade: websocket\r\n\(webSocket)",
            "Connection: Upgrade\r\nUpgrade: made-up/1.0\r\n", "Connection: Upgrade\r\n",
            "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n",
            "Connection: Upgrade\r\nUpgrade: TLS/1.0, HTTP/2.0\r\n",
            "TE: trailers\r\nConnection: TE\r\n",
            "TE: gzip;q=0.5, trailers\r\n", "Keep-Alive: timeout=5\r\n",
            "Via: 1.1 a, 1.0 b (c)\r\n",
            "Max-Forwards: 0\r\n", "Trailer: X\r\n",
        ]
    )
    func areIgnored(_ subject: Subject, _ fields: String) throws {
        let answer = try subject.answer(Subject.get("/healthz", fields))
        #expect(answer.status == 200)
        #expect(answer["upgrade"] == nil)
    }
}
