import HTTPTypes
import HTTPWire
import TestSupport
import Testing

@testable import HTTPServer

/// Requests whose answer is there, among others.
@Suite struct AnsweringInPlace {
    @Test func aRequestCutAtAnyByteIsAnsweredTheSame() async throws {
        try await withCachingServer { port in
            let client = try RawClient(port: port)
            for parts in cuts(of: Array(Self.request("GET", "/cached").utf8)) {
                for part in parts { try client.send(part) }
                let answer = try client.receive()
                #expect(answer.text == "/cached")
                #expect(answer["date"]?.hasSuffix(" GMT") == true)
                #expect(answer["connection"] == nil)
            }
        }
    }

    @Test(arguments: 0..<UInt64(6))
    func pipelinesOfAllKindsAreAnsweredInOrder(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let kinds = [
            ("GET", "/cached"), ("HEAD", "/cached"), ("GET", "/big"), ("HEAD", "/big"),
            ("GET", "/plain"), ("GET", "/later"), ("POST", "/plain"), ("GET", "/cached"),
        ]
        let requests = (0..<300).compactMap { _ in kinds.randomElement(using: &random) }
        let bytes = Array(requests.map { Self.request($0, $1) }.joined().utf8)
        var ends = (0..<20).map { _ in Int.random(in: 0...bytes.count, using: &random) }
        ends = (ends + [0, bytes.count]).sorted()
        let parts = zip(ends, ends.dropFirst()).map { Array(bytes[$0..<$1]) }
        try await withCachingServer { port in
            let client = try RawClient(port: port)
            for part in parts { try client.send(part) }
            for (method, path) in requests {
                let answer = try client.receive(isHead: method == "HEAD")
                #expect(answer.status == 200)
                let length = path == "/big" ? CachingHandler.bigByteCount : path.utf8.count
                #expect(answer["content-length"] == "\(length)")
                if method != "HEAD", path != "/big" { #expect(answer.text == path) }
            }
        }
    }

    @Test(arguments: [
        ("GET /cached HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 200),
        ("GET /cached HTTP/1.0\r\n\r\n", 200),
        ("GET /cached HTTP/1.1\r\n\r\n", 400),
        ("GET /cached HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n\r\n", 417),
        ("GET /cached HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n", 400),
    ])
    func whatEndsAConnectionEndsItAfterTheAnswers(last: String, status: Int) async throws {
        try await withCachingServer { port in
            let client = try RawClient(port: port)
            try client.send(Self.request("GET", "/cached") + Self.request("HEAD", "/cached") + last)
            #expect(try client.receive().text == "/cached")
            #expect(try client.receive(isHead: true).status == 200)
            #expect(try client.receive().status == status)
            if status != 417 { #expect(try client.isEnded()) }
        }
    }

    @Test func aReaderWhoComesLateGetsAllAnswers() async throws {
        try await withCachingServer { port in
            let client = try RawClient(port: port)
            let count = 3000
            try client.send(String(repeating: Self.request("GET", "/cached"), count: count))
            for _ in 0..<count { #expect(try client.receive().text == "/cached") }
        }
    }

    private static func request(_ method: String, _ path: String) -> String {
        let body = method == "POST" ? "abc" : ""
        let length = body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\n"
        return "\(method) \(path) HTTP/1.1\r\nHost: a\r\n\(length)\r\n\(body)"
    }

    private func withCachingServer(_ body: (Int) throws -> Void) async throws {
        let server = try HTTPServer(host: "127.0.0.1", port: 0, handler: CachingHandler())
        server.start()
        let result = Result { try body(server.port) }
        await server.stopped(within: .zero)
        try result.get()
    }
}

/// Has the answers to `/cached` and `/big` at hand.
private final class CachingHandler: RequestHandler {
    static let bigByteCount = 100_000

    private let small = Payload(.text("/cached"))
    private let big = Payload(
        Response(status: .ok, body: .bytes(Array(repeating: 0x61, count: bigByteCount)))
    )

    func receive(_ request: Request, _ label: inout RequestLabel) -> Reply {
        let path = request.path
        if path == "/cached" { return .cached(small) }
        if path == "/big" { return .cached(big) }
        guard path == "/later" else { return .response(.text(path)) }
        return .later { responder in
            later { responder(.text(path)) }
        }
    }

}
