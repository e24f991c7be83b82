import HTTPWire
import Testing

/// The origin in the rest of a head that was refused, wherever that is cut.
@Suite struct OriginSearching {
    private static func outcome(
        _ text: String,
        isWithinLine: Bool,
        cutAt cuts: [Int]
    ) -> OriginSearch.Outcome {
        let bytes = Array(text.utf8)
        var search = OriginSearch(isWithinLine: isWithinLine)
        var start = 0
        for end in cuts + [bytes.count] {
            let outcome = search.take(bytes.span.extracting(start..<end))
            if outcome != .undecided { return outcome }
            start = end
        }
        return .undecided
    }

    @Test(arguments: [
        ("Origin: https://a.example\r\n", false, "https://a.example"),
        ("rest\r\nORIGIN:\t https://a \r\n\r\n", true, "https://a"),
        ("a: b\norigin:x\n", false, "x"), ("Origin:\r\n", false, ""),
        ("Origin: a\r\nOrigin: b\r\n\r\n", false, "a"),
        ("Origin: a\r\n", true, nil), ("X-Origin: a\r\n\r\n", false, nil),
        // An empty line ends the head, but not before it has begun.
        ("\r\n\r\nGET / HTTP/1.1\r\nOrigin: a\r\n", false, "a"), ("\r\nOrigin: a\r\n", true, "a"),
        ("GET / HTTP/1.1\r\n\r\nOrigin: a\r\n", false, nil), ("Origin: a", false, nil),
        ("Origin\r\n", false, nil),
        ("a\r\n\r\nOrigin: a\r\n", true, nil),
    ])
    func isFoundWhereverItIsCut(_ text: String, _ isWithinLine: Bool, _ origin: String?) {
        let count = text.utf8.count
        let whole = Self.outcome(text, isWithinLine: isWithinLine, cutAt: [])
        if let origin {
            #expect(whole == .found(Array(origin.utf8)))
        } else {
            #expect(whole == .none || whole == .undecided)
        }
        for cut in 0...count {
            #expect(Self.outcome(text, isWithinLine: isWithinLine, cutAt: [cut]) == whole)
        }
        let bytewise = Self.outcome(text, isWithinLine: isWithinLine, cutAt: Array(0..<count))
        #expect(bytewise == whole)
    }

    @Test func noMoreIsReadThanItsLimit() {
        var search = OriginSearch(isWithinLine: false)
        let bytes = [UInt8](repeating: 0x78, count: 1 << 10)
        for _ in 1..<OriginSearch.byteLimit >> 10 {
            #expect(search.take(bytes.span) == .undecided)
        }
        #expect(search.take(bytes.span) == .none)
    }

    @Test func aLongLineIsNotTheField() {
        let long = "Origin: " + String(repeating: "x", count: 600) + "\r\nOrigin: a\r\n"
        #expect(Self.outcome(long, isWithinLine: false, cutAt: []) == .found([0x61]))
    }
}
