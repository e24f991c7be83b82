import COpenSSL
import TestSupport
import Testing

@testable import HTTPServer

@Suite struct SecureHandshakes {
    @Test(arguments: TLSPeer.versions, [TestCertificate.Kind.ecdsa, .rsa])
    func bothVersionsAndKindsOfKeyAreServed(
        _ version: CInt,
        _ kind: TestCertificate.Kind
    ) async throws {
        try await withSecureServer(certificate: kind == .rsa ? .rsa : .ecdsa, echo) { server in
            let client = try RawClient(port: server.port, tls: .init(version: version))
            for _ in 0..<3 { #expect(try client.fetch("/a").text == "/a") }
            #expect(client.tls?.version == (version == TLS1_2_VERSION ? "TLSv1.2" : "TLSv1.3"))
        }
    }

    @Test(arguments: TLSPeer.versions)
    func aHandshakeMayComeByteByByte(_ version: CInt) async throws {
        try await withSecureServer(certificate: .rsa, echo) { server in
            var options = TLSPeer.Options(version: version)
            options.isSentByByte = true
            let client = try RawClient(port: server.port, tls: options)
            #expect(try client.fetch("/a").text == "/a")
        }
    }

    @Test(
        arguments: TLSPeer.versions,
        [[], ["http/1.1"], ["h2", "http/1.1"], ["http/1.1", "h2"], ["spdy/1", "h2", "http/1.1"]]
    )
    func http11IsChosenWhereItIsOffered(_ version: CInt, _ protocols: [String]) async throws {
        try await withSecureServer(echo) { server in
            var options = TLSPeer.Options(version: version)
            options.protocols = protocols
            let client = try RawClient(port: server.port, tls: options)
            #expect(client.tls?.chosenProtocol == (protocols.isEmpty ? "" : "http/1.1"))
            #expect(try client.fetch("/a").text == "/a")
        }
    }

    @Test(arguments: TLSPeer.versions, [["h2"], ["http/1.0"], ["http/1.12", "http/1."]])
    func otherProtocolsAreRefused(_ version: CInt, _ protocols: [String]) async throws {
        try await withSecureServer(echo) { server in
            var options = TLSPeer.Options(version: version)
            options.protocols = protocols
            #expect(refusal(server, options)?.contains("no application protocol") == true)
        }
    }

    @Test(arguments: [TLS1_VERSION, TLS1_1_VERSION])
    func oldVersionsAreRefused(_ version: CInt) async throws {
        try await withSecureServer(echo) { server in
            var options = TLSPeer.Options(version: version)
            options.ciphers = "DEFAULT:@SECLEVEL=0"
            #expect(refusal(server, options)?.contains("protocol version") == true)
        }
    }

    /// Of each property that is not wanted one: no forward secrecy, CBC, no encryption.
    @Test(arguments: [
        "AES128-GCM-SHA256", "AES256-SHA", "DHE-RSA-AES128-GCM-SHA256", "ECDHE-RSA-AES128-SHA256",
        "ECDHE-RSA-AES256-SHA384", "ECDHE-RSA-AES128-SHA", "ECDHE-RSA-AES128-CCM", "NULL-SHA256",
    ])
    func weakCiphersAreRefused(_ cipher: String) async throws {
        try await withSecureServer(certificate: .rsa, echo) { server in
            var options = TLSPeer.Options(version: TLS1_2_VERSION)
            options.ciphers = cipher + ":@SECLEVEL=0"
            #expect(refusal(server, options) != nil)
        }
    }

    @Test func aHandshakeThatStallsIsEnded() async throws {
        var limits = ServerLimits.patient
        limits.handshakeTime = .milliseconds(1)
        try await withSecureServer(limits: limits, echo) { server in
            // Nothing at all, and the beginning of a record.
            for bytes: [UInt8] in [[], [22, 3, 1, 2, 0, 1, 0]] {
                let client = try RawClient(port: server.port)
                try client.send(bytes)
                #expect(try client.isEnded())
            }
        }
    }

    @Test(arguments: ["GET / HTTP/1.1\r\nHost: a\r\n\r\n", "OPTIONS * HTTP/1.1\r\n"])
    func aRequestWithoutTLSIsToldSo(_ request: String) async throws {
        try await withSecureServer(echo) { server in
            let client = try RawClient(port: server.port)
            try client.send(request)
            let answer = try client.receive()
            #expect(answer.status == 400)
            #expect(answer.text.contains("https://"))
            #expect(answer["connection"] == "close")
            client.endSending()
            #expect(try client.isEnded())
        }
    }

    @Test(arguments: TLSPeer.versions)
    func newKeysAreMadeOnlyWhereThatIsNoHandshake(_ version: CInt) async throws {
        try await withSecureServer(loops: 1, echo) { server in
            let other = try RawClient(port: server.port, tls: .init())
            let client = try RawClient(port: server.port, tls: .init(version: version))
            #expect(try client.fetch("/a").text == "/a")
            let tls = try #require(client.tls)
            if version == TLS1_2_VERSION {
                #expect(throws: RawClient.Failure.self) {
                    try tls.askForKeys()
                    try client.sendOutput(of: tls)
                    _ = try client.fetch("/b")
                }
            } else {
                // More than are taken in one turn, with a request at their end.
                for _ in 0..<200 { try tls.askForKeys() }
                #expect(try client.fetch("/b").text == "/b")
            }
            #expect(try other.fetch("/c").text == "/c")
        }
    }

    /// The loop then reads with a small buffer, in which no whole record fits.
    @Test func newKeysAreMadeWhileMemoryIsShort() async throws {
        var limits = ServerLimits.patient
        limits.heldByteLimit = 80_000
        try await withSecureServer(limits: limits, loops: 1, echo) { server in
            let client = try RawClient(port: server.port, tls: .init())
            #expect(try client.fetch("/a").text == "/a")
            let holder = try RawClient(port: server.port, tls: .init())
            #expect(try holder.fetch("/b").text == "/b")
            let filler = String(repeating: "x", count: 45_000)
            try holder.send(Array("GET /c HTTP/1.1\r\nHost: a\r\nX-Filler: \(filler)".utf8))
            let other = try RawClient(port: server.port, tls: .init())
            #expect(try other.fetch("/d").text == "/d")
            let tls = try #require(client.tls)
            try tls.askForKeys()
            try client.sendOutput(of: tls)
            // When this is answered, the loop has read the message.
            #expect(try other.fetch("/e").text == "/e")
            #expect(try client.fetch("/f").text == "/f")
        }
    }

    @Test func whatIsNoTLSDisturbsNobody() async throws {
        try await withSecureServer(loops: 1, echo) { server in
            let good = try RawClient(port: server.port, tls: .init())
            for count in 0..<20 {
                let bad = try RawClient(port: server.port)
                try bad.send([22, 3, 1, 0, UInt8(count)] + [UInt8](repeating: 0xff, count: count))
                bad.endSending()
                #expect(try good.fetch("/\(count)").text == "/\(count)")
                _ = try? bad.readToEnd()
                let broken = try RawClient(port: server.port, tls: .init())
                // A record that nobody with the keys has made.
                try broken.sendBare([23, 3, 3, 0, 20] + [UInt8](repeating: 7, count: 20))
                _ = try? broken.readToEnd()
                #expect(try good.fetch("/again").text == "/again")
            }
        }
    }

    /// What ends the handshake, in OpenSSL's words; `nil`: nothing does.
    private func refusal(_ server: HTTPServer, _ options: TLSPeer.Options) -> String? {
        do {
            _ = try RawClient(port: server.port, tls: options)
        } catch RawClient.Failure.tls(let words) {
            return words
        } catch {
            return "\(error)"
        }
        return nil
    }
}
