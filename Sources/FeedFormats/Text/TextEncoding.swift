import Glibc

/// Turns a document's bytes into UTF-8.
package enum TextEncoding {
    /// Decodes a document.
    ///
    /// The encoding is the one of a byte order mark, else of the response's `charset`, else of the
    /// XML declaration, else UTF-8 (RFC 7303 §3). Labels are read as in the Encoding Standard:
    /// `iso-8859-1` is windows-1252, `gb2312` is GBK. There are two exceptions. UTF-8 that is
    /// declared as ASCII or as an encoding of single bytes is read as UTF-8. Bytes that are not
    /// UTF-8 are read as windows-1252, if more of them can be read then. Bytes that the encoding
    /// does not have become U+FFFD.
    ///
    /// - Returns: The text in UTF-8 without a byte order mark, and a note if something was odd.
    package static func decode(_ bytes: [UInt8], charset: String?) -> (text: [UInt8], note: String?)
    {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            return utf8(Array(bytes.dropFirst(3)), isGiven: true)
        }
        if let start = wideStarts.first(where: { bytes.starts(with: $0.bytes) }) {
            return convert(bytes.dropFirst(start.markCount), start.name)
        }
        let label = charset.flatMap(known) ?? declared(bytes).flatMap(known)
        guard let label = label ?? declaredInEBCDIC(bytes).flatMap(known) else {
            return utf8(bytes, isGiven: false)
        }
        if isUTF8(bytes, declaredAs: label) {
            return (bytes, "it is declared as \(label), and is UTF-8")
        }
        switch label {
        // Some documents are declared as UTF-8 and are not. A document that ends within a character
        // still counts as UTF-8.
        case "UTF-8": return utf8(bytes, isGiven: isUTF8(bytes.dropLast(3)))
        // A declaration that can be read byte by byte is not in UTF-16.
        case "UTF-16", "UTF-16LE", "UTF-16BE": return utf8(bytes, isGiven: false)
        case "WINDOWS-1252": return (windows1252(bytes[...]), nil)
        default: return convert(bytes[...], label)
        }
    }

    /// The first bytes of UTF-16 and UTF-32: a byte order mark, or `<` (XML 1.0, F.1); those of
    /// UTF-32 begin as those of UTF-16 do.
    private static let wideStarts: [(bytes: [UInt8], markCount: Int, name: String)] = [
        ([0xFF, 0xFE, 0, 0], 4, "UTF-32LE"), ([0, 0, 0xFE, 0xFF], 4, "UTF-32BE"),
        ([0x3C, 0, 0, 0], 0, "UTF-32LE"), ([0, 0, 0, 0x3C], 0, "UTF-32BE"),
        ([0xFF, 0xFE], 2, "UTF-16LE"), ([0xFE, 0xFF], 2, "UTF-16BE"), ([0x3C, 0], 0, "UTF-16LE"),
        ([0, 0x3C], 0, "UTF-16BE"),
    ]

    /// Returns the label in the XML declaration, read as ASCII.
    private static func declared(_ bytes: [UInt8]) -> String? {
        let head = bytes.prefix(1024).drop(while: \.isSpace)
        guard head.starts(with: "<?xml".utf8), let end = head.firstIndex(of: UInt8(ascii: ">"))
        else {
            return nil
        }
        let text = String(decoding: head[..<end], as: UTF8.self)
        guard let name = text.firstRange(of: "encoding") else { return nil }
        let value = text[name.upperBound...].drop { $0.isWhitespace || $0 == "=" }
        guard let quote = value.first, quote == "\"" || quote == "'" else { return nil }
        return String(value.dropFirst().prefix { $0 != quote })
    }

    /// Returns the label in the XML declaration of a document that begins with `<?xm` in EBCDIC
    /// (XML 1.0, F.1); all variants of EBCDIC have the same letters.
    private static func declaredInEBCDIC(_ bytes: [UInt8]) -> String? {
        guard bytes.starts(with: [0x4C, 0x6F, 0xA7, 0x94]),
            let converter = Converter(from: "IBM037")
        else { return nil }
        return declared(converter.convert(bytes.prefix(1024)).text)
    }

    /// Returns glibc's name of the encoding that a label means; `nil`: the label is not known.
    private static func known(_ label: String) -> String? {
        let label = label.trimmed.lowercased()
        if let name = name(label) { return name }
        // Some labels have `_` in place of `-`, or are only the number of a code page.
        let hyphenated = label.replacing("_", with: "-")
        if hyphenated != label, let name = name(hyphenated) { return name }
        return label.utf8.allSatisfy(\.isASCIIDigit) ? name("cp" + label) : nil
    }

    private static func name(_ label: String) -> String? {
        if let name = names[label] { return name }
        let isPlain = label.utf8.allSatisfy {
            $0.isASCIIAlphanumeric || [0x2D, 0x5F, 0x2E, 0x3A].contains($0)
        }
        let name = label.uppercased()
        return isPlain && !label.isEmpty && Converter(from: name) != nil ? name : nil
    }

    /// The names for iconv(3), by the labels that iconv(3) does not know or takes for another
    /// encoding (Encoding Standard §4.2).
    private static let names: [String: String] = {
        var names: [String: String] = [:]
        let groups: [(String, String)] = [
            ("UTF-8", "utf-8 utf8 unicode-1-1-utf-8 x-unicode20utf8 us-utf-8"),
            (
                "WINDOWS-1252",
                "iso-8859-1 iso8859-1 iso_8859-1 latin1 latin-1 l1 ascii us-ascii windows-1252"
                    + " cp1252 x-cp1252 cp819 ibm819 ansi_x3.4-1968 iso-ir-100"
            ),
            ("WINDOWS-1254", "iso-8859-9 iso8859-9 latin5 l5 windows-1254 cp1254 x-cp1254"),
            ("WINDOWS-874", "iso-8859-11 iso8859-11 tis-620 windows-874 dos-874"),
            ("GB18030", "gb2312 gbk gb_2312 gb_2312-80 gb18030 x-gbk chinese csgb2312 iso-ir-58"),
            ("BIG5-HKSCS", "big5 big5-hkscs cn-big5 csbig5 x-x-big5"),
            ("CP932", "shift_jis shift-jis sjis ms_kanji ms932 windows-31j x-sjis csshiftjis"),
            ("EUC-JP", "euc-jp eucjp x-euc-jp"),
            ("ISO-2022-JP", "iso-2022-jp csiso2022jp"),
            (
                "UHC",
                "euc-kr euckr ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 korean windows-949"
            ),
            ("KOI8-R", "koi8-r koi8 koi koi8_r cskoi8r"),
            ("KOI8-U", "koi8-u koi8-ru"),
            ("CP866", "ibm866 cp866 866 csibm866"),
            ("MACINTOSH", "macintosh mac x-mac-roman csmacintosh mac-roman macroman"),
            ("MAC-CENTRALEUROPE", "mac-latin2 maclatin2 mac-centeuro maccentraleurope x-mac-ce"),
            ("MAC-CYRILLIC", "x-mac-cyrillic mac-cyrillic"), ("MAC-UK", "x-mac-ukrainian"),
            ("MAC-IS", "mac-iceland maciceland x-mac-icelandic"),
            ("PT154", "ptcp154 pt154 cp154 cyrillic-asian csptcp154"),
            ("RK1048", "kz1048 kz-1048 rk1048 strk1048-2002"),
            ("UTF-16", "utf-16 unicode ucs-2 iso-10646-ucs-2 csunicode"),
            ("UTF-16LE", "utf-16le unicodefeff"), ("UTF-16BE", "utf-16be unicodefffe"),
        ]
        for (name, labels) in groups {
            for label in labels.split(separator: " ") { names[String(label)] = name }
        }
        for number in 1250...1258 where names["windows-\(number)"] == nil {
            for label in ["windows-\(number)", "cp\(number)", "x-cp\(number)"] {
                names[label] = "CP\(number)"
            }
        }
        return names
    }()
}

/// Converts bytes from a known encoding to UTF-8.
extension TextEncoding {
    private static func isUTF8(_ bytes: ArraySlice<UInt8>) -> Bool {
        (try? UTF8Span(validating: bytes.span)) != nil
    }

    /// Returns whether a document is UTF-8, but is declared as an encoding with one byte for each
    /// character.
    ///
    /// Hardly any text in such an encoding is UTF-8 by chance; in windows-1252, no meaningful text
    /// is.
    private static func isUTF8(_ bytes: [UInt8], declaredAs label: String) -> Bool {
        let isLatin = label == "WINDOWS-1252"
        let isSingle =
            isLatin
            || ["CP125", "WINDOWS-", "ISO-8859-", "ISO8859-", "KOI8", "MAC", "CP866"]
                .contains(where: label.hasPrefix)
        guard isSingle, isUTF8(bytes[...]) else { return false }
        let startCount = bytes.count { $0 >= 0xC2 }
        return startCount >= (isLatin ? 1 : 4)
    }

    /// Decodes UTF-8; if too much of it is wrong, decodes windows-1252 instead.
    ///
    /// - Parameter isGiven: Whether the bytes are read as UTF-8 in any case.
    private static func utf8(
        _ bytes: [UInt8],
        isGiven: @autoclosure () -> Bool
    ) -> (text: [UInt8], note: String?) {
        if isUTF8(bytes[...]) { return (bytes, nil) }
        let repaired = String(decoding: bytes, as: UTF8.self)
        // If most characters beyond ASCII are not UTF-8, the document never was: some bytes can
        // look like UTF-8 by chance. Otherwise some bytes are wrong.
        var (characterCount, faultCount) = (0, 0)
        for scalar in repaired.unicodeScalars where scalar.value > 0x7F {
            if scalar == "\u{FFFD}" { faultCount += 1 } else { characterCount += 1 }
        }
        if faultCount > characterCount, !isGiven() {
            return (windows1252(bytes[...]), "it is not UTF-8; read as windows-1252")
        }
        return (Array(repaired.utf8), "some bytes are not UTF-8")
    }

    private static func windows1252(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + bytes.count / 16)
        for byte in bytes {
            switch byte {
            case ..<0x80: text.append(byte)
            case ..<0xA0:
                text.append(
                    contentsOf: UTF8.encode(Windows1252.scalars[Int(byte) - 0x80])
                        ?? UTF8.encodedReplacementCharacter
                )
            default:
                text.append(0xC0 | byte >> 6)
                text.append(0x80 | byte & 0x3F)
            }
        }
        return text
    }

    private static func convert(
        _ bytes: ArraySlice<UInt8>,
        _ name: String
    ) -> (text: [UInt8], note: String?) {
        guard let converter = Converter(from: name) else {
            let text = utf8(Array(bytes), isGiven: false).text
            return (text, "its encoding, \(name), is not known here")
        }
        let (text, isWhole) = converter.convert(bytes)
        return (text, isWhole ? nil : "some bytes are not of its encoding, \(name)")
    }

    /// A conversion to UTF-8 by iconv(3).
    private final class Converter {
        private let state: iconv_t
        /// The number of bytes of a unit, which is skipped if it is wrong.
        private let unitByteCount: Int

        /// - Returns: `nil` for an encoding that the system does not know.
        init?(from name: String) {
            unitByteCount = name.hasPrefix("UTF-32") ? 4 : name.hasPrefix("UTF-16") ? 2 : 1
            state = iconv_open("UTF-8", name)
            if state == iconv_t(bitPattern: -1) { return nil }
        }

        deinit { iconv_close(state) }

        func convert(_ bytes: ArraySlice<UInt8>) -> (text: [UInt8], isWhole: Bool) {
            var input = bytes.map { CChar(bitPattern: $0) }
            var text: [UInt8] = []
            var isWhole = true
            var part = [CChar](repeating: 0, count: 64 << 10)
            input.withUnsafeMutableBufferPointer { input in
                var source = input.baseAddress
                var left = input.count
                while left > 0 {
                    let partCount = part.count
                    let (code, free) = part.withUnsafeMutableBufferPointer { part in
                        var target = part.baseAddress
                        var free = partCount
                        let result = iconv(state, &source, &left, &target, &free)
                        return (result == Int(bitPattern: UInt.max) ? errno : 0, free)
                    }
                    text.append(
                        contentsOf: part[..<(partCount - free)].lazy.map { UInt8(bitPattern: $0) }
                    )
                    if code == 0 || code == E2BIG { continue }
                    // A unit that is cut off is left out, such as a line feed of one byte.
                    if left < unitByteCount { break }
                    isWhole = false
                    text.append(contentsOf: "\u{FFFD}".utf8)
                    if code == EINVAL { break }
                    let skippedCount = min(unitByteCount, left)
                    source = source.map { $0 + skippedCount }
                    left -= skippedCount
                }
            }
            return (text, isWhole)
        }
    }
}
