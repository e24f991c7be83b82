#if os(Linux)
import FeedModel
import Foundation
import Synchronization
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
            _ = try await CurlTransport().response(to: request)
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

    /// As where a proxy adds a line of its own.
    @Test(arguments: [[], ["Vary: Authorization"], ["Vary: Accept-Encoding"]])
    func aFieldOfSeveralLinesHasTheValuesOfAll(_ more: [String]) async throws {
        let server = servers.serving { _, connection in
            connection.answer(
                "200 OK",
                ["Content-Type: application/json", "Vary: Authorization"] + more,
                #"{"kind":"snapshot","feed":"news","token":"q7x2m5kd.1","count":0,"#
                    + #""order":"00000000","sections":[]}"#
            )
        }
        let url = try #require(URL(string: server.url))
        let service = FeedService(baseURL: url, key: "a-key", transport: try CurlTransport())
        let feed = Feed(try #require(FeedName("news")), of: service)
        try await feed.refresh()
        #expect(await feed.copy.isPrivate == true)
    }

    /// As when an app comes back to the screen, or a person signs out.
    @Test func aRequestGoesOnThoughConnectionsAreMadeAnewMeanwhile() async throws {
        let (came, turn) = (Event(), Event())
        let server = servers.serving { _, connection in
            came.happened()
            guard turn.wait() else { return false }
            return connection.answer("200 OK", [], "{}")
        }
        let transport = URLSessionTransport()
        let url = try #require(URL(string: server.url + "/feeds/news?wait=50"))
        let held = Task { try await transport.response(to: URLRequest(url: url)) }
        #expect(await came.awaited())
        transport.renew()
        turn.happened()
        let (body, head) = try await held.value
        #expect(head.statusCode == 200 && body == Data("{}".utf8))
    }

    private final class Counter: Sendable { let value = Atomic(0) }

    /// The sender waits until somebody reads: memory is for what is read.
    @Test func aStreamThatIsNotReadIsNotGathered() async throws {
        let (sent, stopped) = (Counter(), Event())
        let server = servers.serving { head, connection in
            guard head.hasPrefix("GET /events") else { return connection.answer() }
            connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
            let part = [UInt8](repeating: 0x3A, count: 1 << 20)
            while sent.value.load(ordering: .relaxed) < 64, connection.send(part) {
                sent.value.add(1, ordering: .relaxed)
            }
            stopped.happened()
            return false
        }
        let transport = try CurlTransport()
        let url = try #require(URL(string: server.url + "/events"))
        var parts = transport.parts(of: URLRequest(url: url)).makeAsyncIterator()
        _ = try await parts.next()
        _ = try await parts.next()
        // Meanwhile the sender sends all that it can.
        let other = URLRequest(url: try #require(URL(string: server.url + "/")))
        for _ in 0..<500 { _ = try await transport.response(to: other) }
        #expect(sent.value.load(ordering: .relaxed) < 64)
        parts = AsyncThrowingStream { nil }.makeAsyncIterator()
        #expect(await stopped.awaited())
    }
}
#endif
