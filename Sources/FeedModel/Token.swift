/// Names one version of one incarnation of a feed: `<epoch>.<version>`, for example `q7x2m5kd.42`.
public struct Token: Hashable, Sendable {
    /// 8 characters of `a-z2-7`, drawn when the feed came to be.
    public let epoch: String

    /// 1, 2, 3 …, of at most 18 digits.
    public let version: Int

    /// Makes the token of a version.
    public init(epoch: String, version: Int) {
        self.epoch = epoch
        self.version = version
    }

    /// Reads a token, bare: without quotes, `W/` or a coding's suffix; `nil` when it is not of a
    /// token's form.
    ///
    /// - Parameter text: What a client sent.
    public init?(_ text: some StringProtocol) {
        let bytes = ContiguousArray(text.utf8)
        self.init(utf8: bytes.span)
    }

    /// The same, of a token as it stands in a request.
    package init?(utf8 bytes: Span<UInt8>) {
        guard 10...27 ~= bytes.count, bytes[8] == UInt8(ascii: "."), bytes[9] != UInt8(ascii: "0")
        else { return nil }
        for index in 0..<8 where !bytes[index].isInEpoch { return nil }
        var version = 0
        for index in 9..<bytes.count {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            version = version * 10 + Int(digit)
        }
        // So short a string is no allocation.
        let epoch = unsafe String(unsafeUninitializedCapacity: 8) { buffer in
            for index in 0..<8 { unsafe buffer[index] = bytes[index] }
            return 8
        }
        self.init(epoch: epoch, version: version)
    }

    /// The characters of an epoch, those of base 32 (RFC 4648 §6) in lower case.
    package static let epochAlphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

    /// 8 characters of ``epochAlphabet`` from the system's secure generator.
    package static func randomEpoch() -> String {
        // Of 64 random bits 40 are used, 5 for each character.
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
    /// One of ``Token/epochAlphabet``.
    fileprivate var isInEpoch: Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= self
            || UInt8(ascii: "2")...UInt8(ascii: "7") ~= self
    }
}

extension Token: CustomStringConvertible {
    /// As it is sent.
    public var description: String { "\(epoch).\(version)" }
}
