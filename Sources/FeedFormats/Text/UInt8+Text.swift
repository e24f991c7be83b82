extension UInt8 {
    var isASCIILetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }
    var isASCIIDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
    var isASCIIAlphanumeric: Bool { isASCIILetter || isASCIIDigit }

    /// White space of HTML: space, tab, line feed, form feed, carriage return.
    var isSpace: Bool { self == 0x20 || 0x09...0x0D ~= self && self != 0x0B }

    /// A letter as a small one.
    var lowercased: UInt8 { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self ? self | 0x20 : self }

    var hexValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension String {
    /// Without white space at its ends.
    var trimmed: String {
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }

    /// `nil` where there is nothing but white space.
    var nonempty: String? {
        let text = trimmed
        return text.isEmpty ? nil : text
    }

    /// With white space as single spaces, none at the ends.
    var singleLine: String {
        split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
