import Testing

@testable import FeedCollation

@Suite struct LocaleNames {
    @Test(arguments: [
        ("en", "en"), ("EN", "en"), ("en-US", "en_US"), ("en_us", "en_US"), ("pt_BR", "pt_BR"),
        ("zh-hant", "zh_Hant"), ("ZH_HANT_hk", "zh_Hant_HK"), ("zh-TW", "zh_Hant_TW"),
        ("zh-Hans-TW", "zh_Hans_TW"), ("es-419", "es_419"), ("de-1901", "de"),
        ("de-DE-1901", "de_DE"), ("sl-rozaj-biske", "sl"), ("de-u-co-phonebk", "de"),
        ("de_DE@collation=phonebook", "de_DE"), ("en-x-private", "en"), ("iw", "he"),
        ("in-ID", "id_ID"), ("sh", "sr_Latn"), ("sr-ME", "sr_Latn_ME"), ("haw", "haw"),
    ])
    func localeNamesAreRead(_ identifier: String, as name: String) {
        #expect(CollationLocale(identifier)?.collatorName == name)
    }

    @Test(arguments: [
        "", "-", "_", "e", "e-US", "engl", "en-", "-en", "en--US", "en US", " en", "en ", "en\0",
        "klingon!", "12", "e1", "én", "en-ÜS", "en-abc-def", "en-US-Latn", "en-US-US", "en.UTF-8",
        "de_DE.UTF-8", "en-toolongsubtag", "x-private", "i-klingon", "@", "@en", "eｎ", "en-ſs",
        "root",
    ])
    func localeNamesAreRefused(_ identifier: String) {
        #expect(CollationLocale(identifier) == nil)
        #expect(IndexedCollation(locale: identifier) == nil)
    }

    @Test(arguments: [
        "en", "de", "sv", "ko", "ja", "zh", "zh-Hant", "ru", "el", "he", "ar", "es", "fr", "en-US",
        "pt_BR", "nb-NO", "sr-Latn", "yue", "yue-Hans", "und", "tl", "cmn-TW", "en-ZZ",
    ])
    func localeNamesAreKnown(_ identifier: String) {
        #expect(IndexedCollation(locale: identifier) != nil)
    }

    @Test(arguments: ["xx-nonsense", "xx", "tlh", "zz-ZZ", "qaa", "eng"])
    func localeNamesAreNotKnown(_ identifier: String) {
        #expect(CollationLocale(identifier) != nil)
        #expect(IndexedCollation(locale: identifier) == nil)
    }
}
