import FeedFormats

/// A decimal number as it is written, compared by its exact value.
///
/// `9007199254740993` and `9007199254740992` differ, though both are the same `Double`; `1.0` and
/// `1` are equal.
package struct DecimalNumber: Sendable {
    /// The number as it is written.
    let spelling: String
    /// The nearest `Double`, infinite for numbers past its range.
    ///
    /// Numbers whose nearest values differ compare like these values; otherwise their digits are
    /// compared.
    private let nearest: Double

    /// Reads a number in the form of JSON (RFC 8259 §6) or YAML: also with `+`, with leading zeros,
    /// or without digits on one side of the point.
    ///
    /// - Returns: `nil` for any other text.
    package init?(_ spelling: String) {
        let isDecimal = spelling.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
        guard isDecimal, let nearest = Double(spelling) else { return nil }
        self.spelling = spelling
        self.nearest = nearest
    }

    /// Whether the number is in the range of a `Double`.
    package var isFinite: Bool { nearest.isFinite }

    /// The parts of the number's value, which is `0.DIGITS × 10^exponent`.
    ///
    /// The digits neither begin nor end with a zero; zero has no digits.
    private var parts: (isNegative: Bool, exponent: Int, digits: ArraySlice<UInt8>) {
        let text = Array(spelling.utf8)
        let letter = text.firstIndex { $0 | 0x20 == UInt8(ascii: "e") } ?? text.endIndex
        let point = text[..<letter].firstIndex(of: UInt8(ascii: ".")) ?? letter
        let whole = text[..<point].filter(\.isASCIIDigit)
        let all = whole + text[point..<letter].filter(\.isASCIIDigit)
        let zeros = all.prefix { $0 == UInt8(ascii: "0") }.count
        var digits = all[zeros...]
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        let isNegative = text.first == UInt8(ascii: "-")
        guard !digits.isEmpty else { return (false, 0, []) }
        var exponent = 0
        if letter < text.endIndex {
            let written = String(decoding: text[(letter + 1)...], as: UTF8.self)
            // An exponent past the range of `Int` outweighs any number of digits.
            exponent = Int(written) ?? (written.hasPrefix("-") ? .min / 2 : .max / 2)
            exponent = max(.min / 2, min(.max / 2, exponent))
        }
        return (isNegative, exponent + whole.count - zeros, digits)
    }
}

extension DecimalNumber: Comparable {
    package static func == (left: DecimalNumber, right: DecimalNumber) -> Bool {
        left.nearest == right.nearest
            && (left.spelling == right.spelling || !(left < right) && !(right < left))
    }

    package static func < (left: DecimalNumber, right: DecimalNumber) -> Bool {
        guard left.nearest == right.nearest else { return left.nearest < right.nearest }
        let (left, right) = (left.parts, right.parts)
        if left.isNegative != right.isNegative { return left.isNegative }
        let (smaller, larger) = left.isNegative ? (right, left) : (left, right)
        // Zero has no digits, and is less than any number of its sign.
        if smaller.digits.isEmpty || larger.digits.isEmpty {
            return smaller.digits.isEmpty && !larger.digits.isEmpty
        }
        if smaller.exponent != larger.exponent { return smaller.exponent < larger.exponent }
        return smaller.digits.lexicographicallyPrecedes(larger.digits)
    }
}

extension DecimalNumber: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int) {
        spelling = String(value)
        nearest = Double(value)
    }
}
