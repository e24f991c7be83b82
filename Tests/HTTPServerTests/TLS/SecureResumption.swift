import COpenSSL
import Foundation
import TestSupport
import Testing

@testable import HTTPServer

@Suite struct SecureResumption {
    /// The session that a client has after a request.
    private func session(_ server: HTTPServer, _ version: CInt) throws -> TLSPeer.Session {
        let client = try RawClient(port: server.port, tls: .init(version: version))
        #expect(try client.fetch("/a").text == "/a")
        #expect(client.tls?.isResumed == false)
        return try #require(client.tls?.session)
    }

    private func resume(
        _ server: HTTPServer,
        _ version: CInt,
        _ session: TLSPeer.Session
    ) throws -> RawClient {
        var options = TLSPeer.Options(version: version)
        options.session = session
        let client = try RawClient(port: server.port, tls: options)
        #expect(try client.fetch("/b").text == "/b")
        return client
    }

    @Test(arguments: TLSPeer.versions)
    func aClientIsKnownAgain(_ version: CInt) async throws {
        try await withSecureServer(echo) { server in
            let session = try session(server, version)
            let second = try resume(server, version, session)
            #expect(second.tls?.isResumed == true)
            let next = try #require(second.tls?.session)
            #expect(try resume(server, version, next).tls?.isResumed == true)
        }
    }

    /// In TLS 1.3 a ticket is for one use (RFC 8446, C.4): who used one is sent the next.
    @Test func aTicketThatIsUsedIsFollowedByAnother() async throws {
        try await withSecureServer(echo) { server in
            var session = try session(server, TLS1_3_VERSION)
            for _ in 0..<3 {
                let client = try resume(server, TLS1_3_VERSION, session)
                #expect(client.tls?.isResumed == true)
                let next = try #require(client.tls?.session)
                #expect(!next.ticket.isEmpty && next.ticket != session.ticket)
                session = next
            }
        }
    }

    @Test(arguments: TLSPeer.versions)
    func anotherServerDoesNotKnowIt(_ version: CInt) async throws {
        try await withSecureServer(echo) { first in
            let session = try session(first, version)
            try await withSecureServer(echo) { second in
                let client = try resume(second, version, session)
                #expect(client.tls?.isResumed == false)
            }
        }
    }

    @Test(arguments: TLSPeer.versions)
    func anotherCertificateIsForNewConnections(_ version: CInt) async throws {
        let (old, new) = (TestCertificate(.ecdsa, serial: 1), TestCertificate(.rsa, serial: 2))
        try await withSecureServer(certificate: old, echo) { server in
            let before = try RawClient(port: server.port, tls: .init(version: version))
            #expect(before.tls?.serial == 1)
            let session = try session(server, version)
            #expect(try server.replaceCertificate(new.files) == [])
            let after = try RawClient(port: server.port, tls: .init(version: version))
            #expect(after.tls?.serial == 2)
            #expect(try before.fetch("/before").text == "/before")
            #expect(try after.fetch("/after").text == "/after")
            #expect(try resume(server, version, session).tls?.isResumed == false)
        }
    }

    @Test func oneThatCannotBeUsedLeavesTheOldInPlace() async throws {
        try await withSecureServer(certificate: TestCertificate(.ecdsa, serial: 7), echo) {
            server in
            let wrong = CertificateFiles(
                certificate: TestCertificate.rsa.files.certificate,
                key: TestCertificate.ecdsa.files.key
            )
            let error = #expect(throws: CertificateError.self) {
                try server.replaceCertificate(wrong)
            }
            #expect(error?.file == wrong.key)
            let client = try RawClient(port: server.port, tls: .init())
            #expect(client.tls?.serial == 7)
            #expect(try client.fetch("/a").text == "/a")
        }
    }

    @Test(arguments: TLSPeer.versions)
    func aTicketIsReadForHalfADay(_ version: CInt) async throws {
        // A second certificate stands for a chain.
        let certificate = TestCertificate(.ecdsa)
        let issuer = URL(fileURLWithPath: TestCertificate.rsa.files.certificate)
        let file = try #require(FileHandle(forWritingAtPath: certificate.files.certificate))
        try file.seekToEnd()
        try file.write(contentsOf: Data(contentsOf: issuer))
        try await withSecureServer(certificate: certificate, echo) { server in
            let tls = try #require(server.context.tls)
            let session = try session(server, version)
            let before = tls.context()
            let now = System.monotonicMilliseconds() / 1000
            #expect(tls.context(at: now + TLSContext.ticketSeconds - 60) === before)
            #expect(try resume(server, version, session).tls?.isResumed == true)
            #expect(tls.context(at: now + TLSContext.ticketSeconds) !== before)
            let client = try resume(server, version, session)
            #expect(client.tls?.isResumed == false)
            #expect(client.tls?.certificateCount == 2)
            let next = try #require(client.tls?.session)
            #expect(try resume(server, version, next).tls?.isResumed == true)
        }
    }
}
