/// The parts of a locale's name, such as `en`, `pt_BR` or `zh-Hant-TW`.
struct CollationLocale: Equatable {
    /// The language as CLDR spells it.
    let language: String

    /// The script, if the name has one or its region implies one.
    let script: String?

    /// The region, a code of two letters or three digits.
    let region: String?

    /// Reads a locale's name (RFC 5646 §2.1), with `-` or `_` between its parts, in upper or lower
    /// case.
    ///
    /// Variants and extensions are dropped; an extension begins with a part of one character, or
    /// with `@`.
    ///
    /// - Returns: `nil` for a text of another form; the language need not exist.
    init?(_ identifier: String) {
        let name = identifier.utf8.prefix { $0 != UInt8(ascii: "@") }
        let subtags = name.split(
            omittingEmptySubsequences: false,
            whereSeparator: { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
        )
        var rest = subtags.prefix { $0.count != 1 }
        guard rest.allSatisfy(CollationLocale.isSubtag), let first = rest.popFirst(),
            2...3 ~= first.count, CollationLocale.isLetters(first)
        else { return nil }
        let language = String(decoding: first, as: UTF8.self).lowercased()
        var script: String?
        var region: String?
        if let next = rest.first, next.count == 4, CollationLocale.isLetters(next) {
            script = String(decoding: next, as: UTF8.self).capitalizedASCII
            rest.removeFirst()
        }
        if let next = rest.first, CollationLocale.isRegion(next) {
            region = String(decoding: next, as: UTF8.self).uppercased()
            rest.removeFirst()
        }
        guard rest.allSatisfy(CollationLocale.isVariant) else { return nil }
        let implied = region.flatMap { CollationLocale.impliedScripts["\(language)_\($0)"] }
        self.language = CollationLocale.aliases[language] ?? language
        self.script = script ?? implied ?? (language == "sh" ? "Latn" : nil)
        self.region = region
    }

    /// The name that the collation library takes: language, script and region.
    var collatorName: String {
        [language, script, region].compactMap(\.self).joined(separator: "_")
    }

    /// Old and other codes of languages, and the language whose order each has.
    private static let aliases = [
        "cmn": "zh", "in": "id", "iw": "he", "ji": "yi", "mo": "ro", "sh": "sr", "tl": "fil",
    ]

    /// Languages in regions where they are not written in their usual script (CLDR, likely
    /// subtags).
    private static let impliedScripts = [
        "pa_PK": "Arab", "sr_ME": "Latn", "uz_AF": "Arab", "zh_HK": "Hant", "zh_MO": "Hant",
        "zh_TW": "Hant",
    ]
}

extension CollationLocale {
    private typealias Subtag = Substring.UTF8View

    private static func isLetter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }

    private static func isLetters(_ subtag: Subtag) -> Bool {
        subtag.allSatisfy(isLetter)
    }

    private static func isSubtag(_ subtag: Subtag) -> Bool {
        1...8 ~= subtag.count && subtag.allSatisfy { isLetter($0) || isDigit($0) }
    }

    private static func isRegion(_ subtag: Subtag) -> Bool {
        subtag.count == 2 && isLetters(subtag) || subtag.count == 3 && subtag.allSatisfy(isDigit)
    }

    private static func isVariant(_ subtag: Subtag) -> Bool {
        subtag.count >= 5 || subtag.count == 4 && subtag.first.map(isDigit) == true
    }
}

extension String {
    fileprivate var capitalizedASCII: String {
        prefix(1).uppercased() + dropFirst().lowercased()
    }
}
