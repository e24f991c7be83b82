import FeedModel

/// Character references of XML and HTML: `&amp;`, `&#38;`, `&#x26;`.
enum CharacterReferences {
    /// The texts of the names; a legacy name counts without a semicolon, too.
    private static let named: [Substring: (text: String, isLegacy: Bool)] = {
        var all: [Substring: (text: String, isLegacy: Bool)] = [:]
        for entry in HTMLEntityTable.text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
            let parts = entry.split(separator: "=")
            let isLegacy = parts[0].hasSuffix("*")
            let scalars = parts[1].split(separator: "+").compactMap {
                UInt32($0, radix: 16).flatMap(Unicode.Scalar.init)
            }
            let text = String(String.UnicodeScalarView(scalars))
            all[isLegacy ? parts[0].dropLast() : parts[0]] = (text, isLegacy)
        }
        return all
    }()

    /// The length of the longest name, CounterClockwiseContourIntegral.
    private static let longestName = 31

    /// Resolves references; other text stays as it is.
    ///
    /// The names are HTML's, in XML too: feeds use `&nbsp;` though XML does not know it.
    ///
    /// - Parameter isText: Whether the bytes are text of HTML, not an attribute: in text, quotation
    ///   marks and angle brackets need no semicolon.
    static func resolve(_ bytes: ArraySlice<UInt8>, isText: Bool = false) -> ArraySlice<UInt8> {
        let ampersand = UInt8(ascii: "&")
        guard var next = bytes.firstIndex(of: ampersand, from: bytes.startIndex) else {
            return bytes
        }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var start = bytes.startIndex
        while true {
            result.append(contentsOf: bytes[start..<next])
            if let (text, end) = reference(in: bytes, at: next, isText) {
                result.append(contentsOf: text.utf8)
                start = end
            } else {
                result.append(ampersand)
                start = next + 1
            }
            guard let following = bytes.firstIndex(of: ampersand, from: start) else { break }
            next = following
        }
        result.append(contentsOf: bytes[start...])
        return result[...]
    }

    /// Returns a text with its references resolved.
    static func text(_ bytes: ArraySlice<UInt8>, isText: Bool = false) -> String {
        String(decoding: resolve(bytes, isText: isText), as: UTF8.self)
    }

    private static func reference(
        in bytes: ArraySlice<UInt8>,
        at ampersand: Int,
        _ isText: Bool
    ) -> (String, end: Int)? {
        let rest = bytes[(ampersand + 1)...]
        if rest.first == UInt8(ascii: "#") { return numbered(rest.dropFirst()) }
        let name = rest.prefix(longestName + 1).prefix { $0.isASCIIAlphanumeric }
        guard !name.isEmpty else { return nil }
        let end = name.endIndex
        let isClosed = end < bytes.endIndex && bytes[end] == UInt8(ascii: ";")
        if isClosed, let text = common(name) { return (text, end + 1) }
        if isClosed, let named = named[Substring(decoding: name, as: UTF8.self)] {
            return (named.text, end + 1)
        }
        // Without a semicolon only the oldest names count, the longest first, and not before a
        // letter that may belong to a name or an "=" of a query (HTML Standard, "Named character
        // reference state").
        for count in stride(from: min(name.count, 6), through: 2, by: -1) {
            let part = Substring(decoding: name.prefix(count), as: UTF8.self)
            guard let named = named[part], named.isLegacy else { continue }
            let next = name.startIndex + count
            if next < bytes.endIndex, !isText || !["quot", "lt", "gt"].contains(part),
                bytes[next] == UInt8(ascii: "=") || bytes[next].isASCIIAlphanumeric
            {
                return nil
            }
            return (named.text, next)
        }
        return nil
    }

    /// Returns the character of a name of XML, which nearly all references use (XML 1.0 §4.6).
    private static func common(_ name: ArraySlice<UInt8>) -> String? {
        let first = name.startIndex
        switch name.count {
        case 2 where name[first + 1] == UInt8(ascii: "t"):
            if name[first] == UInt8(ascii: "l") { return "<" }
            return name[first] == UInt8(ascii: "g") ? ">" : nil
        case 3: return name.elementsEqual("amp".utf8) ? "&" : nil
        case 4:
            if name.elementsEqual("quot".utf8) { return "\"" }
            return name.elementsEqual("apos".utf8) ? "'" : nil
        default: return nil
        }
    }

    /// Returns the character of a numeric reference; two references may be the halves of a
    /// surrogate pair.
    private static func numbered(_ digits: ArraySlice<UInt8>) -> (String, end: Int)? {
        guard let (high, end) = numeric(digits) else { return nil }
        let next = digits[end...]
        if 0xD800...0xDBFF ~= high, next.starts(with: "&#".utf8),
            let (low, end) = numeric(next.dropFirst(2)), 0xDC00...0xDFFF ~= low
        {
            return (character(0x1_0000 + (high - 0xD800) << 10 + (low - 0xDC00)), end)
        }
        return (character(high), end)
    }

    private static func numeric(_ digits: ArraySlice<UInt8>) -> (value: UInt32, end: Int)? {
        let isHex = digits.first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
        let part = isHex ? digits.dropFirst() : digits
        let run = part.prefix { isHex ? $0.hexValue != nil : 0x30...0x39 ~= $0 }
        guard !run.isEmpty else { return nil }
        var value: UInt32 = 0
        for digit in run {
            value = min(value * (isHex ? 16 : 10) + UInt32(digit.hexValue ?? 0), 0x11_0000)
        }
        let end = run.endIndex
        let isClosed = end < digits.endIndex && digits[end] == UInt8(ascii: ";")
        return (value, isClosed ? end + 1 : end)
    }

    /// Returns a code point as HTML reads it: C1 is taken as windows-1252, and a value that is no
    /// character becomes U+FFFD (HTML Standard, "Numeric character reference end state").
    ///
    /// Controls of C0 are left out.
    private static func character(_ value: UInt32) -> String {
        if 0x80...0x9F ~= value {
            return String(Windows1252.scalars[Int(value - 0x80)])
        }
        guard let scalar = Unicode.Scalar(value), value >= 0x20 || [9, 10, 13].contains(value)
        else {
            return value < 0x20 && value > 0 ? "" : "\u{FFFD}"
        }
        return String(scalar)
    }
}

/// The code points of the bytes 0x80 to 0x9F in windows-1252 (Encoding Standard).
enum Windows1252 {
    static let scalars: [Unicode.Scalar] = [
        "\u{20AC}", "\u{81}", "\u{201A}", "\u{192}", "\u{201E}", "\u{2026}", "\u{2020}",
        "\u{2021}", "\u{2C6}", "\u{2030}", "\u{160}", "\u{2039}", "\u{152}", "\u{8D}", "\u{17D}",
        "\u{8F}", "\u{90}", "\u{2018}", "\u{2019}", "\u{201C}", "\u{201D}", "\u{2022}",
        "\u{2013}", "\u{2014}", "\u{2DC}", "\u{2122}", "\u{161}", "\u{203A}", "\u{153}",
        "\u{9D}", "\u{17E}", "\u{178}",
    ]
}
