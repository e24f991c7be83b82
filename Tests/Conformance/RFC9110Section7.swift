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
    func upgradesAreIgnored(_ subject: Subject, _ fields: String) throws {
        let answer = try subject.answer(Subject.get("/healthz", fields))
        #expect(answer.status == 200)
        #expect(answer["upgrade"] == nil)
    }
}

/// RFC 9110 §7.6: fields for those between client and server mean nothing at the end of the way.
@Suite struct ForwardingFields {
    @Test(
        arguments: Subject.allCases,
        [
            "Max-Forwards: 0", "Max-Forwards: x", "Via: 1.1 a", "Proxy-Authorization: Basic x",
            "Proxy-Connection: close", "Forwarded: for=192.0.2.1;host=evil",
            "X-Forwarded-Host: evil", "X-Original-URL: /problems/nothing",
            "X-HTTP-Method-Override: DELETE", "Connection: Host, Content-Length",
            "Connection: x-y\r\nX-Y: z",
        ]
    )
    func forwardingFieldsChangeNothing(_ subject: Subject, _ field: String) throws {
        for method in ["GET", "HEAD", "OPTIONS"] {
            let answer = try subject.answer(
                "\(method) /healthz HTTP/1.1\r\nHost: h\r\n\(field)\r\n\r\n",
                isHead: method == "HEAD"
            )
            #expect(answer.status == (method == "OPTIONS" ? 204 : 200))
        }
    }
}
