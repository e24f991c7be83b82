private let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

private let values: [UInt8?] = {
    var values = [UInt8?](repeating: nil, count: 256)
    for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
    return values
}()

/// Decodes and encodes base64url without padding (RFC 7515 §2, RFC 4648 §5).
extension [UInt8] {
    /// Decodes a text that is in the canonical form; `nil` for padding or any other character
    /// outside the alphabet, for an impossible length, and if unused bits of the last character are
    /// set.
    init?(base64URL text: ArraySlice<UInt8>) {
        guard text.count % 4 != 1 else { return nil }
        self = []
        reserveCapacity(text.count * 3 / 4)
        var bits: UInt32 = 0
        var count = 0
        for character in text {
            guard let value = values[Int(character)] else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            bits &= (1 << UInt32(count)) - 1
        }
        guard bits == 0 else { return nil }
    }

    /// The bytes as base64url.
    package var base64URL: String {
        var text: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for byte in self {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                text.append(digits[Int(bits >> UInt32(count) & 63)])
            }
        }
        if count > 0 { text.append(digits[Int(bits << UInt32(6 - count) & 63)]) }
        return String(decoding: text, as: UTF8.self)
    }
}
