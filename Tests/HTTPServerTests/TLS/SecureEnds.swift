import COpenSSL
import TestSupport
import Testing

@testable import HTTPServer

@Suite struct SecureEnds {
    @Test(arguments: TLSPeer.versions)
    func aStopSendsCloseNotifyToIdleConnections(_ version: CInt) async throws {
        try await withSecureServer(echo) { server in
            let client = try RawClient(port: server.port, tls: .init(version: version))
            #expect(try client.fetch("/a").text == "/a")
            await server.stopped(within: .seconds(20))
            #expect(try client.isEnded())
            #expect(client.tls?.hasCloseNotify == true)
        }
    }

    @Test func aRequestThatWasBegunIsAnsweredBeforeTheStop() async throws {
        let (began, mayAnswer) = (Event(), Event())
        try await withSecureServer { _ in
            .later { responder in
                began.happened()
                later { if mayAnswer.wait() { responder(.text("done")) } }
            }
        } _: { server in
            let client = try RawClient(port: server.port, tls: .init())
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(began.wait())
            let ended = server.stopping(within: .seconds(20))
            mayAnswer.happened()
            #expect(try client.receive().text == "done")
            #expect(try client.isEnded())
            #expect(client.tls?.hasCloseNotify == true)
            client.endSending()
            #expect(ended.wait())
        }
    }

    @Test func aCloseNotifyIsAnsweredWithOne() async throws {
        try await withSecureServer(echo) { server in
            let client = try RawClient(port: server.port, tls: .init())
            let tls = try #require(client.tls)
            try tls.write(Array("GET /last HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
            tls.sendCloseNotify()
            try client.sendOutput(of: tls)
            #expect(try client.receive().text == "/last")
            #expect(try client.isEnded())
            #expect(tls.hasCloseNotify)
        }
    }

    @Test func theLastAnswerIsFollowedByCloseNotify() async throws {
        try await withSecureServer(echo) { server in
            let client = try RawClient(port: server.port, tls: .init())
            try client.send("GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(try client.receive().text == "/last")
            #expect(try client.isEnded())
            #expect(client.tls?.hasCloseNotify == true)
        }
    }

    /// Also one that has not said a word after the handshake.
    @Test(arguments: [false, true])
    func anIdleConnectionEndsWithCloseNotify(_ hasAsked: Bool) async throws {
        var limits = ServerLimits.patient
        limits.idleTime = .milliseconds(1)
        try await withSecureServer(limits: limits, echo) { server in
            let client = try RawClient(port: server.port, tls: .init())
            if hasAsked { #expect(try client.fetch("/a").text == "/a") }
            #expect(try client.isEnded())
            #expect(client.tls?.hasCloseNotify == true)
        }
    }
}
