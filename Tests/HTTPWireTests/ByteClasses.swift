import HTTPWire
import Testing

/// Every byte at every place: RFC 9110 §5.6.2 and §5.5, RFC 9112 §3.
@Suite struct ByteClasses {
    private static let tokenCharacters = Set(
        "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8
    )

    /// Whether a request is taken whose byte at `place` behind `start` is `byte`.
    private func isTaken(_ byte: UInt8, at place: Int, start: String, end: String) -> Bool {
        var filling = Array(repeating: UInt8(ascii: "x"), count: 20)
        filling[place] = byte
        let request = Array(start.utf8) + filling + Array(end.utf8)
        guard case .whole(_, let count) = outcome(of: [request]) else { return false }
        return count == request.count
    }

    @Test(arguments: UInt8.min...UInt8.max)
    func byteClassesAreTheSameWhereverTheByteStands(_ byte: UInt8) {
        let isToken = Self.tokenCharacters.contains(byte)
        let isContent = byte == 9 || 0x20...0x7e ~= byte || byte >= 0x80
        let isTarget = 0x21...0x7e ~= byte && byte != UInt8(ascii: "#")
        for place in 0..<20 {
            let end = " HTTP/1.1\r\nHost: h\r\n\r\n"
            #expect(isTaken(byte, at: place, start: "", end: " /" + end) == isToken)
            #expect(isTaken(byte, at: place, start: "GET /", end: end) == isTarget)
            let start = "GET / HTTP/1.1\r\nHost: h\r\n"
            // A colon ends a name, unless the name would be empty.
            let endsName = byte == UInt8(ascii: ":") && place > 0
            #expect(
                isTaken(byte, at: place, start: start, end: ": v\r\n\r\n") == (isToken || endsName)
            )
            #expect(isTaken(byte, at: place, start: start + "X:", end: "\r\n\r\n") == isContent)
        }
    }
}
