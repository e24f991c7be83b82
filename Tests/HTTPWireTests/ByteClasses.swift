import TestSupport
import Testing

@testable import HTTPWire

/// Every byte at every place: RFC 9110 §5.6.2 and §5.5, RFC 9112 §3.
@Suite struct ByteClasses {
    private static let tokenCharacters = Set(
        "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8
    )

    /// Whether a request is taken whose byte at `place` behind `start` is `byte`.
    private func isTaken(_ byte: UInt8, at place: Int, start: String, end: String) -> Bool {
        var filling = Array(repeating: UInt8(ascii: "x"), count: 40)
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
        for place in 0..<40 {
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

    @Test func theFirstOfABytesPlacesIsFoundInEveryRange() {
        var bytes = [UInt8](repeating: 0, count: 70)
        for place in [0, 1, 15, 16, 17, 31, 32, 47, 63, 69] { bytes[place] = 1 }
        for lower in 0...70 {
            for upper in lower...70 {
                let found = bytes.span.firstIndex(of: 1, in: lower..<upper)
                #expect(found == bytes[lower..<upper].firstIndex(of: 1))
            }
        }
    }

    @Test(arguments: 1...30)
    func fieldsAreKnownByNamesOfEveryLength(_ length: Int) throws {
        let known = KnownField.allCases.filter {
            $0.name.utf8CodeUnitCount == length && $0 != .transferEncoding
        }
        let other = String(repeating: "x", count: length)
        for (name, field) in known.map({ ("\($0.name)", $0) }) + [(other, .other)] {
            let value =
                switch field {
                case .host: "h"
                case .contentLength: "0"
                default: "a value: with colons"
                }
            for name in [name, name.uppercased(), name.prefix(1).uppercased() + name.dropFirst()] {
                let head = try RequestHead(
                    parsing: "GET / HTTP/1.0\r\n\(name): \(value)\r\nX: y\r\n\r\n"
                )
                #expect(head.fields.map(\.known) == [field, .other])
                #expect(head.string(head.fields[0].name) == name)
                #expect(head.string(head.fields[0].value) == value)
            }
        }
    }

    private func isSame(_ bytes: [UInt8], _ range: Range<Int>, _ text: StaticString) -> Bool {
        bytes.span.isSame(range, as: text)
    }

    private func equals(_ bytes: [UInt8], _ range: Range<Int>, _ text: StaticString) -> Bool {
        bytes.span.equals(text, in: range)
    }

    private static let texts: [StaticString] = [
        "", "a", "items", "sections", "feeds.opml", "authorization", "a-text-of-21-letters",
    ]

    @Test(arguments: texts.indices)
    func textsAreToldApartByEveryByte(_ number: Int) {
        let known = Self.texts[number]
        let text = "\(known)"
        let bytes = Array("..\(text)..".utf8)
        let range = 2..<bytes.count - 2
        #expect(isSame(bytes, range, known))
        #expect(equals(bytes, range, known))
        #expect(!isSame(bytes, 1..<range.upperBound, known))
        let upper = Array("..\(text.uppercased())..".utf8)
        #expect(equals(upper, range, known))
        #expect(isSame(upper, range, known) == text.isEmpty)
        for place in range {
            for byte in UInt8.min...UInt8.max where byte != bytes[place] {
                var other = bytes
                other[place] = byte
                #expect(!isSame(other, range, known))
                let isLetter = UInt8(ascii: "a")...UInt8(ascii: "z") ~= bytes[place]
                let isCase = isLetter && byte | 0x20 == bytes[place]
                #expect(equals(other, range, known) == isCase)
            }
        }
    }
}
