import HTTPWire
import TestSupport
import Testing

/// One parser for all requests of a connection.
@Suite struct ParserReuse {
    private let first = "POST /a HTTP/1.0\r\nExpect: x\r\nContent-Length: 5\r\n\r\n"
    private let second = "\r\nGET /b HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"
    private let third =
        "PUT /c HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n"
        + "Transfer-Encoding: chunked\r\n\r\n"

    /// The heads of pipelined requests, in whatever parts they arrive.
    private func heads(_ parts: [[UInt8]], releasing: Bool) throws -> [String] {
        var parser = RequestParser()
        var heads: [String] = []
        for part in parts {
            var rest = part[...]
            while !rest.isEmpty {
                let result = try parser.consume(rest.span)
                rest = rest.dropFirst(result.count)
                guard result.isComplete else { continue }
                heads.append(summary(parser.head))
                parser.reset(keepingStorage: !releasing)
            }
        }
        return heads
    }

    @Test(arguments: [false, true])
    func readsPipelinedRequests(releasing: Bool) throws {
        let expected = try [
            first, String(decoding: second.utf8.dropFirst(2), as: UTF8.self), third,
        ].map {
            summary(try RequestHead(parsing: $0))
        }
        for parts in cuts(of: Array((first + second + third).utf8)) {
            #expect(try heads(parts, releasing: releasing) == expected)
        }
    }

    @Test func stopsAtTheEndOfTheHead() throws {
        var parser = RequestParser()
        let bytes = Array((first + "hello" + third).utf8)
        let result = try parser.consume(bytes.span)
        #expect(result == (first.utf8.count, true))
        #expect(parser.head.bytes == Array(first.utf8))
    }

    @Test func knowsWhetherAHeadWasBegun() throws {
        var parser = RequestParser()
        #expect(!parser.isMidway)
        for (part, isMidway) in [("\r", false), ("\n", false), ("G", true), ("ET /", true)] {
            _ = try parser.consume(Array(part.utf8).span)
            #expect(parser.isMidway == isMidway)
        }
        _ = try parser.consume(Array(" HTTP/1.0\r\n\r\n".utf8).span)
        #expect(!parser.isMidway)
        parser.reset(keepingStorage: true)
        #expect(!parser.isMidway)
    }

    @Test func theParserIsFreshUntilItTakesAByte() throws {
        var parser = RequestParser()
        #expect(parser.isFresh)
        for part in ["\r", "\n", "G"] {
            _ = try parser.consume(Array(part.utf8).span)
            #expect(!parser.isFresh)
        }
        parser.reset(keepingStorage: true)
        #expect(parser.isFresh)
    }

    @Test(arguments: [
        ("HEAD / HTTP/2.0\r\n", true), ("HEAD / HTTP/1.1\r\n\r\n", true), ("HEAD  /\r\n", true),
        ("HEAD /\0\r\n", true), ("HEAD\t\r\n", false), ("HEADS / HTTP/2.0\r\n", false),
        ("GET  /\r\n", false), ("HEA\n", false),
    ])
    func knowsWhetherARefusedHeadIsThatOfAHEADRequest(_ text: String, as isForHead: Bool) {
        for parts in cuts(of: Array(text.utf8)) {
            var parser = RequestParser()
            #expect(throws: RequestError.self) {
                for part in parts { _ = try parser.consume(part.span) }
            }
            #expect(parser.isForHead == isForHead)
        }
    }

    @Test func keepsItsStorageForTheNextHead() throws {
        var parser = RequestParser()
        _ = try parser.consume(Array(third.utf8).span)
        let bytes = parser.head.bytes.capacity
        let fields = parser.head.fields.capacity
        parser.reset(keepingStorage: true)
        #expect(parser.head.bytes.isEmpty)
        #expect(parser.head.bytes.capacity == bytes)
        #expect(parser.head.fields.capacity == fields)
        parser.reset(keepingStorage: false)
        #expect(parser.head.bytes.capacity == 0)
        #expect(parser.head.fields.capacity == 0)
    }

    @Test func leavesAHeadThatSomebodyHoldsAlone() throws {
        var parser = RequestParser()
        _ = try parser.consume(Array(first.utf8).span)
        let held = parser.head
        let before = summary(held)
        parser.reset(keepingStorage: true)
        _ = try parser.consume(Array(third.utf8).span)
        #expect(summary(held) == before)
        #expect(summary(parser.head) == summary(try RequestHead(parsing: third)))
    }

    @Test(arguments: ["", "GET / HTTP/1.1\r\n", "GET / HTTP/1.0\r\n\r\nx"])
    func makesNoHeadOfATextThatIsNotOne(_ text: String) {
        #expect(throws: RequestError.invalidRequestLine) { try RequestHead(parsing: text) }
    }
}
