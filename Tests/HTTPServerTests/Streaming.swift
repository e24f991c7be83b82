import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

/// Counts: so many parts of so many bytes, then pending until told to end.
final class CountingStream: ResponseStream {
    private struct State {
        var given = 0
        var waker: StreamWaker?
        var mayEnd = false
    }

    private let state = Mutex(State())
    private let parts: Int
    private let part: [UInt8]
    let isClosed = Event()

    init(parts: Int, byteCount: Int) {
        self.parts = parts
        part = [UInt8](repeating: 9, count: byteCount)
    }

    var given: Int { state.withLock { $0.given } }

    func next(_ waker: StreamWaker) -> StreamPart {
        state.withLock { state in
            if state.given < parts {
                state.given += 1
                return .bytes(part)
            }
            state.waker = waker
            return state.mayEnd ? .end : .pending
        }
    }

    func end() {
        let waker = state.withLock { state in
            state.mayEnd = true
            return state.waker
        }
        waker?()
    }

    func closed() {
        isClosed.happened()
    }
}

@Suite struct Streaming {
    @Test(arguments: ["HTTP/1.1\r\nHost: a", "HTTP/1.0"])
    func partsArriveAndTheStreamEnds(_ version: String) async throws {
        let stream = CountingStream(parts: 100, byteCount: 1000)
        try await withServer { _ in
            .response(Response(status: .ok, body: .stream(stream)))
        } _: {
            server in
            let client = try RawClient(port: server.port)
            try client.send("GET / \(version)\r\n\r\n")
            later { stream.end() }
            let answer = try client.receive()
            #expect(answer.body.count == 100_000)
            #expect(stream.isClosed.wait())
        }
    }

    @Test func aSlowReaderIsNotSentMoreThanItTakes() async throws {
        let stream = CountingStream(parts: 100_000, byteCount: 10_000)
        try await withServer { request in
            guard request.path == "/stream" else { return .response(.text("\(stream.given)")) }
            return .response(Response(status: .ok, body: .stream(stream)))
        } _: { server in
            let slow = try RawClient(port: server.port, receiveByteCount: 4096)
            try slow.send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try slow.read(100)
            let other = try RawClient(port: server.port)
            var last = -1
            // It stands still once the sockets' buffers are full: long before a gigabyte.
            while stream.given != last {
                last = stream.given
                for _ in 0..<100 {
                    try other.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                    _ = try other.receive()
                }
            }
            #expect(last < 10_000)
        }
    }

    @Test func aReaderThatLeavesClosesItsStream() async throws {
        let stream = CountingStream(parts: 1, byteCount: 10)
        try await withServer { _ in
            .response(Response(status: .ok, body: .stream(stream)))
        } _: {
            server in
            do {
                let client = try RawClient(port: server.port)
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                _ = try client.read(20)
            }
            #expect(stream.isClosed.wait())
        }
    }

    @Test func aStopEndsStreamsInOrder() async throws {
        let stream = CountingStream(parts: 3, byteCount: 10)
        try await withServer { _ in
            .response(Response(status: .ok, body: .stream(stream)))
        } _: {
            server in
            let client = try RawClient(port: server.port)
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try client.read(120)
            let ended = server.stopping(within: .seconds(20))
            let rest = String(decoding: try client.readToEnd(), as: UTF8.self)
            #expect(rest.hasSuffix("0\r\n\r\n"))
            client.endSending()
            #expect(ended.wait())
        }
    }
}
