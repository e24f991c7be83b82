import Testing

@testable import FeedFormats

/// HTML as blocks of text.
@Suite struct HTMLInBlocks {
    /// Writes blocks in a line each: what is before their text, and the text.
    private func lines(_ html: String, base: String = "") -> [String] {
        HTMLBlocks(html, base: base).blocks.map { block in
            var line = block.isClose ? "" : "/"
            line += String(repeating: ">", count: block.quoteDepth)
            line += String(repeating: "-", count: block.listDepth)
            if let marker = block.marker { line += marker + " " }
            switch block.kind {
            case .heading: line += "# "
            case .preformatted: line += "$ "
            case .rule: line += "==="
            case .paragraph: break
            }
            return line + block.spans.map(\.text).joined()
        }
    }

    private static let cases: [(String, [String])] = [
        ("one <b>two</b>\n three", ["/one two three"]),
        ("<p>one<p>two", ["/one", "/two"]),
        ("<h2>Head</h2>text", ["/# Head", "/text"]),
        ("<ul><li>a<li>b<ul><li>c</ul></ul>d", ["/-• a", "-• b", "--◦ c", "/d"]),
        ("<ol><li>a<li value=7>b<li>c</ol>", ["/-1. a", "-7. b", "-8. c"]),
        ("<ol start=\"-1\"><li>a<li>b</ol>", ["/--1. a", "-0. b"]),
        (
            "<ol reversed><li>a<ol><li>b<li>c</ol><li>d</ol>",
            ["/-2. a", "--1. b", "--2. c", "-1. d"]
        ),
        (
            "<ol><li>a</ol><ul><li>b</ul><ol reversed start=9><li>c<li value=5>d<li>e</ol>",
            ["/-1. a", "/-• b", "/-9. c", "-5. d", "-4. e"]
        ),
        ("<ul><li><p>a</p><p>b</p></li></ul>", ["/-• a", "/-b"]),
        ("<ul><li></li><li>a</ul>", ["-• a"]),
        ("<blockquote>a<blockquote><p>b</blockquote></blockquote>c", ["/>a", "/>>b", "/c"]),
        ("<pre>\n a\n\tb\n</pre>", ["/$  a\n\tb\n"]),
        ("a<hr>b", ["/a", "/===", "/b"]),
        ("a<br>b<br><br>c", ["/a\nb\n\nc"]),
        ("say <q>yes</q>", ["/say “yes”"]),
        ("<table><tr><th>a<th>b<tr><td>1<td>2</table>", ["/a │ b", "1 │ 2"]),
        ("<dl><dt>a<dd>b<dt>c<dd>d</dl>", ["/a", "-b", "/c", "-d"]),
        ("<img src=https://a.example/x/big%20cat.jpg?1>", ["/[big cat.jpg]"]),
        ("<img alt='A cat' src=https://a.example/cat.jpg> purrs", ["/[A cat] purrs"]),
        ("<img alt='' src=https://a.example/cat.jpg>", ["/[cat.jpg]"]),
        (
            "<figure><img src=https://a.example/c.png><figcaption>A cat</figcaption></figure>",
            ["/[c.png]", "A cat"]
        ),
        ("<script>alert(1)</script><style>p{}</style>text", ["/text"]),
        ("&lt;b&gt; &amp;amp; &#8364;", ["/<b> &amp; €"]),
        ("", []), ("<p> \n</p><div><br></div>", []), ("<", ["/<"]), ("a <3 b", ["/a <3 b"]),
        ("<p>&nbsp;</p><p>x</p>", ["/x"]),
        ("<video src=https://a.example/v.mp4></video>", ["/[v.mp4]\u{A0}[1]"]),
        (
            "<audio><source src=https://a.example/a.ogg><source src=https://a.example/a.mp3></audio>",
            ["/[a.ogg]\u{A0}[1]"]
        ),
        ("<iframe src=https://a.example/f title=Film></iframe>", ["/Film\u{A0}[1]"]),
    ]

    @Test(arguments: cases)
    func areThoseThatBrowsersShow(_ html: String, _ expected: [String]) {
        #expect(lines(html) == expected)
    }

    @Test func numberEachAddressOnce() {
        let blocks = HTMLBlocks(
            """
            <a href=/b>one</a>, <a href="https://a.example/b"><i>two</i></a> and
            <a href="mailto:a@b.example">three</a>, <a href="#n">four</a>, <a href="javascript:x">five</a>
            """,
            base: "https://a.example/"
        )
        #expect(blocks.links == ["https://a.example/b", "mailto:a@b.example"])
        let text = blocks.blocks.flatMap(\.spans).map(\.text).joined()
        #expect(text == "one\u{A0}[1], two\u{A0}[1] and three\u{A0}[2], four, five")
        let linked = blocks.blocks.flatMap(\.spans).filter { $0.link == 0 }.map(\.text)
        #expect(linked == ["one", "two"])
    }

    @Test func numberALinkBehindItsLastBlock() {
        #expect(
            lines("<a href=https://a.example/><h2>Head</h2></a><p>x")
                == ["/# Head\u{A0}[1]", "/x"]
        )
    }

    @Test func setTextOff() {
        let spans = HTMLBlocks("a<b>b<i>c</i></b><code>d</code>").blocks.flatMap(\.spans)
        #expect(
            spans == [
                HTMLBlocks.Span("a"), HTMLBlocks.Span("b", .strong),
                HTMLBlocks.Span("c", [.strong, .emphasized]), HTMLBlocks.Span("d", .code),
            ]
        )
    }

    @Test(arguments: [
        ("one\ntwo\n\n \nthree", ["one\ntwo", "three"]), ("\n\n", []), ("<b>x</b>", ["<b>x</b>"]),
        ("a\r\n\r\nb", ["a", "b"]),
    ])
    func areParagraphsOfText(_ text: String, _ expected: [String]) {
        let blocks = HTMLBlocks(text: text).blocks
        #expect(blocks.map { $0.spans.map(\.text).joined() } == expected)
    }
}

/// HTML that is made to do harm.
@Suite struct HostileHTMLInBlocks {
    /// The parts of an article, each of which may be cut anywhere.
    private static let sample =
        "<h1>T</h1><ul><li>a <b>b</b><ol start=3><li>c</ol></ul><blockquote><pre>\n x</pre>"
        + "<a href=https://a.example/?a=1&amp;b>l<img alt='é' src=https://a.example/é></a>"
        + "<table><tr><td>1<td>2</table><!-- c --></blockquote><video src=https://a.example/v>"
        + "</video>&eacute;<script>x</script>"

    @Test func mayBeCutAnywhere() {
        let bytes = Array(HostileHTMLInBlocks.sample.utf8)
        for cut in bytes.indices {
            for part in [bytes[..<cut], bytes[cut...]] {
                let blocks = HTMLBlocks(String(decoding: part, as: UTF8.self))
                let numbers = blocks.blocks.flatMap(\.spans).compactMap(\.link)
                #expect(numbers.allSatisfy(blocks.links.indices.contains))
            }
        }
    }

    @Test(arguments: [
        "<ul><li>", "<blockquote>", "<ol start=9223372036854775807><li>", "<table><tr><td>",
        "<a href=x:>",
        "<pre>", "</li></ul></pre></blockquote></dd></a>", "<b><i>", "<dl><dd>", "<h1>", "<q>",
        "<img alt=x src=https://a.example/>", "\u{1B}[2J", "<li>", "</dd>",
    ])
    func isBoundedHoweverDeepItIs(_ part: String) {
        let blocks = HTMLBlocks(String(repeating: part, count: 20_000) + "end")
        #expect(blocks.blocks.allSatisfy { 0...100 ~= $0.quoteDepth && 0...100 ~= $0.listDepth })
        #expect(blocks.blocks.last?.spans.contains { $0.text.contains("end") } == true)
    }

    @Test func isReadToALimit() {
        let html = String(repeating: "x ", count: HTMLBlocks.byteLimit)
        let count = HTMLBlocks(html).blocks.flatMap(\.spans).reduce(0) { $0 + $1.text.utf8.count }
        #expect(count <= HTMLBlocks.byteLimit && count > HTMLBlocks.byteLimit - 10)
    }
}
