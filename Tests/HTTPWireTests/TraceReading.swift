import Testing

@testable import HTTPWire

/// W3C Trace Context, Level 1 §3.2.
@Suite struct TraceReading {
    private func trace(_ value: String) throws -> String? {
        var parser = RequestParser()
        let text = "GET / HTTP/1.1\r\nHost: a\r\nTraceparent: \(value)\r\n\r\n"
        _ = try parser.consume(Array(text.utf8).span)
        return parser.head.traceID.map { String(decoding: $0, as: UTF8.self) }
    }

    private static let id = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let parent = "00f067aa0ba902b7"

    @Test(arguments: [
        "00-\(id)-\(parent)-01", "00-\(id)-\(parent)-00", "cc-\(id)-\(parent)-01",
        "cc-\(id)-\(parent)-01-what-the-future-brings",
    ])
    func readsTheTrace(_ value: String) throws {
        #expect(try trace(value) == Self.id)
    }

    @Test(arguments: [
        "", "00", "00-\(id)-\(parent)-0", "00-\(id)-\(parent)-01-more", "00-\(id)-\(parent)-01x",
        "ff-\(id)-\(parent)-01", "0g-\(id)-\(parent)-01", "00-\(id)-0000000000000000-01",
        "00-00000000000000000000000000000000-\(parent)-01", "cc-\(id)-\(parent)-01.more",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-\(parent)-01", "00_\(id)-\(parent)-01",
        "00-\(id)-\(parent)-0g",
    ])
    func believesNothingElse(_ value: String) throws {
        #expect(try trace(value) == nil)
    }
}
