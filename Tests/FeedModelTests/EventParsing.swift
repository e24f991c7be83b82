import Testing

@testable import FeedModel

/// HTML Standard, "Server-sent events": what a stream says, however it is cut.
@Suite struct EventParsing {
    private static let cases: [(stream: String, parts: [EventParser.Part])] = [
        ("", []), ("data: x", []), ("data: x\n", []), (":\n\n:\n\n", [.heartbeat, .heartbeat]),
        ("\n\n\n", []),
        ("data: x\n\n", [event("x")]), ("data:x\r\rdata: y\r\n\r\n", [event("x"), event("y")]),
        ("data: a\ndata:b\ndata\n\n", [event("a\nb\n")]), ("data:\n\n", [event("")]),
        ("event: changes\ndata:  x\nid: n@t\n\n", [event(" x", "changes", "n@t")]),
        ("id: 1\ndata: x\n\ndata: y\n\n", [event("x", id: "1"), event("y")]),
        ("id: 1\n\nid\ndata: x\n\n", [event("x", id: "")]),
        ("id: a\0b\ndata: x\n\n", [event("x")]), ("event: only\n\ndata: x\n\n", [event("x")]),
        ("retry: 1500\n\ndata: x\n\n", [.retry(1500), event("x")]),
        ("retry: 1x\nretry:\nretry: -1\n\n", []), ("\u{FEFF}data: x\n\n", [event("x")]),
        ("other: x\ndata: ü:é\n: c\n\n", [.heartbeat, event("ü:é")]), ("Data: x\n\n", []),
    ]

    private static func event(
        _ data: String,
        _ name: String = "message",
        _ id: String? = nil
    ) -> EventParser.Part {
        .event(ServerEvent(name: name, data: Array(data.utf8), id: id))
    }

    private static func event(_ data: String, id: String) -> EventParser.Part {
        event(data, "message", id)
    }

    @Test(arguments: cases.indices)
    func readsTheSameHoweverItIsCut(_ index: Int) throws {
        let bytes = Array(Self.cases[index].stream.utf8)
        let expected = Self.cases[index].parts
        var bytewise = EventParser()
        #expect(try bytes.flatMap { try bytewise.parse([$0]) } == expected)
        for cut in 0...bytes.count {
            var parser = EventParser()
            let parts = try parser.parse(bytes[..<cut]) + parser.parse(bytes[cut...])
            #expect(parts == expected)
        }
    }

    /// However short its lines are.
    @Test func anEventWithoutAnEndIsNotGathered() {
        var parser = EventParser(byteLimit: 1_000)
        let line = Array("data: \(String(repeating: "x", count: 90))\n".utf8)
        #expect(throws: EventParser.TooLong.self) {
            for _ in 0..<20 { _ = try parser.parse(line) }
        }
        var other = EventParser(byteLimit: 1_000)
        #expect(throws: Never.self) {
            for _ in 0..<20 { _ = try other.parse(line + [0x0A]) }
        }
    }
}
