import HTTPWire
import Platform
import TestSupport
import Testing

@testable import HTTPServer

/// What a proxy says first: the PROXY protocol, §2.1 and §2.2.
@Suite struct ProxyHeaders {
    private static let signature: [UInt8] = Array("\r\n\r\n\0\r\nQUIT\n".utf8)

    /// A header of version 2.
    static func binary(_ command: UInt8, _ family: UInt8, _ rest: [UInt8]) -> [UInt8] {
        signature + [command, family, UInt8(rest.count >> 8), UInt8(rest.count & 255)] + rest
    }

    static let ipv4: [UInt8] = [192, 0, 2, 7, 127, 0, 0, 1, 0xD4, 0x31, 0, 80]
    static let ipv6: [UInt8] =
        [0x20, 0x01, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [7]
        + [UInt8](repeating: 0, count: 15) + [1, 0xD4, 0x31, 0, 80]

    static let valid: [(bytes: [UInt8], source: String?)] = [
        (Array("PROXY TCP4 192.0.2.7 127.0.0.1 54321 80\r\n".utf8), "192.0.2.7"),
        (Array("PROXY TCP6 2001:db8::7 ::1 0 65535\r\n".utf8), "2001:db8::7"),
        (Array("PROXY UNKNOWN\r\n".utf8), nil),
        (Array("PROXY UNKNOWN ffff:f...f:ffff whatever\r\n".utf8), nil),
        (binary(0x21, 0x11, ipv4), "192.0.2.7"), (binary(0x21, 0x21, ipv6), "2001:db8::7"),
        (binary(0x21, 0x12, ipv4), "192.0.2.7"),
        (binary(0x21, 0x11, ipv4 + [UInt8](repeating: 4, count: 700)), "192.0.2.7"),
        (binary(0x20, 0x00, []), nil), (binary(0x20, 0x11, ipv4), nil),
        (binary(0x21, 0x00, [1, 2, 3]), nil),
        (binary(0x21, 0x31, [UInt8](repeating: 65, count: 216)), nil),
    ]

    /// Reads pieces as they come, followed by what is the client's.
    private func read(_ pieces: [[UInt8]]) throws -> ProxyHeader {
        var header = ProxyHeader()
        for piece in pieces {
            #expect(!header.isComplete)
            #expect(try header.take(piece.span) == piece.count)
        }
        return header
    }

    @Test(arguments: valid)
    func areReadHoweverTheyArrive(_ bytes: [UInt8], _ source: String?) throws {
        for pieces in cuts(of: bytes) + [bytes.map { [$0] }] {
            let header = try read(pieces.filter { !$0.isEmpty })
            #expect(header.isComplete)
            #expect(header.source.map { String(decoding: $0.text, as: UTF8.self) } == source)
        }
    }

    @Test(arguments: valid)
    func endWhereTheClientBegins(_ bytes: [UInt8], _ source: String?) throws {
        var header = ProxyHeader()
        #expect(try header.take((bytes + Array("GET / HTTP/1.1\r\n".utf8)).span) == bytes.count)
        #expect(header.isComplete)
    }

    static let malformed: [[UInt8]] =
        [
            "GET / HTTP/1.1\r\n", "proxy UNKNOWN\r\n", "PROXY\r\n", "PROXYUNKNOWN\r\n",
            "PROXY TCP4 192.0.2.7 127.0.0.1 1 2\n", "PROXY TCP4 192.0.2.7 127.0.0.1 1\r\n",
            "PROXY TCP4 192.0.2.7 127.0.0.1 1 2 3\r\n", "PROXY TCP4 192.0.2.7 127.0.0.1 01 2\r\n",
            "PROXY TCP4 192.0.2.7  127.0.0.1 1 2\r\n", "PROXY TCP4 192.0.2.7 127.0.0.1 1 65536\r\n",
            "PROXY TCP4 2001:db8::7 ::1 1 2\r\n", "PROXY TCP6 192.0.2.7 127.0.0.1 1 2\r\n",
            "PROXY TCP4 192.0.2.256 127.0.0.1 1 2\r\n", "PROXY UDP4 192.0.2.7 127.0.0.1 1 2\r\n",
            "PROXY TCP4 192.0.2.7 127.0.0.1 +1 2\r\n",
            "PROXY UNKNOWN " + String(repeating: "a", count: 92) + "\r\n",
        ].map { Array($0.utf8) } + [
            binary(0x11, 0x11, ipv4), binary(0x22, 0x11, ipv4), binary(0x21, 0x41, ipv4),
            binary(0x21, 0x13, ipv4), binary(0x21, 0x11, Array(ipv4.prefix(11))),
            binary(0x21, 0x21, ipv4), Array("\r\n\r\n\0\r\nQUIX\n".utf8),
        ]

    @Test(arguments: malformed)
    func whatIsNoneIsRefused(_ bytes: [UInt8]) {
        for pieces in [[bytes], bytes.map { [$0] }] {
            #expect(throws: ProxyHeader.Malformed.self) { try read(pieces) }
        }
    }

    @Test func theLongestLineIsRead() throws {
        let line = "PROXY UNKNOWN " + String(repeating: "a", count: 91) + "\r\n"
        #expect(line.utf8.count == 107)
        #expect(try read([Array(line.utf8)]).isComplete)
    }
}

/// The same on connections.
@Suite struct ConnectionsThroughProxies {
    private static func limits(
        _ networks: [String],
        _ field: TrustedProxies.Field = .proxyProtocol
    ) throws -> ServerLimits {
        var limits = ServerLimits.patient
        limits.proxies = TrustedProxies(
            try networks.map { try #require(TrustedProxies.Network($0)) },
            field: field
        )
        return limits
    }

    /// Answers with who sent the request.
    private static let script: ScriptedHandler.Script = { request in
        let response = Response.text(String(decoding: request.peer?.text ?? [], as: UTF8.self))
        return request.path == "/cached"
            ? .cached(Payload(response))
            : .response(response)
    }

    @Test(arguments: ProxyHeaders.valid, ["/", "/cached"])
    func whatTheProxySaysCounts(
        _ header: (bytes: [UInt8], source: String?),
        _ path: String
    ) async throws {
        let limits = try Self.limits(["127.0.0.1"])
        try await withServer(limits: limits, Self.script) { server in
            let client = try RawClient(port: server.port)
            let fields = "X-Forwarded-For: 8.8.8.8\r\nForwarded: for=8.8.8.8\r\n"
            let request = Array("GET \(path) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n".utf8)
            try client.send(header.bytes + request + request)
            for _ in 0..<2 {
                #expect(try client.receive().text == header.source ?? "127.0.0.1")
            }
        }
    }

    @Test func aHeaderMayArriveByteByByte() async throws {
        let limits = try Self.limits(["127.0.0.0/8"])
        try await withServer(limits: limits, Self.script) { server in
            for header in ProxyHeaders.valid {
                let client = try RawClient(port: server.port)
                for byte in header.bytes { try client.send([byte]) }
                #expect(try client.fetch("/").text == header.source ?? "127.0.0.1")
            }
        }
    }

    @Test(arguments: ProxyHeaders.valid)
    func itComesBeforeTLS(_ header: [UInt8], _ source: String?) async throws {
        let limits = try Self.limits(["127.0.0.1"])
        try await withSecureServer(limits: limits, Self.script) { server in
            let client = try RawClient(
                port: server.port,
                preamble: header,
                tls: TLSPeer.Options()
            )
            #expect(try client.fetch("/").text == source ?? "127.0.0.1")
        }
    }

    @Test(arguments: ProxyHeaders.malformed)
    func aConnectionWithoutOneEnds(_ bytes: [UInt8]) async throws {
        let limits = try Self.limits(["127.0.0.1"])
        try await withServer(limits: limits, Self.script) { server in
            let client = try RawClient(port: server.port)
            try client.send(bytes)
            #expect(try client.isEnded())
            #expect(try RawClient(port: server.port).fetchBehind("PROXY UNKNOWN\r\n").status == 200)
        }
    }

    /// Who is not trusted says nothing, and whoever tries is not believed.
    @Test func othersSpeakPlainly() async throws {
        try await withServer(limits: try Self.limits(["10.0.0.0/8"]), Self.script) { server in
            #expect(try RawClient(port: server.port).fetch("/").text == "127.0.0.1")
            let liar = try RawClient(port: server.port)
            #expect(try liar.fetchBehind("PROXY TCP4 192.0.2.7 1.1.1.1 1 2\r\n").status == 400)
        }
        let forwarded = try Self.limits(["127.0.0.1"], .forwarded)
        try await withServer(limits: forwarded, Self.script) { server in
            let client = try RawClient(port: server.port)
            #expect(try client.fetch("/").text == "127.0.0.1")
        }
    }

    @Test func aHeaderThatDoesNotComeEndsTheConnection() async throws {
        var limits = try Self.limits(["127.0.0.1"])
        limits.handshakeTime = .milliseconds(1)
        try await withServer(limits: limits, Self.script) { server in
            let client = try RawClient(port: server.port)
            try client.send("PROXY ")
            #expect(try client.isEnded())
        }
    }
}

extension RawClient {
    fileprivate func fetchBehind(_ header: String) throws -> RawResponse {
        try send(header)
        return try fetch("/")
    }
}
