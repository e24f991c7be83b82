/// The letters of a locale's index (`A`, `B` …), and where each begins in the locale's order.
struct LetterIndex {
    /// The start of a section in the order of one script's strings.
    struct Boundary {
        /// The first string that may belong to the section.
        let string: String

        /// The index of the section in ``titles``; `nil`: the strings from here on belong to no
        /// letter.
        let section: Int?
    }

    /// The titles of the sections in order; the last is ``other``.
    private(set) var titles: [String] = []

    /// The boundaries of each script in the index, unsorted.
    private(set) var boundaries: [Script: [Boundary]] = [:]

    /// The title of the section for strings that belong to no letter.
    static let other = "#"

    /// Makes the index of a locale; `nil`: the language is not known.
    init?(_ locale: CollationLocale) {
        switch (locale.language, locale.script) {
        case ("ja", _):
            add("あかさたなはまやらわ".map(String.init), of: .kana)
            add(LetterIndex.plainLetters, of: .latin)
        case ("ko", _):
            addKorean()
        case ("zh", "Hant"), ("yue", nil), ("yue", "Hant"):
            addStrokes()
        case ("zh", _), ("yue", _):
            addPinyin()
        default:
            let written = locale.script.flatMap { LetterIndex.letters["\(locale.language)_\($0)"] }
            guard let own = written ?? LetterIndex.letters[locale.language] else { return nil }
            add(own, of: Script(startOf: own[0]) ?? .latin)
            if boundaries[.latin] == nil { add(LetterIndex.plainLetters, of: .latin) }
        }
        end(.latin, at: ["ʒ", "ǀ"])
        titles.append(LetterIndex.other)
    }
}

extension LetterIndex {
    /// Adds a section for each letter.
    private mutating func add(_ letters: [String], of script: Script) {
        boundaries[script, default: []] += letters.enumerated().map {
            Boundary(string: $1, section: titles.count + $0)
        }
        titles += letters
    }

    /// Adds boundaries from which on strings belong to no letter of the index.
    ///
    /// Examples are strings that begin with letters after z (ezh, thorn, clicks), or with jamo that
    /// begin no syllable.
    private mutating func end(_ script: Script, at strings: [String]) {
        boundaries[script, default: []] += strings.map { Boundary(string: $0, section: nil) }
    }

    /// Adds the index for Korean.
    ///
    /// Syllables go under their first consonant; a doubled consonant goes with the single one. Han
    /// goes under its reading; Han without a reading in the Korean order goes to ``other``.
    private mutating func addKorean() {
        add("ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ".map(String.init), of: .hangul)
        end(.hangul, at: ["\u{1161}"])
        boundaries[.han] = boundaries[.hangul]
        add(LetterIndex.plainLetters, of: .latin)
    }

    /// Adds the index for Chinese by pinyin: Han goes under the first letter of its reading.
    ///
    /// CLDR's collation data has an index marker where each letter's readings begin: the string of
    /// U+FDD0 and the letter (UTS #35, part 5, "CJK Index Markers"). No reading begins with I, U or
    /// V; the markers of these letters sort last.
    private mutating func addPinyin() {
        add(LetterIndex.plainLetters, of: .latin)
        boundaries[.han] = LetterIndex.plainLetters.enumerated().map {
            Boundary(string: LetterIndex.markerStart + $1, section: $0)
        }
        // Han characters without a reading sort after all others; this is the first of them.
        end(.han, at: ["\u{2a6d9}"])
    }

    /// Adds the index for Chinese by strokes: Han goes under the number of its strokes, up to 48.
    ///
    /// CLDR has index markers as in ``addPinyin()``; here U+2800 plus the number of strokes follows
    /// U+FDD0. From the marker of 52 strokes on, Han goes to ``other``.
    private mutating func addStrokes() {
        let markers = (1...52).compactMap { Unicode.Scalar(0x2800 + $0) }.map { String($0) }
        add((1...48).map { "\($0)劃" }, of: .han)
        boundaries[.han] = zip(markers, 0..<48).map {
            Boundary(string: LetterIndex.markerStart + $0, section: $1)
        }
        end(.han, at: [LetterIndex.markerStart + markers[51]])
        add(LetterIndex.plainLetters, of: .latin)
    }
}

extension LetterIndex {
    private static let plainLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".map(String.init)

    /// The start of CLDR's index markers: U+FDD0, a noncharacter, which a string literal cannot
    /// have.
    private static let markerStart = String(decoding: [0xfdd0] as [UInt16], as: UTF16.self)

    /// The letters of each language, by `language` or `language_Script`, in that script.
    private static let letters: [String: [String]] = {
        var letters: [String: [String]] = [:]
        for language in IndexLetters.plainLatin.split(whereSeparator: \.isWhitespace) {
            letters[String(language)] = plainLetters
        }
        for (languages, row) in IndexLetters.latin {
            for language in languages.split(separator: " ") {
                letters[String(language)] = row.split(separator: " ").map(String.init)
            }
        }
        for (languages, row) in IndexLetters.otherScripts {
            for language in languages.split(separator: " ") {
                letters[String(language)] = row.unicodeScalars.map { String($0) }
            }
        }
        return letters
    }()

    /// All languages with an index, for tests: from the table, and with rules in this file.
    static var knownLanguages: [String] {
        letters.keys.sorted() + ["ja", "ko", "yue", "yue_Hans", "zh", "zh_Hant"]
    }
}
