import FeedModel
import HTTPWire

/// The entity tags of a version: the token, and with a suffix those of the coded representations
/// (docs/PROTOCOL.md, "One validator for everything").
struct Tag: Sendable {
    /// Without quotes: the token, or the hash of a document that has no token. In place: it is compared
    /// with what nearly every client sends.
    private let bytes: InlineArray<40, UInt8>
    private let count: Int

    /// - Parameter text: At most 40 bytes.
    private init(_ text: some Collection<UInt8>) {
        precondition(text.count <= 40, "a tag has at most 40 bytes")
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

    /// That of a document without a token: 128 bits of a digest.
    init(digest: SHA256Digest.Bytes) {
        var bytes = InlineArray<40, UInt8>(repeating: 0)
        for index in 0..<16 {
            bytes[2 * index] = (digest[index] >> 4).hexadecimalDigit
            bytes[2 * index + 1] = (digest[index] & 15).hexadecimalDigit
        }
        self.bytes = bytes
        count = 32
    }

    /// In quotes.
    func text(_ coding: ContentCoding) -> String {
        var text: [UInt8] = []
        append(to: &text)
        return "\"" + String(decoding: text, as: UTF8.self) + coding.tagSuffix + "\""
    }

    /// Adds its bytes, without quotes.
    func append(to text: inout [UInt8]) {
        bytes.span.extracting(..<count).withUnsafeBufferPointer { text.append(contentsOf: $0) }
    }

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

extension UInt8 {
    /// The digit of a number from 0 to 15.
    fileprivate var hexadecimalDigit: UInt8 {
        self + (self < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
    }
}
