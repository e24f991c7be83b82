import FeedDiff
import FeedFormats
import FeedModel
import Foundation
import Testing

@testable import TerminalReader

/// Text in lines of a width.
@Suite struct LaidOutText {
    private func lines(_ html: String, _ width: Int) -> [String] {
        var layout = TextLayout(width: width)
        let blocks = HTMLBlocks(html)
        for block in blocks.blocks { layout.add(block, links: blocks.links) }
        return layout.lines.map { line in line.map(\.text).joined() }
    }

    private static let cases: [(String, Int, [String])] = [
        ("one two three", 8, ["one two", "three"]), ("one two", 7, ["one two"]),
        ("one two", 3, ["one", "two"]), ("unbreakable", 4, ["unbr", "eaka", "ble"]),
        ("a unbreakable", 4, ["a", "unbr", "eaka", "ble"]),
        ("한국어 기사", 6, ["한국어", "기사"]), ("한국어기사", 5, ["한국", "어기", "사"]),
        ("한", 1, ["한"]), ("", 5, []), ("<p>a<p>b", 5, ["a", "", "b"]),
        ("a<br>b<br><br>c", 5, ["a", "b", "", "c"]),
        ("<ul><li>one two three</ul>", 30, ["  • one two three"]),
        ("<ul><li>one two three four<li>x</ul>", 24, ["  • one two three four", "  • x"]),
        ("<ol><li>one two three four five</ol>", 24, [" 1. one two three four", "    five"]),
        (
            "<blockquote>one two three four five</blockquote>", 24,
            ["│ one two three four", "│ five"]
        ),
        ("<pre>a  b\n\tc</pre>", 24, ["  a  b", "      c"]),
        ("<hr>", 5, ["─────"]), ("a<b>b</b> c", 3, ["ab", "c"]),
        ("<ul><li>one two</ul>", 9, ["• one two"]),
    ]

    @Test(arguments: cases)
    func fillsItAndNoMore(_ html: String, _ width: Int, _ expected: [String]) {
        #expect(lines(html, width) == expected)
    }

    @Test(arguments: 1..<60)
    func fitsEveryWidth(_ width: Int) {
        let html =
            "<h1>A heading of words</h1><p>An é, 한국어, 👩‍👩‍👧 and a verylongwordindeed that goes on"
            + "<ul><li>one<ol><li value=100000000>two three four</ol></ul><blockquote><pre>  verbatim\ttext</pre>"
            + "<blockquote>quote</blockquote></blockquote><a href=https://a.example/>link</a><hr>"
        let widths = lines(html, width).map { CellWidth.of($0) }
        #expect(widths.allSatisfy { $0 <= max(width, 6) })
    }

    @Test func hasNoControls() {
        let text = lines("<p>\u{1B}[2J&#27;[31m\u{9B}x&#x202e;y</p><pre>\u{1B}]0;t\u{7}z</pre>", 40)
        let scalars = text.joined().unicodeScalars
        #expect(!scalars.contains(where: ShownText.controlsTerminal))
        #expect(scalars.contains("x") && scalars.contains("z"))
    }
}

/// An item as it is read.
@Suite @MainActor struct Articles {
    private func article(_ item: String, width: Int = 60) throws -> Article {
        let document = Array(#"{"items":[\#(item)]}"#.utf8)
        let snapshot = try Snapshot(publishing: document)
        let item = try #require(snapshot.sections.first?.items.first)
        return Article(item, width: width)
    }

    private func text(_ article: Article) -> [String] {
        article.lines.map { line in line.map(\.text).joined() }
    }

    @Test func hasAllThatAnItemSays() throws {
        let article = try article(
            #"""
            {"id":"1","title":"Head","author":{"name":"Ann"},"published":"2026-01-31T10:20:30Z",
             "url":"https://a.example/1","tags":["x","y"],"value":"7 %","other":{"a":1},
             "content_html":"<p>Text with <a href=\"/2\">a link</a>.","summary":"Not shown.",
             "attachments":[{"url":"https://a.example/e.mp3","mime_type":"audio/mpeg"}]}
            """#
        )
        #expect(
            text(article) == [
                "Head", "7 %", "Ann · 2026-01-31 10:20 UTC", "#x #y", "",
                "Text with a link\u{A0}[1].",
                "", "file: e.mp3 · audio/mpeg [2]", "", #"other: {"a":1}"#, "",
                "[o] https://a.example/1", "[1] https://a.example/2", "[2] https://a.example/e.mp3",
            ]
        )
        #expect(article.links == ["https://a.example/2", "https://a.example/e.mp3"])
    }

    @Test(arguments: [
        (#"{"id":"1","content_html":"<p>H","content":"C","summary":"S"}"#, "H"),
        (#"{"id":"1","content_html":"<script></script>","content":"C","summary":"S"}"#, "C"),
        (#"{"id":"1","content_text":"C","summary":"S"}"#, "C"), (#"{"id":"1","summary":"S"}"#, "S"),
        (#"{"id":"1","content":"<b>"}"#, "<b>"),
    ])
    func saysTheMostThatItHas(_ item: String, _ expected: String) throws {
        #expect(text(try article(item)).contains(expected))
    }

    @Test func staysAtItsPlaceInAnotherLayout() throws {
        let words = (0..<200).map { "<p>Paragraph \($0)" }.joined()
        let item = #"{"id":"1","title":"T","content_html":"\#(words)"}"#
        let old = try article(item)
        let place = try #require(text(old).firstIndex(of: "Paragraph 77"))
        let wide = try article(item, width: 30)
        #expect(text(wide)[wide.line(matching: place, in: old)] == "Paragraph 77")
        let longer = try article(#"{"id":"1","title":"T","content_html":"<p>New<p>More\#(words)"}"#)
        #expect(text(longer)[longer.line(matching: place, in: old)] == "Paragraph 77")
        let none = try article(#"{"id":"1","title":"T"}"#)
        #expect(none.line(matching: place, in: old) <= place)
    }
}

/// Reading items with keys.
@Suite @MainActor struct ReadingItems {
    private func item(_ id: String, _ members: String = "") -> String {
        let text = (0..<40).map { "<p>\(id) line \($0)" }.joined()
        return
            #"{"id":"\#(id)","title":"Title \#(id)","published":"2026-01-31T00:00:00Z","url":"https://a.example/\#(id)","content_html":"\#(text)<a href=\"https://a.example/\#(id)/more\">more</a>"\#(members)}"#
    }

    private func show(_ items: [String], on trial: inout ReaderTrial) throws {
        try trial.show(#"{"items":[\#(items.joined(separator: ","))]}"#)
    }

    private func trial(columns: Int = 60, rows: Int = 12, _ ids: [String] = ["a", "b", "c"]) throws
        -> ReaderTrial
    {
        var trial = try ReaderTrial(columns: columns, rows: rows)
        try show(ids.map { item($0) }, on: &trial)
        return trial
    }

    private func press(_ input: TerminalInput..., on trial: ReaderTrial) -> [Reader.Command] {
        input.flatMap { trial.reader.take($0) }
    }

    @Test func opensAndLeavesAnItem() throws {
        let trial = try trial()
        for leave in [TerminalInput.escape, .left, .character("q"), .backspace] {
            trial.type(trial.selected == nil ? "j" : "")
            #expect(press(.enter, on: trial) == [])
            #expect(trial.lines[1].contains("Title a") && trial.lines[4].contains("a line 0"))
            #expect(press(leave, on: trial) == [])
            #expect(trial.lines[2].contains("Title b"))
        }
        #expect(trial.type("q") == [.quit])
    }

    @Test func goesOnToOtherItems() throws {
        let trial = try trial()
        trial.type("j")
        _ = press(.enter, on: trial)
        trial.type("j")
        #expect(trial.lines[1].contains("Title b") && trial.selected == "b")
        trial.type(" jj")
        #expect(trial.lines[1].contains("Title c"))
        trial.type("k")
        #expect(trial.lines[1].contains("Title b"))
    }

    @Test func scrollsAndSearches() throws {
        let trial = try trial()
        trial.type("j")
        _ = press(.enter, on: trial)
        trial.type(" ")
        #expect(!trial.lines[1].contains("Title"))
        trial.type("/line 30")
        _ = press(.enter, on: trial)
        #expect(trial.lines.contains { $0.contains("a line 30") })
        trial.type("G")
        #expect(trial.lines[10].contains("https://a.example/a/more"))
        trial.type("g")
        #expect(trial.lines[1].contains("Title a"))
        _ = press(.wheel(up: false), .down, .control("d"), on: trial)
        #expect(trial.reader.reading?.top == 9)
        #expect(trial.selected == "a")
    }

    @Test func opensPagesOfTheWebAlone() throws {
        let trial = try trial()
        trial.type("j")
        #expect(trial.type("o") == [.open("https://a.example/a")])
        _ = press(.enter, on: trial)
        #expect(trial.type("o") == [.open("https://a.example/a")])
        trial.type("1")
        #expect(press(.enter, on: trial) == [.open("https://a.example/a/more")])
        #expect(trial.type("1o") == [.open("https://a.example/a/more")])
        trial.type("9")
        #expect(trial.reader.reading?.number == nil)
        var other = try ReaderTrial()
        try other.show(
            #"{"items":[{"id":"1","url":"mailto:a@b.example"},{"id":"2","url":"javascript:x"},{"id":"3"}]}"#
        )
        for _ in 0..<3 { #expect(other.type("jo") == []) }
    }

    @Test func keepsTheTextOfAnItemThatIsGone() throws {
        var trial = try trial()
        trial.type("j")
        _ = press(.enter, on: trial)
        trial.type(" ")
        let before = trial.lines[1..<11]
        try show([item("b"), item("c")], on: &trial)
        #expect(trial.lines[1..<11] == before)
        #expect(trial.lines[11].contains("no more"))
        trial.type("j")
        #expect(trial.lines[1].contains("Title b") && !trial.lines[11].contains("no more"))
    }

    @Test func showsAChangeInPlace() throws {
        var trial = try trial()
        trial.type("j")
        _ = press(.enter, on: trial)
        trial.type("  ")
        let first = trial.lines[1]
        try show([item("new"), item("a", #","tags":["changed"]"#), item("b")], on: &trial)
        #expect(trial.lines[1] == first)
        trial.type("g")
        #expect(trial.lines.contains { $0.contains("#changed") })
    }

    /// A number that was typed before a change could be that of another link, or of none.
    @Test func opensNoLinkThatAChangeHasMoved() throws {
        var trial = try trial()
        trial.type("j")
        _ = press(.enter, on: trial)
        trial.type("1")
        try trial.show(#"{"items":[{"id":"a","title":"Without links"}]}"#)
        #expect(press(.enter, on: trial) == [])
        #expect(trial.reader.reading?.number == nil)
    }

    @Test func marksWhatIsUnread() throws {
        let trial = try trial()
        #expect(trial.lines[1...3].allSatisfy { $0.hasPrefix("• ") })
        trial.type("j")
        _ = press(.enter, .escape, on: trial)
        #expect(trial.lines.joined().contains("  Title a") && trial.lines[2].hasPrefix("• "))
        #expect(trial.reader.feed.readIDs == ["a"])
        trial.type("m")
        #expect(trial.reader.feed.readIDs == [])
        var values = try ReaderTrial()
        try values.show(#"{"items":[{"id":"1","value":7,"published":"2026-01-31"},{"id":"2"}]}"#)
        #expect(values.lines[1...2].allSatisfy { !$0.hasPrefix("•") })
    }

    @Test func isBesideTheRowsWhereThereIsRoom() throws {
        var trial = try trial(columns: 120, rows: 20)
        #expect(trial.lines[1].contains("Title a"))
        #expect(!trial.lines.joined().contains("a line 0"))
        trial.type("j")
        #expect(trial.lines[1].contains("│ Title a") && trial.lines[2].contains("Title b"))
        trial.type("j")
        #expect(trial.lines[1].contains("│ Title b"))
        #expect(!trial.reader.isReading)
        _ = press(.enter, on: trial)
        trial.type(" ")
        #expect(!trial.lines[1].contains("│ Title b") && trial.lines[1].contains("Title a"))
        _ = press(.press(column: 5, row: 3), on: trial)
        #expect(!trial.reader.isReading && trial.selected == "c")
        try show([item("a"), item("b")], on: &trial)
        #expect(trial.selected == "b" && trial.lines[1].contains("│ Title b"))
        trial.reader.resize(columns: 80, rows: 20)
        #expect(trial.reader.reading == nil)
        trial.reader.resize(columns: 120, rows: 20)
        #expect(trial.lines[1].contains("│ Title b"))
    }

    @Test(arguments: [
        #""content_html":"<p>a caf&eacute; <b>here</b>""#, #""content":"x\n\ncafé here""#,
        #""summary":"Café here""#, #""value":"café here""#, #""author":{"name":"Café here"}"#,
        #""tags":["café here"]"#,
    ])
    func isFoundByItsText(_ member: String) throws {
        var trial = try ReaderTrial()
        try trial.show(
            #"{"items":[{"id":"1","title":"T"},{"id":"2","title":"U"},{"id":"3","title":"V",\#(member)}]}"#
        )
        trial.type("/café here")
        _ = press(.enter, on: trial)
        #expect(trial.selected == "3")
    }

    @Test(arguments: [(1, 1), (2, 3), (1, 9), (9, 1), (110, 3), (111, 2), (300, 60)])
    func fitsEveryWindow(columns: Int, rows: Int) throws {
        var trial = try trial(columns: columns, rows: rows)
        trial.type("j")
        _ = press(.enter, .control("d"), .down, on: trial)
        trial.type("jk G/x")
        _ = press(.enter, on: trial)
        try show([item("z")], on: &trial)
        #expect(trial.lines.count == rows)
    }
}
