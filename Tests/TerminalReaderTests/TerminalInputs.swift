import Testing

@testable import TerminalReader

/// What a terminal sends for keys and the mouse.
@Suite struct TerminalInputs {
    private static let cases: [(String, [TerminalInput])] = [
        ("j", [.character("j")]), ("jk", [.character("j"), .character("k")]),
        ("é한👍", [.character("é"), .character("한"), .character("👍")]),
        ("\u{1B}[A", [.up]), ("\u{1B}OB", [.down]), ("\u{1B}[C\u{1B}[D", [.right, .left]),
        ("\u{1B}[H\u{1B}[F", [.home, .end]), ("\u{1B}[1~\u{1B}[4~", [.home, .end]),
        ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]), ("\r\t\u{7F}", [.enter, .tab, .backspace]),
        ("\u{1B}[<64;10;5M", [.wheel(up: true)]), ("\u{1B}[<65;10;5M", [.wheel(up: false)]),
        ("\u{1B}[<0;10;5M\u{1B}[<0;10;5m", [.press(column: 9, row: 4)]),
        ("\u{1B}[<0;-9223372036854775808;1M\u{1B}[<0;1;0Mq", [.character("q")]),
        ("\u{1B}[<0;+1;1M\u{1B}[<+0;1;1Mq", [.character("q")]),
        ("\u{1B}[1;5Zq", [.character("q")]),
        ("\u{1B}[?2026;2$yq", [.character("q")]),
        ("\u{1B}[[A\u{1B}[[Eq", [.character("q")]),
        ("\u{1B}[\u{1B}[A\u{1B}[1;\u{1B}OBq", [.up, .down, .character("q")]),
        ("\u{1B}éq", [.escape, .character("é"), .character("q")]),
        ("\u{1B}j\u{1B}\u{1B}[A", [.escape, .character("j"), .escape, .up]),
        ("\u{1}\u{2}q", [.control("a"), .control("b"), .character("q")]),
        ("\u{4}\u{15}\u{C}", [.control("d"), .control("u"), .control("l")]),
        ("\0\u{1C}\u{1F}q", [.character("q")]),
        ("\u{1B}[200~qj\r\u{1B}[A한\u{1B}[201~q", [.paste("qj\r\u{1B}[A한"), .character("q")]),
        ("\u{1B}[200~\u{1B}[201~\u{1B}[201~j", [.paste(""), .character("j")]),
        ("\u{1B}[200~\u{1B}[200~\u{1B}[20\u{1B}[201~", [.paste("\u{1B}[200~\u{1B}[20")]),
    ]

    @Test(arguments: cases)
    func areReadHoweverTheyAreCut(_ text: String, as expected: [TerminalInput]) {
        let bytes = Array(text.utf8)
        var whole = KeyParser()
        #expect(whole.parse(bytes) == expected)
        var single = KeyParser()
        #expect(bytes.flatMap { single.parse([$0]) } == expected)
        for cut in bytes.indices {
            var parser = KeyParser()
            #expect(parser.parse(bytes[..<cut]) + parser.parse(bytes[cut...]) == expected)
        }
    }

    @Test func aLongPasteIsCutAndEndsWhereItEnds() {
        let text = String(repeating: "é", count: 40_000)
        var parser = KeyParser()
        let inputs = parser.parse("\u{1B}[200~\(text)\u{1B}[201~q".utf8)
        #expect(inputs == [.paste(String(text.prefix(2_048))), .character("q")])
    }

    @Test func anEscapeThatNothingFollowsIsTheKey() {
        var parser = KeyParser()
        #expect(parser.parse([0x1B]) == [])
        #expect(parser.flush() == [])
        #expect(parser.flush() == [.escape])
        #expect(parser.flush() == [])
    }

    /// As over a slow line.
    @Test(arguments: [
        ("\u{1B}", "[A", TerminalInput.up), ("\u{1B}[", "A", TerminalInput.up),
        ("\u{1B}O", "B", TerminalInput.down),
    ])
    func theRestOfASequenceMayComeLater(
        _ start: String,
        _ rest: String,
        _ expected: TerminalInput
    ) {
        var parser = KeyParser()
        #expect(parser.parse(start.utf8) == [])
        #expect(parser.flush() == [])
        #expect(parser.parse(rest.utf8) == [expected])
    }

    @Test func theRestOfACharacterMayComeLater() {
        var parser = KeyParser()
        #expect(parser.parse([0xED]) == [])
        for _ in 0..<4 { #expect(parser.flush() == []) }
        #expect(parser.parse([0x95, 0x9C]) == [.character("\u{D55C}")])
    }

    /// As of a terminal of 8 bits, or over a line that loses some.
    @Test(arguments: [
        ([0xA9, 0x71], [TerminalInput.character("\u{FFFD}"), .character("q")]),
        ([0xC3, 0x71], [.character("\u{FFFD}"), .character("q")]),
        ([0xED, 0x95, 0x1B, 0x5B, 0x41], [.character("\u{FFFD}"), .up]),
        ([0xC3, 0xC3, 0xA9], [.character("\u{FFFD}"), .character("é")]),
    ])
    func bytesThatAreNoCharacterTakeNoKeyWithThem(_ bytes: [UInt8], _ inputs: [TerminalInput]) {
        var parser = KeyParser()
        #expect(parser.parse(bytes) == inputs)
    }

    @Test func aBeginningThatNothingFollowsIsGivenUp() {
        var parser = KeyParser()
        #expect(parser.parse(Array("\u{1B}[".utf8)) == [])
        for _ in 0..<30 { #expect(parser.flush() == []) }
        #expect(parser.parse(Array("q".utf8)) == [.character("q")])
    }

    @Test func aSequenceWithoutAnEndIsDropped() {
        var parser = KeyParser()
        #expect(parser.parse(Array(("\u{1B}[" + String(repeating: "1;", count: 100)).utf8)) == [])
        #expect(parser.parse(Array("\u{1B}[A".utf8)).last == .up)
    }
}

/// What a terminal shows.
@Suite struct TerminalText {
    @Test(arguments: [
        ("abc", 3), ("한국", 4), ("日本", 4), ("e\u{301}", 1), ("👍", 2), ("👩‍👩‍👧", 6), ("🏳️‍🌈", 3),
        ("👍🏽", 4), ("🇰🇷", 2), ("1️⃣", 2), ("مرحبا", 5), ("❤️", 2), ("…", 1), ("", 0), ("ｗ", 2),
        ("\u{1112}\u{1161}\u{11AB}", 2), ("กำ", 2), ("ที่", 1), ("ه\u{200D}", 1), ("שָׁ", 1),
    ])
    func takesSoManyCells(_ text: String, _ cells: Int) {
        #expect(CellWidth.of(text) == cells)
    }

    @Test(arguments: [
        ("a\u{1B}[31mb\u{7}", "a[31mb"), ("two\nlines\r\n", "two lines  "),
        ("\u{202E}abc\u{2066}", "abc"),
        ("👩‍👧", "👩‍👧"), ("می\u{200C}روم", "می\u{200C}روم"), ("❤\u{FE0F}", "❤\u{FE0F}"),
        ("\u{9B}1m", "1m"),
        (
            "a" + String(repeating: "\u{301}", count: 90) + "b",
            "a" + String(repeating: "\u{301}", count: 8) + "b"
        ),
        (String(repeating: "x", count: 9_999), String(repeating: "x", count: 4_096)),
    ])
    func isWhatATerminalDoesNotObey(_ text: String, _ shown: String) {
        #expect(ShownText.of(text) == shown)
    }

    @Test(arguments: [
        ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("한국어", 5, "한국…"), ("한국어", 4, "한…"),
        ("ab", 1, "…"), ("ab", 0, ""), ("👩‍👧x", 5, "👩‍👧x"), ("👩‍👧x", 4, "…"), ("a👩‍👧", 4, "a…"),
    ])
    func isCutToCells(_ text: String, _ cells: Int, _ cut: String) {
        #expect(CellWidth.cut(text, to: cells) == cut)
        #expect(CellWidth.of(cut) <= cells)
    }

    @Test(arguments: [
        ("https://a.example/b", true), ("mailto:a@b.example", true), ("javascript:alert(1)", false),
        ("file:///etc/passwd", false), ("https://a b", false), ("https://a\u{1B}", false),
    ])
    func opensOnlyHarmlessAddresses(_ text: String, _ isOpened: Bool) {
        #expect((ShownText.link(text) == text) == isOpened)
    }
}

/// The bytes that lead from one frame to the next.
@Suite struct Frames {
    private func frame(_ lines: String...) -> Frame {
        var frame = Frame(columns: 20, rows: 3)
        for (row, line) in lines.enumerated() { frame.put(line, row: row) }
        return frame
    }

    @Test func onlyLinesThatDifferAreWritten() {
        let old = frame("one", "two", "three")
        #expect(old.bytes(from: old, for: Frame.Abilities()) == [])
        let new = frame("one", "2", "three")
        let text = String(decoding: new.bytes(from: old, for: Frame.Abilities()), as: UTF8.self)
        #expect(text.contains("\u{1B}[2;1H") && text.contains("2"))
        #expect(!text.contains("one") && !text.contains("\u{1B}[2J"))
        #expect(text.hasPrefix("\u{1B}[?2026h") && text.hasSuffix("\u{1B}[?2026l"))
    }

    @Test func anotherSizeIsWrittenWhole() {
        let text = String(
            decoding: frame("one").bytes(from: nil, for: Frame.Abilities()),
            as: UTF8.self
        )
        #expect(text.contains("\u{1B}[2J") && text.contains("one"))
        let large = Frame(columns: 30, rows: 3)
        #expect(!large.bytes(from: frame("one"), for: Frame.Abilities()).isEmpty)
    }

    @Test func theCursorIsPlacedAfterWhatMayHaveAnotherWidth() {
        let text = String(
            decoding: frame("👩‍👧x").bytes(from: nil, for: Frame.Abilities()),
            as: UTF8.self
        )
        #expect(text.contains("👩‍👧\u{1B}[1;5Hx"))
    }

    @Test(arguments: [true, false])
    func colorsAreLeftOutWhereTheyAreNotWanted(_ isColored: Bool) {
        var frame = Frame(columns: 20, rows: 1)
        frame.put("new", row: 0, style: [.green, .bold])
        let text = String(
            decoding: frame.bytes(from: nil, for: Frame.Abilities(isColored: isColored)),
            as: UTF8.self
        )
        #expect(text.contains(isColored ? "\u{1B}[1;32m" : "\u{1B}[1m"))
    }

    @Test func linksAreThoseOfATerminalThatKnowsThem() {
        var frame = Frame(columns: 20, rows: 1)
        frame.put("a", row: 0, link: "https://birds.example/1")
        frame.put("b", row: 0, column: 1)
        let text = String(decoding: frame.bytes(from: nil, for: Frame.Abilities()), as: UTF8.self)
        let link = "\u{1B}]8;;https://birds.example/1\u{1B}\\a\u{1B}]8;;\u{1B}\\"
        #expect(text.contains(link))
        let plain = frame.bytes(from: nil, for: Frame.Abilities(hasLinks: false))
        #expect(!String(decoding: plain, as: UTF8.self).contains("]8;"))
    }
}
