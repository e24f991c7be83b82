import Testing

@testable import FeedCollation

private let plain = "A B C D E F G H I J K L M N O P Q R S T U V W X Y Z"

@Suite struct SectionTitles {
    @Test(arguments: [
        ("en", "\(plain) #"),
        ("de", "\(plain) #"),
        ("fr-CA", "\(plain) #"),
        ("sv", "\(plain) Å Ä Ö #"),
        ("da", "\(plain) Æ Ø Å #"),
        ("nb", "\(plain) Æ Ø Å #"),
        ("es", "A B C D E F G H I J K L M N Ñ O P Q R S T U V W X Y Z #"),
        ("lt", "A B C Č D E F G H I J K L M N O P Q R S Š T U V W X Z Ž #"),
        ("ko", "ㄱ ㄴ ㄷ ㄹ ㅁ ㅂ ㅅ ㅇ ㅈ ㅊ ㅋ ㅌ ㅍ ㅎ \(plain) #"),
        ("ja", "あ か さ た な は ま や ら わ \(plain) #"),
        ("zh", "\(plain) #"),
        ("zh-CN", "\(plain) #"),
        ("zh-TW", (1...48).map { "\($0)劃 " }.joined() + "\(plain) #"),
        (
            "ru",
            "А Б В Г Д Е Ж З И Й К Л М Н О П Р С Т У Ф Х Ц Ч Ш Щ Ы Э Ю Я \(plain) #"
        ),
        ("el", "Α Β Γ Δ Ε Ζ Η Θ Ι Κ Λ Μ Ν Ξ Ο Π Ρ Σ Τ Υ Φ Χ Ψ Ω \(plain) #"),
        ("he", "א ב ג ד ה ו ז ח ט י כ ל מ נ ס ע פ צ ק ר ש ת \(plain) #"),
    ])
    func sectionTitlesAreTheLettersOfTheLocale(_ locale: String, _ titles: String) throws {
        let collation = try #require(IndexedCollation(locale: locale))
        #expect(collation.sectionTitles == titles.split(separator: " ").map(String.init))
        #expect(collation.sectionIndexTitles == collation.sectionTitles)
    }

    @Test(arguments: LetterIndex.knownLanguages)
    func sectionTitlesDifferAndAreIDs(_ language: String) throws {
        let collation = try #require(IndexedCollation(locale: language))
        let titles = collation.sectionTitles
        #expect(titles.last == "#")
        #expect(Set(titles.map { Array($0.utf8) }).count == titles.count)
        #expect(titles.allSatisfy { 1...256 ~= $0.utf8.count })
    }

    /// The table and the library agree: each letter begins its own section, and a section's
    /// letter sorts where its title stands.
    @Test(arguments: LetterIndex.knownLanguages)
    func sectionTitlesGoToTheirOwnSection(_ language: String) throws {
        let collation = try #require(IndexedCollation(locale: language))
        for (section, title) in collation.sectionTitles.enumerated() where !title.hasSuffix("劃") {
            #expect(collation.section(for: title) == section, "\(title)")
            guard section < collation.sectionTitles.count - 1 else { continue }
            // Where i has a dot in capitals too, the small letter of I is another one.
            if title == "I", ["az", "tr"].contains(language) { continue }
            #expect(collation.section(for: title.lowercased()) == section, "\(title)")
            #expect(collation.section(for: title + "\u{301}x") >= section, "\(title)")
        }
    }

    @Test(arguments: LetterIndex.knownLanguages)
    func sectionTitlesStandInTheLocalesOrder(_ language: String) throws {
        let collation = try #require(IndexedCollation(locale: language))
        var scripts: [Script: [String]] = [:]
        for title in collation.sectionTitles {
            guard let script = Script(startOf: title) else { continue }
            scripts[script, default: []].append(title)
        }
        for (script, titles) in scripts where script != .latin || scripts.count == 1 {
            #expect(collation.sorted(titles) { $0 } == titles)
        }
    }
}
