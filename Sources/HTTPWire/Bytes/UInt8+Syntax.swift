/// The classes of bytes that HTTP's grammar is made of (RFC 9110 §5.6, RFC 5234 §B.1).
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

    /// SP or HTAB.
    var isBlank: Bool { self == .space || self == .tab }

    /// DIGIT.
    var isDigit: Bool { self &- 0x30 <= 9 }

    /// ALPHA.
    var isLetter: Bool { (self | 0x20) &- 0x61 <= 25 }

    /// VCHAR, obs-text, SP or HTAB: what a field's value is made of (RFC 9110 §5.5).
    var isFieldContent: Bool { (self >= 0x20 && self != 0x7f) || self == .tab }

    /// The bytes that a request target may have: visible ASCII but for the fragment's "#".
    var isTargetCharacter: Bool { self &- 0x21 <= 0x7e - 0x21 && self != UInt8(ascii: "#") }

    /// tchar (RFC 9110 §5.6.2): letters, digits and ``!#$%&'*+-.^_`|~``.
    var isTokenCharacter: Bool { isIn(0x03ff_6cfa_0000_0000, 0x57ff_ffff_c7ff_fffe) }

    /// What a host's name is made of, percent-encoding apart: unreserved and sub-delims
    /// (RFC 3986 §3.2.2), which are letters, digits and `-._~!$&'()*+,;=`.
    var isRegisteredNameCharacter: Bool { isIn(0x2bff_7fd2_0000_0000, 0x47ff_fffe_87ff_fffe) }

    /// The same without the comma.
    var isHostNameCharacter: Bool { isIn(0x2bff_6fd2_0000_0000, 0x47ff_fffe_87ff_fffe) }

    /// Whether it is one of a set of ASCII characters, of which there is a bit for each.
    private func isIn(_ low: UInt64, _ high: UInt64) -> Bool {
        let bits = self & 0x40 == 0 ? low : high
        return self < 0x80 && bits >> UInt64(self & 0x3f) & 1 != 0
    }

    /// The letter in lower case; every other byte as it is.
    var lowercased: UInt8 { self &- 0x41 <= 25 ? self | 0x20 : self }

    /// The value of a hexadecimal digit, nil when it is none.
    var hexDigitValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
