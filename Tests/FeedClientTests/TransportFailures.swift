#if os(Linux)
import Foundation
import TestSupport
import Testing

@testable import FeedClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a person is told when no answer comes.
@Suite(.timeLimit(.minutes(1))) struct TransportFailures {
    private let servers = RawServers()

    private func reason(_ url: String, seconds: Double = 20) async throws -> String {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.timeoutInterval = seconds
        do {
            _ = try await CurlTransport().response(to: request, isHeld: false)
        } catch FeedServiceError.unreachable(let reason) {
            return reason
        }
        return "answered"
    }

    @Test func aServerThatIsNotThereCannotBeReached() async throws {
        let reason = try await reason("http://127.0.0.1:1/feeds/news")
        #expect(reason.hasPrefix("the server cannot be reached ("))
    }

    @Test(arguments: ["http://127.0.0.1:port", "ftp://127.0.0.1/"])
    func anAddressThatIsNoneIsToldSo(_ url: String) async throws {
        guard URL(string: url) != nil else { return }
        #expect(try await reason(url).hasPrefix("the address is invalid: "))
    }

    @Test func aServerThatSaysNothingTakesTooLong() async throws {
        let server = RawServer { connection in _ = connection.read(1 << 20) }
        let reason = try await reason("http://127.0.0.1:\(server.port)/", seconds: 1)
        #expect(reason.hasPrefix("the server did not answer in time ("))
    }

    @Test(arguments: [
        "", "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhalf",
    ])
    func anAnswerThatBreaksOffWasInterrupted(_ answer: String) async throws {
        let server = servers.serving { _, connection in
            connection.send(answer)
            return false
        }
        let reason = try await reason("http://127.0.0.1:\(server.port)/")
        #expect(reason.hasPrefix("the connection was interrupted ("), "\(reason)")
    }

    @Test func aServerWithoutTLSIsNotTrusted() async throws {
        let server = RawServer { connection in connection.send("HTTP/1.1 400 Bad Request\r\n\r\n") }
        let reason = try await reason("https://127.0.0.1:\(server.port)/")
        #expect(reason.hasPrefix("no trusted connection to the server ("), "\(reason)")
    }

    @Test func redirectsWithoutEndAreTooMany() async throws {
        let server = servers.serving { _, connection in
            connection.answer("302 Found", ["Location: /again"])
        }
        #expect(
            try await reason("http://127.0.0.1:\(server.port)/") == "there are too many redirects"
        )
    }
}
#endif
