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

    /// tchar (RFC 9110 §5.6.2).
    var isTokenCharacter: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "!"),
            UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^")...UInt8(ascii: "`"),
            UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default:
            false
        }
    }

    /// What a host's name is made of, percent-encoding apart: unreserved and sub-delims
    /// (RFC 3986 §3.2.2).
    var isRegisteredNameCharacter: Bool {
        switch self {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"),
            UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&")...UInt8(ascii: ","),
            UInt8(ascii: ";"), UInt8(ascii: "="):
            true
        default:
            isDigit || isLetter
        }
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
