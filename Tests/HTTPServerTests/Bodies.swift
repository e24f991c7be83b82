import Gzip
import HTTPTypes
import HTTPWire
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

/// RFC 9112 §6 and §7, RFC 9110 §8.4 and §10.1.1.
@Suite struct Bodies {
    private static let limit = 100_000

    /// Answers with the number of bytes and their sum.
    private static let summing: ScriptedHandler.Script = { request in
        if request.path == "/at-once" { return .response(.text("no body wanted")) }
        return .wholeBody(
            limit: limit,
            refuse: { .text("refused: \($0)") },
            then: { body, responder in
                responder(.text("\(body.count) \(body.reduce(0) { $0 + Int($1) })"))
            }
        )
    }

    private static func chunked(_ parts: [[UInt8]]) -> [UInt8] {
        parts.flatMap { Array(String($0.count, radix: 16).utf8) + [13, 10] + $0 + [13, 10] }
            + Array("0\r\nTrailer: ignored\r\n\r\n".utf8)
    }

    @Test func aBodyArrivesWholeHoweverItIsCut() async throws {
        try await withServer(Bodies.summing) { server in
            let client = try RawClient(port: server.port)
            let content: [UInt8] = Array(1...20)
            let plain =
                Array("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 20\r\n\r\n".utf8) + content
            let coded =
                Array("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
                + Bodies.chunked([[1, 2, 3], Array(4...20)])
            for request in [plain, coded] {
                for parts in cuts(of: request) {
                    for part in parts { try client.send(part) }
                    #expect(try client.receive().text == "20 210")
                }
            }
        }
    }

    @Test func pipelinedBodiesStayApart() async throws {
        try await withServer(Bodies.summing) { server in
            let client = try RawClient(port: server.port)
            var requests: [UInt8] = []
            for count in 0..<100 {
                requests += Array(
                    "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: \(count)\r\n\r\n".utf8
                )
                requests += [UInt8](repeating: 1, count: count)
            }
            try client.send(requests)
            for count in 0..<100 { #expect(try client.receive().text == "\(count) \(count)") }
        }
    }

    @Test func gzipIsTakenOff() async throws {
        try await withServer(Bodies.summing) { server in
            let client = try RawClient(port: server.port)
            let content = [UInt8](repeating: 2, count: 50_000)
            // Two members make one content (RFC 1952 §2.2).
            let packed =
                ContentCoding.gzip.compress(content) + ContentCoding.gzip.compress([1, 2, 3])
            let head = "PUT / HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\n"
            try client.send(Array("\(head)Content-Length: \(packed.count)\r\n\r\n".utf8) + packed)
            #expect(try client.receive().text == "50003 100006")
            // Some senders fill the last block with zeros, which gzip(1) takes.
            for count in [1, 511, 50_000] {
                let filled = packed + [UInt8](repeating: 0, count: count)
                let length = "Content-Length: \(filled.count)\r\n\r\n"
                try client.send(Array("\(head)\(length)".utf8) + filled)
                #expect(try client.receive().text == "50003 100006")
            }
            try client.send(
                Array("\(head)Transfer-Encoding: chunked\r\n\r\n".utf8)
                    + Bodies.chunked(packed.map { [$0] })
            )
            #expect(try client.receive().text == "50003 100006")
        }
    }

    /// Also where there is little in much: each member of gzip has a head and an end.
    @Test(arguments: [1000, 4000])
    func manyMembersOfGzipAreLeftToTheHandler(_ count: Int) async throws {
        let script: ScriptedHandler.Script = { _ in
            .body(limit: Bodies.limit, refuse: { .text("refused: \($0)") }) { body in
                let content = (try? body.content()) ?? []
                return .response(.text("\(body.isCoded) \(content.count)"))
            }
        }
        let member = ContentCoding.gzip.compress([7])
        let packed = Array([[UInt8]](repeating: member, count: count).joined())
        try await withServer(script) { server in
            let client = try RawClient(port: server.port)
            let head = "PUT / HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\n"
            try client.send(Array("\(head)Content-Length: \(packed.count)\r\n\r\n".utf8) + packed)
            #expect(try client.receive().text == "\(packed.count > 64 << 10) \(count)")
        }
    }

    /// A loop takes apart what is short; the handler does the rest where it likes.
    @Test(arguments: [1 << 10, 64 << 10, 64 << 10 + 1, 90_000])
    func longContentInGzipIsLeftToTheHandler(_ count: Int) async throws {
        let script: ScriptedHandler.Script = { _ in
            .body(limit: Bodies.limit, refuse: { .text("refused: \($0)") }) { body in
                let content = (try? body.content()) ?? []
                let given = (try? body.content { false })?.count
                let sum = content.reduce(0) { $0 + Int($1) }
                return .response(.text("\(body.isCoded) \(content.count) \(sum) \(given ?? -1)"))
            }
        }
        let isLong = count > 64 << 10
        try await withServer(script) { server in
            let client = try RawClient(port: server.port)
            let packed = ContentCoding.gzip.compress([UInt8](repeating: 3, count: count))
            let head = "PUT / HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\n"
            for size in [1, 5, packed.count] {
                let parts = stride(from: 0, to: packed.count, by: size).map {
                    Array(packed[$0..<min($0 + size, packed.count)])
                }
                try client.send(
                    Array("\(head)Transfer-Encoding: chunked\r\n\r\n".utf8)
                        + Bodies.chunked(parts)
                )
                let given = isLong ? -1 : count
                #expect(try client.receive().text == "\(isLong) \(count) \(3 * count) \(given)")
            }
        }
    }

    @Test(arguments: [
        (
            ContentCoding.gzip.compress([UInt8](repeating: 0, count: 100_001)), "gzip",
            "tooLarge(limit: 100000)"
        ),
        (
            ContentCoding.gzip.compress([UInt8](repeating: 0, count: 30 << 20)), "gzip",
            "tooLarge(limit: 100000)"
        ),
        (Array("not gzip at all".utf8), "gzip", "malformedCoding(at: 2)"),
        (
            Array(ContentCoding.gzip.compress(Array("cut short".utf8)).dropLast(3)), "gzip",
            "truncatedCoding"
        ),
        (
            ContentCoding.gzip.compress(Array("wrong check".utf8)).dropLast(8)
                + [UInt8](repeating: 7, count: 8),
            "gzip", "malformedCoding(at: 27)"
        ),
        (
            ContentCoding.gzip.compress([1]) + [0, 0, 7], "gzip", "truncatedCoding"
        ), (ContentCoding.gzip.compress([1]) + [7, 7, 7], "gzip", "malformedCoding(at: 23)"),
        (Array("x".utf8), "br", "unsupportedCoding(\"br\")"),
        (Array("x".utf8), "gzip, gzip", "unsupportedCoding(\"gzip, gzip\")"),
        ([UInt8](repeating: 0, count: 100_001), "identity", "tooLarge(limit: 100000)"),
    ])
    func aBodyThatCannotBeHadIsRefused(
        _ body: [UInt8],
        coding: String,
        reason: String
    ) async throws {
        try await withServer(Bodies.summing) { server in
            for isChunked in [false, true] {
                let client = try RawClient(port: server.port)
                let framing =
                    isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(body.count)"
                let head =
                    "PUT / HTTP/1.1\r\nHost: a\r\nContent-Encoding: \(coding)\r\n\(framing)\r\n\r\n"
                try client.send(Array(head.utf8) + (isChunked ? Bodies.chunked([body]) : body))
                #expect(try client.receive().text == "refused: \(reason)")
            }
        }
    }

    @Test func theClientIsToldToGoOnOnlyWhenTheBodyIsWanted() async throws {
        try await withServer(Bodies.summing) { server in
            let expecting = "Host: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n"
            let client = try RawClient(port: server.port)
            try client.send("PUT / HTTP/1.1\r\n\(expecting)")
            #expect(try client.receive().status == 100)
            try client.send([1, 1, 1])
            #expect(try client.receive().text == "3 3")
            try client.send("PUT /at-once HTTP/1.1\r\n\(expecting)")
            let refusal = try client.receive()
            #expect(refusal.status == 200)
            #expect(refusal["connection"] == "close")
        }
    }

    @Test func anUnknownExpectationIsRefused() async throws {
        try await withServer(Bodies.summing) { server in
            let client = try RawClient(port: server.port)
            try client.send("GET / HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\n\r\n")
            #expect(try client.receive().status == 417)
        }
    }

    @Test func aSmallBodyThatNobodyWantsIsDroppedAndTheConnectionGoesOn() async throws {
        try await withServer(Bodies.summing) { server in
            let client = try RawClient(port: server.port)
            for _ in 0..<3 {
                try client.send(
                    "PUT /at-once HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nabcde"
                )
                #expect(try client.receive().text == "no body wanted")
            }
        }
    }

    @Test func aLargeBodyThatNobodyWantsEndsTheConnection() async throws {
        try await withServer(Bodies.summing) { server in
            let client = try RawClient(port: server.port)
            let head = "PUT /at-once HTTP/1.1\r\nHost: a\r\nContent-Length: 3000000\r\n\r\n"
            try client.send(Array(head.utf8) + [UInt8](repeating: 0, count: 3_000_000))
            let answer = try client.receive()
            #expect(answer.text == "no body wanted")
            #expect(answer["connection"] == "close")
            client.endSending()
            #expect(try client.isEnded())
        }
    }
}
