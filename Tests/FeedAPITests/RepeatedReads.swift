import Dispatch
import FeedModel
import FeedStore
import HTTPServer
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import FeedAPI

/// Reads that are sent again, which are answered with what was made before.
@Suite struct RepeatedReads {
    /// Runs `body` against a server on a port of its own.
    private func withServer(
        _ body: @escaping @Sendable (LiveAPI, HTTPServer) throws -> Void
    ) async throws {
        let live = try LiveAPI()
        let server = try HTTPServer(
            host: "127.0.0.1",
            port: 0,
            loops: 1,
            handler: live.api,
            limits: .patient
        )
        server.start()
        let result = Result { try body(live, server) }
        await server.stopped(within: .zero)
        try result.get()
    }

    private static func feed(_ number: Int) -> String { #"{"items":[{"id":"a","n":\#(number)}]}"# }

    /// Each read is sent several times; what it says is right after every change.
    @Test(arguments: ["", "Accept-Encoding: gzip\r\n", "User-Agent: someone\r\n"])
    func sayWhatIsThereNow(_ fields: String) async throws {
        try await withServer { live, server in
            let client = try RawClient(port: server.port)
            func ask(_ target: String, _ more: String = "") throws -> RawResponse {
                try client.send("GET \(target) HTTP/1.1\r\nHost: a\r\n\(fields)\(more)\r\n")
                return try client.receive()
            }
            for number in 0..<20 {
                let token = try live.put("a", Self.feed(number))
                let tag = try #require(try ask("/feeds/a")["etag"])
                for _ in 0..<4 {
                    #expect(try ask("/feeds/a")["etag"] == tag)
                    #expect(try ask("/feeds/a", "If-None-Match: \(tag)\r\n").status == 304)
                    #expect(try ask("/feeds/a?since=\(token)").status == 200)
                }
                let isGone = number % 5 == 4
                if isGone {
                    let name = try #require(FeedName("a"))
                    #expect(live.api.store.remove(name) { _ in })
                } else {
                    try live.put("a", Self.feed(-number - 1))
                }
                for (target, more) in [
                    ("/feeds/a", ""), ("/feeds/a", "If-None-Match: \(tag)\r\n"),
                    ("/feeds/a?since=\(token)", ""),
                ] {
                    let answer = try ask(target, more)
                    #expect(answer.status == (isGone ? 404 : 200))
                    #expect(answer["etag"] != tag)
                }
            }
        }
    }

    /// A version that was followed by another is not said to be current once its publisher has the
    /// answer, whoever else publishes.
    @Test func areNeverOlderThanWhatTheReaderPublished() async throws {
        try await withServer { live, server in
            try live.put("a", Self.feed(0))
            let failures = Mutex<[any Error]>([])
            DispatchQueue.concurrentPerform(iterations: 2) { writer in
                do {
                    try write(live, server, writer)
                } catch {
                    failures.withLock { $0.append(error) }
                }
            }
            if let failure = failures.withLock(\.first) { throw failure }
        }
    }

    private func write(_ live: LiveAPI, _ server: HTTPServer, _ writer: Int) throws {
        let client = try RawClient(port: server.port)
        for number in 0..<150 {
            try client.send("GET /feeds/a HTTP/1.1\r\nHost: a\r\n\r\n")
            let tag = try #require(try client.receive()["etag"])
            let poll = "GET /feeds/a HTTP/1.1\r\nHost: a\r\nIf-None-Match: \(tag)\r\n\r\n"
            for _ in 0..<3 {
                try client.send(poll)
                _ = try client.receive()
            }
            try live.put("a", Self.feed(writer * 1000 + number + 1))
            try client.send(poll)
            #expect(try client.receive().status == 200)
        }
    }

    /// What is open comes and goes with the configuration.
    @Test func areRefusedOnceTheFeedIsClosed() async throws {
        try await withServer { live, server in
            try live.put("a", Self.feed(0))
            let client = try RawClient(port: server.port)
            var api = live.api
            for round in 0..<4 {
                for _ in 0..<4 {
                    try client.send("GET /feeds/a HTTP/1.1\r\nHost: a\r\n\r\n")
                    #expect(try client.receive().status == (round % 2 == 0 ? 200 : 401))
                }
                var configuration = APIConfiguration()
                configuration.keys = [AccessKey(API.key)]
                if round % 2 == 0 { configuration.openFeeds = [] }
                api = api.reconfigured(configuration)
                server.reconfigured(api)
            }
        }
    }
}
