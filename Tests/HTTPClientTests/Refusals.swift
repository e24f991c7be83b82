import HTTPClient
import HTTPServer
import HTTPTypes
import HTTPWire
import Platform
import TestSupport
import Testing

/// What is not fetched, and what of a broken response is told.
@Suite struct Refusals {
    private let servers = RawServers()
    private let client = try? HTTPClient()

    private func error(_ request: HTTPClient.Request) async -> HTTPClientError? {
        do {
            _ = try await client?.response(to: request)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        "ftp://127.0.0.1/", "file:///etc/passwd", "http://", "gopher://127.0.0.1/", "",
    ])
    func otherSchemesAndMalformedAddressesAreInvalid(_ url: String) async {
        guard case .invalidURL = await error(.patient(url)) else {
            Issue.record("\(url) is not invalid")
            return
        }
    }

    @Test(arguments: [
        "127.0.0.1", "127.1", "0x7f000001", "2130706433", "0177.0.0.1", "localhost",
        "[::ffff:127.0.0.1]", "0.0.0.0",
    ])
    func aRefusedAddressIsNotConnectedTo(_ host: String) async throws {
        let server = servers.serving { _, connection in connection.answer("200 OK", [], "x") }
        var settings = HTTPClient.Settings()
        let hosts = Seen()
        settings.allows = { host, address in
            hosts.add(host)
            return address.isPublic
        }
        let client = try HTTPClient(settings)
        await #expect {
            try await client.response(to: .patient("http://\(host):\(server.port)/"))
        } throws: { error in
            if case HTTPClientError.refusedAddress(let address) = error { return !address.isPublic }
            // A machine without IPv6 has nothing to refuse.
            if case HTTPClientError.unreachable = error { return host.hasPrefix("[") }
            return false
        }
        #expect(server.connectionCount == 0)
        if host == "localhost" { #expect(Set(hosts.all) == ["localhost"]) }
    }

    @Test func aPortWithoutAServerIsUnreachable() async throws {
        var server: RawServer? = RawServer { _ in }
        let url = try #require(server?.url)
        server = nil
        guard case .unreachable = await error(.patient(url)) else {
            Issue.record("reachable")
            return
        }
    }

    @Test(arguments: [false, true])
    func aBodyPastItsLimitIsRefused(_ isCompressed: Bool) async {
        let server = servers.serving { _, connection in
            let body = [UInt8](repeating: 0, count: 4 << 20)
            return isCompressed
                ? connection.answer("200 OK", ["Content-Encoding: deflate"], deflated(body))
                : connection.answer("200 OK", [], body)
        }
        var request = HTTPClient.Request.patient(server.url)
        request.limits.bodyByteCount = 1 << 20
        #expect(await error(request) == .bodyTooLarge(limit: 1 << 20))
        request.limits.bodyByteCount = 4 << 20
        #expect(await error(request) == nil)
    }

    @Test(arguments: [1000, 200_000])
    func aHeadPastItsLimitIsRefused(_ length: Int) async {
        let server = servers.serving { _, connection in
            connection.send("HTTP/1.1 200 OK\r\n")
            while connection.send("X-A: \(String(repeating: "a", count: length))\r\n") {}
            return false
        }
        #expect(await error(.patient(server.url)) == .headTooLarge)
    }

    @Test(arguments: [
        "", "HTTP/1.1", "220 mail ready\r\n", "\u{16}\u{3}\u{1}", "HTTP/1.1 200 OK\r\nX-A: 1\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
    ])
    func whatIsNoWholeResponseIsBroken(_ response: String) async {
        let server = servers.serving { _, connection in
            connection.send(response)
            return false
        }
        let error = await error(.patient(server.url))
        guard case .broken = error else {
            Issue.record("not broken: \(String(describing: error))")
            return
        }
    }

    @Test func aResetIsBroken() async {
        let server = servers.serving { _, connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc")
            connection.reset()
            return false
        }
        guard case .broken = await error(.patient(server.url)) else {
            Issue.record("not broken")
            return
        }
    }

    @Test func silenceAndSlownessAreTimedOut() async {
        let server = servers.serving { _, connection in connection.read(1) != nil }
        var stalled = HTTPClient.Request(.get, server.url)
        stalled.limits.whole = nil
        stalled.limits.stalled = .milliseconds(1)
        var slow = stalled
        slow.limits.whole = .milliseconds(1)
        slow.limits.stalled = nil
        for request in [stalled, slow] {
            guard case .timedOut = await error(request) else {
                Issue.record("not timed out")
                continue
            }
        }
    }

    @Test func aCertificateIsTrustedOnlyWhereItsIssuerIs() async throws {
        let certificate = TestCertificate.ecdsa
        let server = try HTTPServer(
            host: "127.0.0.1",
            port: 0,
            loops: 1,
            handler: Greeting(),
            limits: .patient,
            tls: TLSContext(certificate.files)
        )
        server.start()
        let url = "https://localhost:\(server.port)/"
        guard case .tls = await error(.patient(url)) else {
            Issue.record("trusted")
            return
        }
        var settings = HTTPClient.Settings()
        settings.authorities = certificate.files.certificate
        let response = try await HTTPClient(settings).response(to: .patient(url))
        #expect(response.text == "hello")
        await #expect(throws: HTTPClientError.self) {
            try await HTTPClient(settings).response(
                to: .patient("https://127.0.0.1:\(server.port)/")
            )
        }
        await server.stopped(within: .zero)
    }

    private final class Greeting: RequestHandler {
        func receive(_ request: Request, _ label: inout RequestLabel) -> Reply {
            return .response(Response(status: .ok, body: .bytes(Array("hello".utf8))))
        }
    }
}
