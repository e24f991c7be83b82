/// The name of a version of a feed: `<epoch>.<version>`, for example `q7x2m5kd.42`.
///
/// A feed that is deleted and created again has another epoch, so no token names two versions.
public struct Token: Hashable, Sendable {
    /// The bytes of the epoch, the first one lowest; 0 after its end.
    ///
    /// Stored in this form, a token needs no allocated memory and is cheap to copy.
    package let epochCode: UInt64

    /// The number of the version, from 1, with at most 18 digits.
    public let version: Int

    /// The incarnation of the feed: 8 characters of `a-z2-7`, drawn when the feed was created.
    public var epoch: String {
        unsafe withUnsafeBytes(of: epochCode.littleEndian) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    /// Makes the token of a version.
    ///
    /// - Parameters:
    ///   - epoch: The epoch, whose first 8 bytes are used; a server's epochs are no longer.
    ///   - version: The number of the version, from 1.
    public init(epoch: String, version: Int) {
        var code: UInt64 = 0
        for (index, byte) in epoch.utf8.prefix(8).enumerated() {
            code |= UInt64(byte) << (8 * index)
        }
        self.init(epochCode: code, version: version)
    }

    /// Makes the token of a version from an ``epochCode``.
    package init(epochCode: UInt64, version: Int) {
        self.epochCode = epochCode
        self.version = version
    }

    /// Returns whether both tokens name versions of the same incarnation of a feed.
    package func hasSameEpoch(as other: Token) -> Bool { epochCode == other.epochCode }

    /// Parses a bare token: without quotes, `W/` or the suffix of a content coding; `nil` if the
    /// text does not have a token's form.
    ///
    /// - Parameter text: The text that a client sent.
    public init?(_ text: some StringProtocol) {
        let bytes = ContiguousArray(text.utf8)
        self.init(utf8: bytes.span)
    }

    /// Parses a bare token in the bytes of a request; `nil` if it does not have a token's form.
    package init?(utf8 bytes: Span<UInt8>) {
        guard 10...27 ~= bytes.count, bytes[8] == UInt8(ascii: "."), bytes[9] != UInt8(ascii: "0")
        else { return nil }
        var code: UInt64 = 0
        for index in 0..<8 {
            guard bytes[index].isInEpoch else { return nil }
            code |= UInt64(bytes[index]) << (8 * index)
        }
        var version = 0
        for index in 9..<bytes.count {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            version = version * 10 + Int(digit)
        }
        self.init(epochCode: code, version: version)
    }

    /// Parses a token in the form of an entity tag: with or without quotes, `W/`, and up to two
    /// suffixes of content codings: the server's own (`-gzip`), and that of a compressing proxy.
    package init?(lenient text: Span<UInt8>) {
        let quote = UInt8(ascii: "\"")
        var (start, end) = (0, text.count)
        if end >= 2, text[0] == UInt8(ascii: "W"), text[1] == UInt8(ascii: "/") { start = 2 }
        if end - start >= 2, text[start] == quote, text[end - 1] == quote {
            start += 1
            end -= 1
        }
        // The last byte of a token is a digit, and most tokens have no suffix.
        for _ in 0..<2 where end > start && text[end - 1] > UInt8(ascii: "9") {
            let suffix = Token.codingSuffixes.first { suffix in
                end - start >= suffix.count
                    && suffix.indices.allSatisfy { suffix[$0] == text[end - suffix.count + $0] }
            }
            guard let suffix else { break }
            end -= suffix.count
        }
        self.init(utf8: text.extracting(start..<end))
    }

    /// The suffixes that servers and proxies add to the tags of coded content.
    private static let codingSuffixes = ["-gzip", "-br", "-zstd", "-deflate", ";br"].map {
        Array($0.utf8)
    }

    /// The characters of an epoch: those of base 32 (RFC 4648 §6) in lower case.
    package static let epochAlphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

    /// Returns 8 characters of ``epochAlphabet`` from the system's secure generator.
    package static func randomEpoch() -> String {
        // The epoch uses 40 of the 64 random bits, 5 for each character.
        var bits = UInt64.random(in: .min ... .max)
        var epoch = ""
        for _ in 0..<8 {
            epoch.unicodeScalars.append(Unicode.Scalar(epochAlphabet[Int(bits & 31)]))
            bits >>= 5
        }
        return epoch
    }
}

extension UInt8 {
    /// Whether the byte is in ``Token/epochAlphabet``.
    fileprivate var isInEpoch: Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= self
            || UInt8(ascii: "2")...UInt8(ascii: "7") ~= self
    }
}

extension Token: CustomStringConvertible {
    /// The text of the token as it is sent.
    public var description: String { "\(epoch).\(version)" }
}

extension Token: Decodable {
    /// Decodes a token from its text.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        guard let token = Token(try value.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: value, debugDescription: "no token")
        }
        self = token
    }
}
