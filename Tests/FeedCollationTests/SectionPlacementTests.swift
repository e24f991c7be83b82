import Testing

@testable import FeedCollation

@Suite struct PlacementInSections {
    private func expect(_ title: String, for strings: String, in locale: String) throws {
        let collation = try #require(IndexedCollation(locale: locale))
        for string in strings.split(separator: " ") {
            let section = collation.section(for: String(string))
            #expect(collation.sectionTitles[section] == title, "\(string) in \(locale)")
        }
    }

    @Test(arguments: [
        ("A", "adam Adam ÀB Äpfel Ångström ãx ǻ ª 𝐀 Ａ ａ ⓐ 🄰 æsir Ægir ậ"),
        ("E", "E\u{301}mile e\u{301} Émile e\u{323}\u{302} ệ Èze əx"),
        ("D", "đ Ð ď ǆ"), ("F", "ﬁnance ﬀ"), ("H", "ħ ℋ ʰ"), ("I", "İx ı Ⅳ ⅱ"), ("L", "łódź ĿL"),
        ("N", "ñu № ŋ"), ("O", "Øre œuvre Öl ºx"), ("S", "ßa straße ŝ ſ ẞ"), ("T", "ŧ ™"),
        ("Z", "ž ź ż ƶ Zz"),
    ])
    func placementOfLatinLettersIsByTheBaseLetter(_ title: String, _ strings: String) throws {
        try expect(title, for: strings, in: "en")
        try expect(title, for: strings, in: "de-AT")
    }

    @Test(arguments: [
        "1 42 ٣ ½ ① + - _ . ( “Adam” ’t #x @x $ € ° ℃ ㈎ 😀 👩‍👩‍👧 🇸🇪 ❤️ 〒 ー 々",
        "Жуков Ωmega שלום سلام ไทย हिन्दी 한글 あ ア 漢字 ქ ա ꙮ 𐍈 𓀀 þorn Ʒ ǃ ƿynn",
        "\u{e000} \u{10fffd} \u{fffd} \u{378} \u{301} \u{200d} \u{0}",
    ])
    func placementOfWhatFitsNowhereIsLast(_ strings: String) throws {
        try expect("#", for: strings, in: "en")
        let collation = try #require(IndexedCollation(locale: "en"))
        for string in ["", " Adam", "\tAdam", "\nA", "\u{a0}A", "\u{3000}A", "\u{2028}A"] {
            #expect(collation.section(for: string) == 26)
        }
        for value in [0xfdd0, 0xfffe, 0xffff, 0x10ffff] as [UInt32] {
            let scalar = try #require(Unicode.Scalar(value))
            #expect(collation.section(for: "\(scalar)A") == 26)
        }
    }

    @Test(arguments: [
        "\u{feff}B", "\u{200b}b", "\u{200e}\u{202a}B", "\u{301}b", "\u{0}b", "\u{7}B", "\u{ad}b",
        "B\u{301}\u{302}\u{303}", "b\u{20dd}", "\u{e0001}b",
    ])
    func skipsWhatSortingIgnores(_ string: String) throws {
        let collation = try #require(IndexedCollation(locale: "en"))
        #expect(collation.sectionTitles[collation.section(for: string)] == "B")
    }

    @Test(arguments: [
        ("sv", "Å", "Åsa åa A\u{30a}"), ("sv", "Ä", "Ärla æ"), ("sv", "Ö", "Öga øre œ"),
        ("sv", "A", "Aalto á"), ("sv", "Y", "ü Ÿ"), ("sv", "W", "wa"), ("sv", "Z", "Zz ž"),
        ("da", "Å", "Aalborg Århus aa"), ("da", "Ø", "øl Öl"), ("da", "Æ", "Ægir ärlig"),
        ("nb", "Å", "Aasen Ås"), ("fi", "Å", "Åbo"), ("fi", "Z", "Zorro ž ʒ"), ("is", "Þ", "Þór þ"),
        ("is", "Ð", "ð"),
        ("es", "Ñ", "ñu Ñandú n\u{303}"), ("es", "N", "nz nada"), ("es", "C", "chico"),
        ("lt", "I", "ya Ilona Ypatinga į"), ("lt", "Č", "č"), ("lt", "A", "ą"), ("lt", "Ž", "ž"),
        ("cs", "CH", "chleba Cheb CH"), ("cs", "H", "hrad"), ("cs", "C", "cukr"), ("cs", "Č", "č"),
        ("hu", "CS", "csak Cs"), ("hu", "DZS", "dzsem"), ("hu", "E", "élet"), ("hu", "Ö", "ő ö"),
        ("pl", "Ł", "łódź"), ("pl", "Ź", "ź"), ("pl", "Ż", "ż"), ("pl", "A", "a áb"),
        ("tr", "I", "ırmak IRMAK"), ("tr", "İ", "istanbul İzmir"), ("tr", "Ç", "çay"),
        ("et", "Z", "zoo"), ("et", "Ž", "žanr"), ("et", "Õ", "õ"), ("vi", "Ơ", "ở Ơn"),
        ("vi", "Đ", "đi"), ("hr", "DŽ", "džep ǆ"), ("hr", "LJ", "ljubav ǉ"), ("cy", "LL", "llan"),
        ("uz", "Sh", "shahar"), ("mt", "GĦ", "għajn"), ("az", "X", "xalq"), ("az", "Ə", "ə"),
    ])
    func placementOfLettersOfTheLanguagesOwnIsThere(
        _ locale: String,
        _ title: String,
        _ strings: String
    ) throws {
        try expect(title, for: strings, in: locale)
    }

    @Test(arguments: [
        ("ㄱ", "가 까 각 ㄱ ㄲ 깍두기 ᄀ ﾡ ㉠ \u{1100}\u{1161} 강남 金 ㉮"), ("ㄴ", "나 ㄴ 냥"),
        ("ㄷ", "다 따 ㄸ 또"), ("ㅂ", "바 빠 뽀"), ("ㅅ", "사 싸 쌍 씨"), ("ㄹ", "라 李"), ("ㅇ", "아 이"),
        ("ㅈ", "자 짜"), ("ㅎ", "하 힣 漢 ㅎ"), ("A", "adam Ä"), ("Z", "Zoo"),
        ("#", "ㅏ あ Ж 1 😀 𠀀 ㈎"),
    ])
    func placementOfHangulIsByTheFirstConsonant(_ title: String, _ strings: String) throws {
        try expect(title, for: strings, in: "ko")
        try expect(title, for: strings, in: "ko-KR")
    }

    @Test(arguments: [
        ("あ", "あ ア ァ ぁ ｱ い う ヴ お え ㋐"), ("か", "か が ガ ゕ ヵ け ご ｶﾞ"), ("さ", "しゃ ザ"),
        ("た", "つ っ づ と"), ("な", "の"), ("は", "ぱ ば フ ほ"), ("ま", "も"), ("や", "ゃ ヨ"),
        ("ら", "ロ"), ("わ", "わ を ん ヰ ヮ ヷ"), ("A", "abc ａ"), ("#", "漢 日本 한 ー 1 々 〆"),
    ])
    func placementOfKanaIsByRow(_ title: String, _ strings: String) throws {
        try expect(title, for: strings, in: "ja")
    }

    @Test(arguments: [
        ("A", "阿 安 Adam á ā"), ("B", "八 白 北京"), ("C", "陈"), ("E", "ē e 鹅 Ěx"), ("G", "广州"),
        ("L", "李 刘 lǐ"), ("O", "ō 欧"), ("S", "上海 所 索"), ("U", "ü Ǖ ǖ ū"), ("W", "王 吴"),
        ("X", "谢 x"), ("Y", "一 杨"), ("Z", "张 中国 做 蓙 z"), ("#", "𠀂 𪛙 あ 한 1"),
    ])
    func placementOfHanInChineseIsByPinyin(_ title: String, _ strings: String) throws {
        try expect(title, for: strings, in: "zh")
        try expect(title, for: strings, in: "zh-Hans-SG")
        try expect(title, for: strings, in: "yue-Hans")
    }

    @Test(arguments: [
        ("1劃", "一 乙"), ("2劃", "二 丁"), ("4劃", "王 不"), ("7劃", "李 吳"), ("11劃", "張 陳"),
        ("48劃", "𦧅"), ("A", "Adam á"), ("#", "あ 1 𪚥"),
    ])
    func placementOfHanInTraditionalChineseIsByStrokes(_ title: String, _ strings: String) throws {
        for locale in ["zh-Hant", "zh-TW", "zh_HK", "yue"] {
            try expect(title, for: strings, in: locale)
        }
    }

    @Test(arguments: [
        ("ru", "Ж", "Жуков ж"), ("ru", "Е", "Ёлка е е\u{308}"), ("ru", "И", "иван"),
        ("ru", "Й", "йод"),
        ("ru", "A", "Adam"), ("uk", "Ґ", "ґ"), ("uk", "Ї", "їжак"), ("bg", "Я", "яма"),
        ("sr", "Љ", "љубав"), ("el", "Α", "Ά άλφα ἀ ᾳ"), ("el", "Ω", "ώρα"), ("el", "Μ", "µm μ"),
        ("el", "Z", "zeta"), ("el", "#", "ϣ"),
        ("he", "כ", "כלב ך"), ("he", "ש", "שׁ שלום"), ("he", "#", "ب Ж"),
        ("ar", "ا", "أحمد آ ا ﺍ ء"),
        ("ar", "ي", "ي يد"), ("fa", "پ", "پدر"), ("th", "ก", "ก เก กา แก"), ("hi", "क", "कमल क़"),
        ("hi", "#", "१"), ("ka", "ა", "აბ Ა"), ("hy", "Ա", "ա"), ("am", "ሀ", "ሁ"),
        ("ta", "க", "கா"),
    ])
    func placementOfOtherScriptsIsByLetter(_ locale: String, _ title: String, _ strings: String)
        throws
    {
        try expect(title, for: strings, in: locale)
    }
}
