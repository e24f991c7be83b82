import FeedAPI

/// Keys as they are sent: `Authorization: Bearer KEY`.
enum KeyText {
    /// Returns a new key of 256 bits from the system's generator, in base64url (RFC 4648 §5)
    /// without padding.
    ///
    /// It does not begin with a hyphen: `--key` would take it for an option.
    static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        var bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        // "-" stands for 62, in the first six bits.
        while bytes[0] >> 2 == 62 { bytes[0] = .random(in: .min ... .max, using: &generator) }
        return bytes.base64URL
    }

    /// Returns whether a key is too short for 128 random bits.
    static func isWeak(_ text: String) -> Bool { text.utf8.count < 22 }

    /// Returns whether `text` is a token that `Authorization` can carry (RFC 6750 §2.1).
    static func canBeSent(_ text: String) -> Bool {
        let body = text.utf8.reversed().drop { $0 == UInt8(ascii: "=") }
        return !body.isEmpty
            && body.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "-._~+/".utf8.contains(byte)
                }
            }
    }
}
