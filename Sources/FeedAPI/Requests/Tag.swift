import FeedModel
import HTTPWire

/// The entity tags of a version: the token, and with a suffix those of the coded representations
/// (docs/PROTOCOL.md, "One validator for everything").
struct Tag: Sendable {
    /// Without quotes: the token, or the hash of a document that has no token.
    let bytes: [UInt8]

    init(_ token: Token) { bytes = Array(token.description.utf8) }
    init(hash value: String) { bytes = Array(value.utf8) }

    /// That of a document without a token: 128 bits of a digest.
    init(digest: SHA256Digest.Bytes) {
        bytes = Array(unsafeUninitializedCapacity: 32) { text, count in
            for index in 0..<16 {
                text[2 * index] = (digest[index] >> 4).hexadecimalDigit
                text[2 * index + 1] = (digest[index] & 15).hexadecimalDigit
            }
            count = 32
        }
    }

    /// In quotes.
    func text(_ coding: ContentCoding) -> String {
        "\"" + String(decoding: bytes, as: UTF8.self) + coding.tagSuffix + "\""
    }

    /// Which representation a tag names, whether it is weak or not.
    ///
    /// - Parameters:
    ///   - text: What the tag stands in.
    ///   - range: Where it is, without its quotes.
    /// - Returns: `nil` for none.
    func coding(_ text: Span<UInt8>, _ range: Range<Int>) -> ContentCoding? {
        let end = range.lowerBound + bytes.count
        guard end <= range.upperBound, text.isSame(range.lowerBound..<end, as: bytes, bytes.indices)
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
