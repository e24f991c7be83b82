import Testing

@testable import FeedFormats

/// Bytes become text, whatever their encoding.
@Suite struct Encodings {
    private static func title(_ bytes: [UInt8], charset: String? = nil) throws -> String? {
        var reader = FeedReader()
        reader.charset = charset
        return try reader.read(bytes).title
    }

    private static func document(_ title: [UInt8], declared: String?) -> [UInt8] {
        let declaration = declared.map { "<?xml version='1.0' encoding='\($0)'?>" } ?? ""
        return Array("\(declaration)<rss><channel><title>".utf8) + title
            + Array("</title></channel></rss>".utf8)
    }

    private static let samples: [(String, [UInt8], String)] = [
        ("utf-8", Array("é".utf8), "é"), ("ISO-8859-1", [0xE9], "é"), ("iso-8859-1", [0x92], "’"),
        ("windows-1251", [0xCF, 0xF0], "Пр"), ("KOI8-R", [0xF0, 0xD2], "Пр"),
        ("iso-8859-2", [0xB9], "š"), ("iso-8859-15", [0xA4], "€"), ("gb2312", [0x81, 0x40], "丂"),
        ("GBK", [0xC4, 0xE3], "你"), ("big5", [0xA7, 0x41], "你"), ("shift_jis", [0x87, 0x40], "①"),
        ("euc-jp", [0xA4, 0xA2], "あ"), ("euc-kr", [0xB0, 0xA1], "가"),
        ("windows_1251", [0xCF, 0xF0], "Пр"), ("iso_8859_5", [0xBF, 0xE0], "Пр"),
        ("1251", [0xCF, 0xF0], "Пр"), ("euc_jp", [0xA4, 0xA2], "あ"), ("mac-roman", [0x8E], "é"),
        ("macroman", [0x8E], "é"), ("mac_latin2", [0x8E], "é"), ("x-mac-cyrillic", [0x80], "А"),
        ("ptcp154", [0xCF], "П"), ("kz1048", [0xCF], "П"), ("tis_620", [0xA1], "ก"),
        ("windows-1254", [0xFE], "ş"), ("x-unknown", Array("é".utf8), "é"), ("utf-16", [0x78], "x"),
    ]

    @Test(arguments: samples)
    func labelsAreReadAsBrowsersDo(_ label: String, _ bytes: [UInt8], _ expected: String) throws {
        #expect(try Encodings.title(Encodings.document(bytes, declared: label)) == expected)
        #expect(
            try Encodings.title(Encodings.document(bytes, declared: nil), charset: label)
                == expected
        )
    }

    /// The declaration itself is in the encoding (XML 1.0, F.1).
    @Test(arguments: ["cp037", "ebcdic-cp-us", "IBM500", "ebcdic_cp_nl"])
    func ebcdicIsRead(_ label: String) throws {
        let declaration = "<?xml version='1.0' encoding='\(label)'?>"
        let ebcdic: [Character: UInt8] = [
            " ": 0x40, ".": 0x4B, "<": 0x4C, "-": 0x60, "/": 0x61, "_": 0x6D, ">": 0x6E, "?": 0x6F,
            "'": 0x7D, "=": 0x7E, "é": 0x51,
        ]
        let bytes = (declaration + "<rss><channel><title>café</title></channel></rss>").map {
            if let byte = ebcdic[$0] { return byte }
            let letter = $0.asciiValue ?? 0
            switch $0.lowercased() {
            case "0"..."9": return letter + 0xC0
            case "a"..."i": return letter + ($0.isLowercase ? 0x20 : 0x80)
            case "j"..."r": return letter + ($0.isLowercase ? 0x27 : 0x87)
            default: return letter + ($0.isLowercase ? 0x2F : 0x8F)
            }
        }
        #expect(try Encodings.title(bytes) == "café")
        #expect(try Encodings.title(bytes, charset: label) == "café")
    }

    @Test func aMarkSaysMoreThanTheTransportAndThatMoreThanTheDeclaration() throws {
        let text = Encodings.document(Array("é".utf8), declared: "koi8-r")
        #expect(try Encodings.title([0xEF, 0xBB, 0xBF] + text, charset: "koi8-r") == "é")
        #expect(try Encodings.title(text, charset: "utf-8") == "é")
    }

    @Test(arguments: [true, false])
    func utf16IsRead(_ hasMark: Bool) throws {
        let text = "<rss><channel><title>é😀</title></channel></rss>"
        let little = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        #expect(try Encodings.title((hasMark ? [0xFF, 0xFE] : []) + little) == "é😀")
        #expect(try Encodings.title((hasMark ? [0xFE, 0xFF] : []) + big) == "é😀")
    }

    @Test(
        arguments: [[0xFF, 0xFE], [0xFE, 0xFF], [0xFF, 0xFE, 0, 0], [0, 0, 0xFE, 0xFF]] as [[UInt8]]
    )
    func aByteTooManyIsLeftOut(_ mark: [UInt8]) {
        let (text, note) = TextEncoding.decode(mark + [0x0A], charset: nil)
        #expect(text.isEmpty)
        #expect(note == nil)
    }

    @Test func bytesThatAreNoTextAreReplaced() throws {
        let mixed = Encodings.document(Array("é".utf8) + [0xFF], declared: "utf-8")
        #expect(try Encodings.title(mixed) == "é\u{FFFD}")
        #expect(try Encodings.title(Encodings.document([0xE9], declared: nil)) == "é")
        #expect(
            try Encodings.title(Encodings.document([0xE9, 0x20, 0x92], declared: "utf-8")) == "é ’"
        )
    }

    /// Letters with accents, a no-break space and quotation marks can look like UTF-8 by chance.
    @Test(
        arguments: [
            [0xE9, 0xA0, 0xBB], [0xC3, 0xA9], [0xE2, 0x80, 0x9C], [0xF1, 0x80, 0x80, 0x80],
        ] as [[UInt8]]
    )
    func someCharactersOfUTF8DoNotMakeADocumentUTF8(_ chance: [UInt8]) throws {
        let rest = [0xE9, 0x20, 0xE0, 0x20, 0xE7, 0x20] as [UInt8]
        let title = try Encodings.title(Encodings.document(rest + chance, declared: nil))
        #expect(title?.hasPrefix("é à ç ") == true)
        #expect(title?.contains("\u{FFFD}") == false)
    }

    @Test func someWrongBytesDoNotSpoilTheOthers() throws {
        let bytes = Array("«été»".utf8) + [0xE9] + Array("à".utf8)
        for declared in [nil, "utf-8"] {
            let title = try Encodings.title(Encodings.document(bytes, declared: declared))
            #expect(title == "«été»\u{FFFD}à")
        }
    }

    @Test(arguments: [
        ("iso-8859-1", "é"), ("us-ascii", "naïve — “déjà vu”"), ("windows-1252", "…"),
        ("windows-1251", "Привет"), ("iso-8859-15", "naïve — “déjà vu”"), ("koi8-r", "Привет"),
    ])
    func utf8IsReadThoughItIsDeclaredAsAnEncodingOfSingleBytes(
        _ label: String,
        _ text: String
    ) throws {
        let bytes = Array(text.utf8)
        #expect(try Encodings.title(Encodings.document(bytes, declared: label)) == text)
        let undeclared = Encodings.document(bytes, declared: nil)
        #expect(try Encodings.title(undeclared, charset: label) == text)
        let feed = try FeedReader().read(Encodings.document(bytes, declared: label))
        #expect(feed.notes.first?.contains("is UTF-8") == true)
    }

    /// Two bytes of Chinese are sometimes UTF-8 by chance.
    @Test func encodingsOfSeveralBytesAreBelieved() throws {
        let title = try Encodings.title(Encodings.document([0xC4, 0xA3], declared: "gbk"))
        #expect(title == "模")
    }

    @Test(arguments: [[0xD83D], [0xDE00], [0xD83D, 0xD83D]] as [[UInt16]])
    func halfASurrogateCostsOneCharacter(_ units: [UInt16]) throws {
        let text =
            Array("<rss><channel><title>é".utf16) + units + Array("你</title></channel></rss>".utf16)
        let little = text.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let expected = "é" + String(repeating: "\u{FFFD}", count: units.count) + "你"
        #expect(try Encodings.title([0xFF, 0xFE] + little) == expected)
        #expect(try Encodings.title(little + [0x20]) == expected)
    }

    @Test(arguments: [true, false])
    func utf32IsRead(_ isLittle: Bool) throws {
        for mark in ["\u{FEFF}", ""] {
            let text = "\(mark)<rss><channel><title>é😀</title></channel></rss>"
            let bytes = text.unicodeScalars.flatMap { scalar in
                let bytes = (0..<4).map { UInt8(scalar.value >> ($0 * 8) & 0xFF) }
                return isLittle ? bytes : bytes.reversed()
            }
            #expect(try Encodings.title(bytes) == "é😀")
        }
    }
}
