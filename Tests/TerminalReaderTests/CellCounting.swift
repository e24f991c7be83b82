import Testing

@testable import TerminalReader

/// How many cells text takes, and what of it can be seen.
@Suite struct CellCounting {
    @Test(arguments: [
        ("a", 1, false), ("é", 1, false), ("한", 2, false), ("🇰🇷", 2, true), ("🇰", 2, true),
        ("👍🏽", 4, true), ("👨‍👩‍👧", 6, true), ("❤️", 2, true), ("م", 1, false), ("", 0, false),
    ])
    func isThatOfTheWidestTerminal(_ text: String, _ count: Int, _ isDoubtful: Bool) {
        #expect(CellWidth.of(text) == count)
        #expect(text.contains { CellWidth.of($0).isDoubtful } == isDoubtful)
    }

    @Test(arguments: [
        ("", true), (" \u{3000}\t", true), ("\u{200B}\u{200D}", true), ("\u{FE0F}", true),
        ("\u{3164}\u{115F}", true), ("\u{2800}", true), ("\u{301}", true), ("\u{E000}", true),
        ("a", false), ("🇰", false), (" e\u{301}", false), ("한", false),
    ])
    func aTextIsBlankWhereNothingOfItIsSeen(_ text: String, _ isBlank: Bool) {
        #expect(ShownText.isBlank(text) == isBlank)
    }
}
