import HTTPTypes
import HTTPWire
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

/// Gives the parts that it is told to.
private final class ToldStream: ResponseStream {
    private struct State {
        var parts: [StreamPart] = []
        var waker: StreamWaker?
    }

    private let state = Mutex(State())
    let isClosed = Event()

    func tell(_ part: StreamPart) {
        let waker = state.withLock { state in
            state.parts.append(part)
            return state.waker
        }
        waker?()
    }

    func next(_ waker: StreamWaker) -> StreamPart {
        state.withLock { state in
            state.waker = waker
            return state.parts.isEmpty ? .pending : state.parts.removeFirst()
        }
    }

    func ending() -> [UInt8] { Array("bye\n".utf8) }

    func closed() { isClosed.happened() }
}

extension RawClient {
    /// The next chunk's content (RFC 9112 §7.1); empty for the last.
    fileprivate func chunk() throws -> [UInt8] {
        var line: [UInt8] = []
        while line.suffix(2) != [13, 10] { line += try read(1) }
        let count = try #require(
            Int(String(decoding: line.dropLast(2), as: UTF8.self), radix: 16)
        )
        return try Array(read(count + 2).dropLast(2))
    }
}

/// Streams in gzip and deflate, over sockets.
@Suite struct CodedStreams {
    static let codings: [(ContentCoding, ContentDecoder.Coding)] = [
        (.gzip, .gzip), (.deflate, .deflate),
    ]

    private func coded(_ stream: ToldStream) -> ScriptedHandler.Script {
        { request in
            let choice = request.head.codingChoice
            let response = Response(status: .ok, body: .stream(stream))
            return .response(response.streamCoded(choice))
        }
    }

    private func request(_ coding: ContentCoding) -> String {
        "GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: \(coding.name)\r\n\r\n"
    }

    @Test(arguments: codings)
    func eachEventCanBeReadWhenItHasArrived(
        _ coding: ContentCoding,
        _ format: ContentDecoder.Coding
    ) async throws {
        let stream = ToldStream()
        try await withServer(coded(stream)) { server in
            let client = try RawClient(port: server.port)
            try client.send(request(coding))
            let head = try RawResponse(head: client.readHead())
            #expect(head["content-encoding"] == coding.name)
            #expect(head["vary"] == "Accept-Encoding")
            let decoder = ContentDecoder(format)
            var random = SeededGenerator(seed: 7)
            for byteCount in [1, 100, 20_000, 3, 500_000, 17] {
                let event = (0..<byteCount).map { _ in
                    UInt8.random(in: 32...126, using: &random)
                }
                stream.tell(.bytes(event))
                #expect(try decoder.decode(client.chunk()) == event)
            }
            stream.tell(.end)
            #expect(try decoder.decode(client.chunk()) == Array("bye\n".utf8))
            #expect(decoder.isAtEnd)
            #expect(try client.chunk().isEmpty)
            #expect(stream.isClosed.wait())
        }
    }

    @Test(arguments: codings)
    func aStopMakesTheContentWhole(
        _ coding: ContentCoding,
        _ format: ContentDecoder.Coding
    ) async throws {
        let stream = ToldStream()
        try await withServer(coded(stream)) { server in
            let client = try RawClient(port: server.port)
            try client.send(request(coding))
            _ = try client.readHead()
            let decoder = ContentDecoder(format)
            stream.tell(.bytes(Array("one\n".utf8)))
            #expect(try decoder.decode(client.chunk()) == Array("one\n".utf8))
            let ended = server.stopping(within: .seconds(20))
            #expect(try decoder.decode(client.chunk()) == Array("bye\n".utf8))
            #expect(decoder.isAtEnd)
            #expect(try client.chunk().isEmpty)
            client.endSending()
            #expect(ended.wait())
        }
    }

    @Test func whoAsksForNoneGetsNone() async throws {
        let stream = ToldStream()
        try await withServer(coded(stream)) { server in
            let client = try RawClient(port: server.port)
            try client.send(request(.identity))
            let head = try RawResponse(head: client.readHead())
            #expect(head["content-encoding"] == nil)
            #expect(head["vary"] == "Accept-Encoding")
            stream.tell(.bytes([1, 2, 3]))
            #expect(try client.chunk() == [1, 2, 3])
            stream.tell(.end)
            #expect(try client.chunk() == Array("bye\n".utf8))
        }
    }

    @Test(arguments: [0, 1, 511, 512, 513, 5000, 100_000], codings)
    func wholeContentsAreCodedToo(
        _ byteCount: Int,
        _ coding: (ContentCoding, ContentDecoder.Coding)
    ) {
        let bytes = (0..<byteCount).map { UInt8($0 % 251) }
        let coded = coding.0.compress(bytes)
        let decoder = ContentDecoder(coding.1)
        #expect(decoder.decode(coded) == bytes)
        #expect(decoder.isAtEnd)
        #expect(coded.capacity < coded.count + 64, "no room is kept")
    }
}
