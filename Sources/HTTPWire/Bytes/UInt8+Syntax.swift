/// The classes of bytes in HTTP's grammar (RFC 9110 §5.6, RFC 5234 §B.1).
extension UInt8 {
    static var tab: UInt8 { 0x09 }
    static var lineFeed: UInt8 { 0x0a }
    static var carriageReturn: UInt8 { 0x0d }
    static var space: UInt8 { 0x20 }
    static var quote: UInt8 { 0x22 }
    static var percent: UInt8 { 0x25 }
    static var comma: UInt8 { 0x2c }
    static var slash: UInt8 { 0x2f }
    static var colon: UInt8 { 0x3a }
    static var semicolon: UInt8 { 0x3b }
    static var equals: UInt8 { 0x3d }
    static var backslash: UInt8 { 0x5c }

    /// Whether the byte is SP or HTAB.
    var isBlank: Bool { self == .space || self == .tab }

    /// Whether the byte is a DIGIT.
    var isDigit: Bool { self &- 0x30 <= 9 }

    /// Whether the byte is an ALPHA.
    var isLetter: Bool { (self | 0x20) &- 0x61 <= 25 }

    /// Whether a field's value may contain the byte: VCHAR, obs-text, SP or HTAB (RFC 9110 §5.5).
    var isFieldContent: Bool { (self >= 0x20 && self != 0x7f) || self == .tab }

    /// Whether a request target may contain the byte: visible ASCII except the fragment's "#".
    var isTargetCharacter: Bool { self &- 0x21 <= 0x7e - 0x21 && self != UInt8(ascii: "#") }

    /// Whether the byte is a tchar (RFC 9110 §5.6.2): letters, digits and ``!#$%&'*+-.^_`|~``.
    var isTokenCharacter: Bool { isIn(0x03ff_6cfa_0000_0000, 0x57ff_ffff_c7ff_fffe) }

    /// Whether a host's name may contain the byte, apart from percent-encoding: unreserved and
    /// sub-delims (RFC 3986 §3.2.2), which are letters, digits and `-._~!$&'()*+,;=`.
    var isRegisteredNameCharacter: Bool { isIn(0x2bff_7fd2_0000_0000, 0x47ff_fffe_87ff_fffe) }

    /// Whether a host's name may contain the byte, without the comma of
    /// ``isRegisteredNameCharacter``.
    var isHostNameCharacter: Bool { isIn(0x2bff_6fd2_0000_0000, 0x47ff_fffe_87ff_fffe) }

    /// Returns whether the byte is in a set of ASCII characters, given as one bit for each.
    private func isIn(_ low: UInt64, _ high: UInt64) -> Bool {
        let bits = self & 0x40 == 0 ? low : high
        return self < 0x80 && bits >> UInt64(self & 0x3f) & 1 != 0
    }

    /// The lower-case letter of an upper-case one; any other byte unchanged.
    var lowercased: UInt8 { self &- 0x41 <= 25 ? self | 0x20 : self }

    /// The value of a hexadecimal digit; nil for any other byte.
    var hexDigitValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
