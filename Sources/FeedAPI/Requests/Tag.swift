import FeedModel
import HTTPWire

/// The entity tags of a version: the token, and with a suffix those of the coded representations
/// (docs/PROTOCOL.md, "One validator for everything").
struct Tag: Sendable {
    /// Without quotes: the token, or the hash of a document that has no token. In place: it is
    /// compared with what nearly every client sends.
    private let bytes: InlineArray<40, UInt8>
    private let count: Int

    /// The most bytes that one has.
    static let byteLimit = 40

    /// - Parameter text: At most ``byteLimit`` bytes.
    private init(_ text: some Collection<UInt8>) {
        precondition(text.count <= Tag.byteLimit, "a tag is too long")
        var bytes = InlineArray<40, UInt8>(repeating: 0)
        var count = 0
        for byte in text {
            bytes[count] = byte
            count += 1
        }
        self.bytes = bytes
        self.count = count
    }

    init(_ token: Token) { self.init(token.description.utf8) }
    init(hash value: String) { self.init(value.utf8) }

    /// That of a document without a token: 128 bits of a hash in hexadecimal digits.
    init(hash first: UInt64, _ second: UInt64) {
        var bytes = InlineArray<40, UInt8>(repeating: 0)
        for index in 0..<8 {
            let shift = UInt64(8 * index)
            bytes[index] = UInt8(truncatingIfNeeded: first.digitsOfLowerHalf >> shift)
            bytes[8 + index] = UInt8(truncatingIfNeeded: (first >> 32).digitsOfLowerHalf >> shift)
            bytes[16 + index] = UInt8(truncatingIfNeeded: second.digitsOfLowerHalf >> shift)
            bytes[24 + index] = UInt8(truncatingIfNeeded: (second >> 32).digitsOfLowerHalf >> shift)
        }
        self.bytes = bytes
        count = 32
    }

    /// The same of a digest, of which 128 bits are enough.
    init(digest: SHA256Digest.Bytes) {
        self.init(hash: digest.span.word(at: 0), digest.span.word(at: 8))
    }

    /// In quotes.
    func text(_ coding: ContentCoding) -> String {
        var text: [UInt8] = []
        append(to: &text)
        return "\"" + String(decoding: text, as: UTF8.self) + coding.tagSuffix + "\""
    }

    /// Adds its bytes, without quotes.
    func append(to text: inout [UInt8]) {
        withBytes { bytes in bytes.withUnsafeBufferPointer { text.append(contentsOf: $0) } }
    }

    /// Calls `body` with its bytes, without quotes.
    func withBytes(_ body: (Span<UInt8>) -> Void) { body(bytes.span.extracting(..<count)) }

    /// Which representation a tag names, whether it is weak or not.
    ///
    /// - Parameters:
    ///   - text: What the tag stands in.
    ///   - range: Where it is, without its quotes.
    /// - Returns: `nil` for none.
    func coding(_ text: Span<UInt8>, _ range: Range<Int>) -> ContentCoding? {
        let end = range.lowerBound + count
        guard end <= range.upperBound,
            text.isSame(range.lowerBound..<end, as: bytes.span.extracting(..<count))
        else { return nil }
        let rest = end..<range.upperBound
        if rest.isEmpty { return .identity }
        if text.isSame(rest, as: "-gzip") { return .gzip }
        return text.isSame(rest, as: "-deflate") ? .deflate : nil
    }
}

extension UInt64 {
    /// The eight hexadecimal digits of the lower half, that of the lowest four bits in the lowest
    /// byte.
    fileprivate var digitsOfLowerHalf: UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var numbers = self & 0xffff_ffff
        numbers = (numbers | numbers << 16) & 0x0000_ffff_0000_ffff
        numbers = (numbers | numbers << 8) & 0x00ff_00ff_00ff_00ff
        numbers = (numbers | numbers << 4) & 0x0f0f_0f0f_0f0f_0f0f
        // From ten on letters, which stand 39 behind the digits.
        let areLetters = (numbers &+ ones &* 6) >> 4 & ones
        return numbers &+ ones &* UInt64(UInt8(ascii: "0")) &+ areLetters &* 39
    }
}

/// Which tags of a condition matched what would be sent, by the codings that they name.
struct TagMatch: Sendable {
    /// The coding of the first one.
    private let first: ContentCoding
    /// A bit for each coding.
    private var codings: UInt8
    /// Whether it was a date that matched.
    let isByDate: Bool

    init(_ coding: ContentCoding) {
        self.init(first: coding, codings: TagMatch.bit(coding), isByDate: false)
    }

    private init(first: ContentCoding, codings: UInt8, isByDate: Bool) {
        self.first = first
        self.codings = codings
        self.isByDate = isByDate
    }

    /// `*`, which matches each of them.
    static let any = TagMatch(first: .identity, codings: .max, isByDate: false)

    /// A date, which is that of each of them.
    static let byDate = TagMatch(first: .identity, codings: .max, isByDate: true)

    /// Whether it names no tag: that of a `304` is then that of a `200`, and of no other coding.
    var namesNone: Bool { codings == .max }

    /// Adds the next one.
    mutating func add(_ coding: ContentCoding) {
        codings |= TagMatch.bit(coding)
    }

    /// The coding of the tag that a `304` has: that of a `200`, if it is among those that matched,
    /// else of the first that did.
    ///
    /// - Parameter sent: The coding that a `200` would have; `nil`: that cannot be told.
    func coding(asSent sent: ContentCoding?) -> ContentCoding {
        guard let sent, codings & TagMatch.bit(sent) != 0 else { return first }
        return sent
    }

    /// The same, where it can be told without making a document.
    ///
    /// - Parameter choice: How an answer should be coded.
    func coding(for choice: CodingChoice) -> ContentCoding? {
        if codings == TagMatch.bit(first) { return first }
        return choice.coding == .identity ? coding(asSent: .identity) : nil
    }

    private static func bit(_ coding: ContentCoding) -> UInt8 {
        1 &<< UInt8(truncatingIfNeeded: coding.number)
    }
}

extension Token {
    /// Reads a token with or without quotes, `W/` and the suffix of a coding.
    init?(lenient text: Span<UInt8>) {
        var range = 0..<text.count
        if range.count >= 2, text.isSame(0..<2, as: "W/") { range = 2..<text.count }
        let quote = UInt8(ascii: "\"")
        if range.count >= 2, text[range.lowerBound] == quote, text[range.upperBound - 1] == quote {
            range = range.lowerBound + 1..<range.upperBound - 1
        }
        // A token ends in a digit, and most come without a suffix.
        if let last = range.last, text[last] > UInt8(ascii: "9") {
            for suffix in ["-gzip", "-deflate"] as [StaticString] {
                let start = range.upperBound - suffix.utf8CodeUnitCount
                guard start >= range.lowerBound, text.isSame(start..<range.upperBound, as: suffix)
                else { continue }
                range = range.lowerBound..<start
                break
            }
        }
        self.init(utf8: text.extracting(range))
    }
}
