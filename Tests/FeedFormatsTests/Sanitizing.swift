import TestSupport
import Testing

@testable import FeedFormats

/// HTML that may be in an item.
@Suite struct Sanitizing {
    /// Relative addresses are short, and what they mean may be long.
    @Test(arguments: [100, 1000, 2000, 100_000])
    func addressesComeToNoMoreThanTheTextAllows(_ byteCount: Int) throws {
        let base = "https://example.com/" + String(repeating: "a", count: byteCount) + "/"
        let links = String(repeating: "<a href=x>y</a><img srcset='a, b 2x'>", count: 2000)
        let html = HTMLSanitizer.sanitize(links, base: base)
        #expect(html.utf8.count < 20 * links.utf8.count)
        #expect(html.contains(">y</a>"))
        let markup = links.replacing("=x", with: "='x'").replacing("2x'>", with: "2x'/>")
        let document = """
            <feed xmlns="http://www.w3.org/2005/Atom"><entry><id>1</id><link href="\(base)"/>\
            <content type="xhtml" xml:base="\(base)"><div xmlns="http://www.w3.org/1999/xhtml">\
            \(markup)</div></content></entry></feed>
            """
        let entry = try FeedReader(address: base).read(Array(document.utf8)).entries.first
        #expect((entry?.contentHTML?.utf8.count ?? 0) < 20 * document.utf8.count)
        #expect(entry?.contentHTML?.contains(">y</a>") == true)
    }

    @Test func aDocumentHasNoMoreEntriesThanItsLengthCanMean() throws {
        let base = "https://example.com/" + String(repeating: "a", count: 2000) + "/"
        let files = String(repeating: "<enclosure url='x'/>", count: 50)
        let items = (0..<300).map { number in
            "<item><guid>\(number)</guid>" + files.replacing("'x'", with: "'x\(number)'")
                + "</item>"
        }
        let document = "<rss><channel>\(items.joined())</channel></rss>"
        let all = try FeedReader(address: "https://example.com/").read(Array(document.utf8))
        #expect(all.entries.count == 300)
        #expect(!all.isCutOff)
        let many = (0..<50).map { "<enclosure url='x\($0)'/>" }.joined()
        let hostile = (0..<300).map { "<item><guid>\($0)</guid>\(many)</item>" }
        let feed = try FeedReader(address: base).read(
            Array("<rss><channel>\(hostile.joined())</channel></rss>".utf8)
        )
        #expect(feed.entries.count < 300)
        #expect(feed.isCutOff)
        #expect(feed.notes.contains { $0.contains("addresses come to too much") })
    }

    private static func clean(_ html: String) -> String {
        HTMLSanitizer.sanitize(html, base: "https://example.com/a/b")
    }

    @Test(arguments: [
        ("<script>alert(1)</script>x", "x"), ("<SCRIPT\n>a</sCript >x", "x"),
        ("<img src=x onerror=alert(1)>", "<img src=\"https://example.com/a/x\">"),
        ("<a href=\"javascript:alert(1)\">x</a>", "<a>x</a>"),
        ("<a href=\" &#1;jAva\tscript:alert(1)\">x</a>", "<a>x</a>"),
        ("<a href=\"java&#10;script:alert(1)\">x</a>", "<a>x</a>"),
        ("<a href=\"data:text/html,x\">x</a>", "<a>x</a>"),
        ("<a href=\"vbscript:x\">x</a>", "<a>x</a>"),
        ("<img src=\"data:image/svg+xml,x\">", ""),
        ("<p style=\"background:url(javascript:x)\" class=\"c\" id=\"i\">x</p>", "<p>x</p>"),
        (
            "<iframe src=\"https://e.example\"><b>x</b><script>z</script></iframe>y",
            "<a href=\"https://e.example\" rel=\"noopener noreferrer\">e.example</a><b>x</b>y"
        ),
        ("<svg><script>x</script><a href=\"javascript:x\">z</a></svg>y", "y"),
        (
            "<object><embed src=x></object>y",
            "<a href=\"https://example.com/a/x\" rel=\"noopener noreferrer\">example.com</a>y"
        ), ("<applet code=a>x</applet>y", "y"),
        ("<form action=x><input name=y>z</form>", "z"),
        ("<!--><script>alert(1)</script>-->x", "--&gt;x"), ("<!-- <b> -->x", "x"),
        ("<b>x", "<b>x</b>"), ("<b><i>x</b>y</i>", "<b><i>x</i></b>y"), ("</b>x", "x"),
        ("a < b && c > d", "a &lt; b &amp;&amp; c &gt; d"), ("<unknown>x</unknown>", "x"),
        (
            "<a href='?q=1&copy=2'>x</a>",
            "<a href=\"https://example.com/a/b?q=1&amp;copy=2\" rel=\"noopener noreferrer\">x</a>"
        ),
        (
            "<a href=\"//o.example/x\" target=_blank onclick=a>x</a>",
            "<a href=\"https://o.example/x\" rel=\"noopener noreferrer\">x</a>"
        ),
        (
            "<a href=mailto:a@b.example>x</a>",
            "<a href=\"mailto:a@b.example\" rel=\"noopener noreferrer\">x</a>"
        ),
        ("<img src=\"pixel.gif\" width=1 height=1>x", "x"),
        (
            "<img data-src=\"real.jpg\" src=\"data:image/gif;base64,x\">",
            "<img src=\"https://example.com/a/real.jpg\">"
        ),
        (
            "<img srcset=\"a.jpg 1x, javascript:x 2x, /b.jpg 2x\">",
            "<img srcset=\"https://example.com/a/a.jpg 1x, https://example.com/b.jpg 2x\">"
        ),
        // What a control hides is no other candidate when it is read again.
        (
            "<img srcset='1x,\u{1B} b, \u{1} 2x, c.png'>",
            "<img srcset=\"https://example.com/a/1x, https://example.com/a/b, "
                + "https://example.com/a/2x, https://example.com/a/c.png\">"
        ),
        ("<style>b{}</style><title>t</title>x", "x"),
        (
            "<p title='\"><script>'>x</p>",
            "<p title=\"&quot;&gt;&lt;script&gt;\">x</p>"
        ),
        ("<noscript><img src=\"/a.png\"></noscript>", "<img src=\"https://example.com/a.png\">"),
        (
            "<math><mi>x</mi><annotation-xml><script>y</script></annotation-xml></math>",
            "<math><mi>x</mi></math>"
        ),
        ("<title>a<b>x</title>y", "y"), ("<template><b>x</b></template>y", "y"),
        (
            "a<select name=x onchange=y><option value=1>b<option selected><b>c</b></select>d",
            "a b <b>c</b>d"
        ),
        ("<p", ""), ("<", "&lt;"), ("x</", "x&lt;/"), ("<br/>x<hr>", "<br>x<hr>"),
    ])
    func leavesWhatIsAllowed(_ html: String, _ expected: String) {
        #expect(Sanitizing.clean(html) == expected)
    }

    private static let players: [(String, String, String)] = [
        (
            "<iframe src='https://www.youtube.com/embed/abc-1_2?rel=0' title='A film'></iframe>",
            "https://www.youtube.com/watch?v=abc-1_2", "A film"
        ),
        (
            "<iframe src='//www.youtube-nocookie.com/embed/abc'></iframe>",
            "https://www.youtube.com/watch?v=abc", "youtube.com"
        ),
        (
            "<iframe src='https://player.vimeo.com/video/76979871#t=5'></iframe>",
            "https://vimeo.com/76979871", "vimeo.com"
        ),
        (
            "<iframe src='https://www.youtube.com/embed/videoseries?list=x'></iframe>",
            "https://www.youtube.com/embed/videoseries?list=x", "youtube.com"
        ),
        (
            "<iframe data-src='https://p.example:8080/1' src='about:blank'></iframe>",
            "https://p.example:8080/1", "p.example"
        ),
        ("<embed src='https://u@p.example/a.swf'>", "https://u@p.example/a.swf", "p.example"),
        ("<object data='/a.pdf'></object>", "https://example.com/a.pdf", "example.com"),
        (
            "<object><param name='movie' value='https://www.youtube.com/v/abc'>"
                + "<embed src='https://www.youtube.com/v/abc'></object>",
            "https://www.youtube.com/watch?v=abc", "youtube.com"
        ),
        (
            "<iframe src='https://p.example/' title='<b>&quot;'>", "https://p.example/",
            "&lt;b&gt;&quot;"
        ),
    ]

    @Test(arguments: players)
    func aLinkTakesThePlaceOfAPlayer(_ html: String, _ address: String, _ text: String) {
        let link = "<a href=\"\(address)\" rel=\"noopener noreferrer\">\(text)</a>"
        #expect(Sanitizing.clean(html) == link)
        #expect(Sanitizing.clean("<p>x \(html)</p>") == "<p>x \(link)</p>")
        #expect(Sanitizing.clean(link) == link)
    }

    @Test(arguments: [
        "<iframe></iframe>", "<iframe src=''></iframe>", "<iframe src='javascript:x'></iframe>",
        "<iframe src='https://t.example/' width=1 height=1></iframe>", "<embed src='data:x,y'>",
        "<object data='ftp://x.example/'></object>", "<param name='movie' value='javascript:x'>",
        "<param name='flashvars' value='https://x.example/'>",
        "<iframe src='about:blank'></iframe>",
    ])
    func noLinkTakesThePlaceOfWhatCannotBeSeen(_ html: String) {
        #expect(Sanitizing.clean(html).isEmpty)
    }

    /// What is left out ends where browsers end it; an element without an end takes nothing along.
    @Test(arguments: [
        ("<p>a</p><svg/><p>b</p>", "<p>a</p><p>b</p>"),
        (
            "<p>a</p><iframe src=\"https://e.example\"/><p>b</p>",
            "<p>a</p><a href=\"https://e.example\" rel=\"noopener noreferrer\">e.example</a><p>b</p>"
        ),
        ("<p>a</p><script src=\"x.js\"/><p>b</p>", "<p>a</p><p>b</p>"),
        ("<script/>alert(1)</script>x", "x"), ("<script/><script>y</script>x", "x"),
        ("<script src=a/><p>1</p><script>y</script><p>2</p>", "<p>1</p><p>2</p>"),
        ("<p>a<svg><p>rest", "<p>a</p><p>rest</p>"),
        ("<svg><path d=x><p>rest</p></svg>y", "<p>rest</p>y"),
        ("<svg><foreignObject><p>in</p></foreignObject></svg>y", "y"),
        ("<svg><title>t<p>u</title><style>s</style></svg>y", "y"),
        ("<svg><svg><p>x</p>", "<p>x</p>"),
        ("<html><head><meta charset=utf-8><body><p>text", "<p>text</p>"),
        ("<head><title>t</title><p>text</p></head>", "<p>text</p>"),
        ("a<script>alert(1)", "a"), ("a<style>b{}", "a"),
        (
            "<iframe src=x>a<b>c",
            "<a href=\"https://example.com/a/x\" rel=\"noopener noreferrer\">example.com</a>a<b>c</b>"
        ),
        ("<title>a<img src=x onerror=b>", "a<img src=\"https://example.com/a/x\">"),
        ("<svg/onload=alert(1)>x", "x"), ("<math><p>x</math>", "<math></math><p>x</p>"),
        (
            "<math><style/><img src=x onerror=y></math>",
            "<math></math><img src=\"https://example.com/a/x\">"
        ),
        (
            "<object data=x />y<object>z</object>",
            "<a href=\"https://example.com/a/x\" rel=\"noopener noreferrer\">example.com</a>yz"
        ), ("<template><p>x</template>y", "y"),
    ])
    func elementsThatAreLeftOutTakeNothingAlong(_ html: String, _ expected: String) {
        #expect(Sanitizing.clean(html) == expected)
    }

    /// What browsers show where they do not show the element itself, and what they show as it is.
    @Test(arguments: [
        (
            "a<object data=x><p>b</p><embed src=y></object>c",
            "a<a href=\"https://example.com/a/x\" rel=\"noopener noreferrer\">example.com</a><p>b</p><a href=\"https://example.com/a/y\" rel=\"noopener noreferrer\">example.com</a>c"
        ),
        (
            "a<iframe src=x><img src=y onload=z></iframe>",
            "a<a href=\"https://example.com/a/x\" rel=\"noopener noreferrer\">example.com</a><img src=\"https://example.com/a/y\">"
        ),
        ("a<iframe><script>x</iframe>y</script>z", "az"),
        ("a<noframes><b>b</b></noframes><noembed>c</noembed>", "a<b>b</b>c"),
        ("a<textarea><b>b</b> &amp; c</textarea>d", "a&lt;b&gt;b&lt;/b&gt; &amp; cd"),
        ("a<xmp><b>b</b> &amp;</xmp>c", "a&lt;b&gt;b&lt;/b&gt; &amp;amp;c"),
        ("<plaintext><i>x</plaintext>y", "&lt;i&gt;xy"),
        ("<textarea><script>x</script></textarea>y", "&lt;script&gt;x&lt;/script&gt;y"),
        ("<textarea>a<b>b", "a<b>b</b>"), ("<xmp></xmp>y", "y"),
        ("<svg><textarea>x</textarea></svg>y", "y"),
    ])
    func whatStandsInForAnElementIsKept(_ html: String, _ expected: String) {
        #expect(Sanitizing.clean(html) == expected)
    }

    /// End tags that may be left out (HTML Standard §13.1.2.4).
    @Test(arguments: [
        ("<p>a<p>b", "<p>a</p><p>b</p>"),
        ("<p>a<ul><li>b</ul>c</p>", "<p>a</p><ul><li>b</li></ul>c"),
        (
            "<ul><li>1<li>2<ul><li>3</ul><li>4</ul>",
            "<ul><li>1</li><li>2<ul><li>3</li></ul></li><li>4</li></ul>"
        ),
        (
            "<ul><li><p>1<li><div>2<li>3</ul>",
            "<ul><li><p>1</p></li><li><div>2</div></li><li>3</li></ul>"
        ),
        ("<dl><dt>a<dd>b<dt>c</dl>", "<dl><dt>a</dt><dd>b</dd><dt>c</dt></dl>"),
        (
            "<table><tr><td>1<td>2<tr><th>3</table>",
            "<table><tr><td>1</td><td>2</td></tr><tr><th>3</th></tr></table>"
        ),
        (
            "<table><thead><tr><td>1<tbody><tr><td>2</table>",
            "<table><thead><tr><td>1</td></tr></thead><tbody><tr><td>2</td></tr></tbody></table>"
        ),
        (
            "<table><tr><td><table><tr><td>1</table><td>2</table>",
            "<table><tr><td><table><tr><td>1</td></tr></table></td><td>2</td></tr></table>"
        ),
        (
            "<p>a<table><tr><td><p>b</p></p>c</table>",
            "<p>a</p><table><tr><td><p>b</p>c</td></tr></table>"
        ),
        (
            "<a href=mailto:a>1<a href=mailto:b>2",
            "<a href=\"mailto:a\" rel=\"noopener noreferrer\">1</a>"
                + "<a href=\"mailto:b\" rel=\"noopener noreferrer\">2</a>"
        ),
        (
            "<p><b>a<p>b",
            "<p><b>a</b></p><b><p>b</p></b>"
        ),
        (
            "<p><a href=mailto:a>1<div>2</div></a></p>",
            "<p><a href=\"mailto:a\" rel=\"noopener noreferrer\">1</a></p>"
                + "<a href=\"mailto:a\" rel=\"noopener noreferrer\"><div>2</div></a>"
        ),
        ("<ruby>a<rt>b<rt>c</ruby>", "<ruby>a<rt>b</rt><rt>c</rt></ruby>"),
        ("<ul><li>a</p>b</ul>", "<ul><li>ab</li></ul>"), ("<h2>a<h3>b", "<h2>a</h2><h3>b</h3>"),
        ("<p>a<hr>b", "<p>a</p><hr>b"),
        (
            "<blockquote><p>a<blockquote>b",
            "<blockquote><p>a</p><blockquote>b</blockquote></blockquote>"
        ),
    ])
    func endTagsMayBeLeftOut(_ html: String, _ expected: String) {
        #expect(Sanitizing.clean(html) == expected)
    }

    @Test(arguments: ["<p>", "<li>", "<dd>", "<ul><li>", "<tr><td>"])
    func whatIsNeverClosedKeepsItsStructure(_ tag: String) {
        let html = String(repeating: "\(tag)<a href=\"/x\">x</a>", count: 300)
        let links = Sanitizing.clean(html).split(separator: "</a>").count
        #expect(links >= (tag == "<ul><li>" ? 49 : 300))
    }

    /// However it is nested and repeated, what comes out is not much more than what went in.
    @Test(arguments: [
        ("<p><b><i><u><s>", "<p>"),
        ("<p><a href=\"https://e.example/\(String(repeating: "x", count: 5000))\">", "<p>"),
        ("", "<svg/>"), ("", "<script/>"), ("", "<iframe>"), ("", "<svg><p>"), ("", "</p><p"),
        ("", "<svg><foreignObject>"), (String(repeating: "<div>", count: 99), "</b><li>"),
    ])
    func repetitionIsBounded(_ start: String, _ part: String) {
        let html = start + String(repeating: part, count: 20_000)
        #expect(Sanitizing.clean(html).utf8.count < 6 * html.utf8.count + 10_000)
        #expect(HTMLText.plain(html).utf8.count <= html.utf8.count)
    }

    @Test(arguments: [
        (
            "<img data-src=a.png><noscript><img src=a.png></noscript>x",
            "<img src=\"https://example.com/a/a.png\">x"
        ),
        (
            "<picture><img data-src=a.png></picture> <noscript><img src=a.png></noscript>x",
            "<picture><img src=\"https://example.com/a/a.png\"></picture> x"
        ),
        (
            "<img data-src=a.png>b<noscript>c</noscript>",
            "<img src=\"https://example.com/a/a.png\">bc"
        ),
        ("<img src=a.png><noscript>c</noscript>", "<img src=\"https://example.com/a/a.png\">c"),
        ("<img data-src=\"\" src=a.png>", "<img src=\"https://example.com/a/a.png\">"),
        ("<img data-src=\"{{x}}\" src=a.png>", "<img src=\"https://example.com/a/a.png\">"),
        ("<img data-srcset=\" \" src=a.png>", "<img src=\"https://example.com/a/a.png\">"),
        ("<img data-src=\"javascript:x\" src=a.png>", "<img src=\"https://example.com/a/a.png\">"),
        ("<img src=\"\">x", "x"),
    ])
    func picturesThatWaitAreShownOnce(_ html: String, _ expected: String) {
        #expect(Sanitizing.clean(html) == expected)
    }

    /// In a time that grows with their number, and not with its square.
    @Test(.timeLimit(.minutes(1)))
    func commasBehindAPictureAreCutOff() {
        let commas = String(repeating: ",", count: 1 << 20)
        let clean = Sanitizing.clean("<img srcset='a.jpg\(commas) b.jpg'>")
        let address = "https://example.com"
        #expect(clean == "<img srcset=\"\(address)/a/a.jpg, \(address)/a/b.jpg\">")
    }

    @Test func isTheSameTheSecondTime() {
        var random = SeededGenerator(seed: 7)
        let parts = [
            "<script>", "</script>", "<p>", "</p>", "<a href=\"x\">", "</a>", "<!--", "-->",
            "<![CDATA[",
            "]]>", "<svg>", "</svg>", "<math>", "<style>", "</style>", "\"", "'", ">", "<", "&lt;",
            "&",
            "x", "<img src=", "javascript:", " onload=a ", "<iframe>", "</iframe>", "<br/>",
            "\u{0}",
            "<noscript>", "</noscript>", "<template>", "<title>", "</title>", "&#60;script&#62;",
            "<svg/>", "<script/>", "<iframe src=x/>", "<foreignObject>", "<head>", "<body>",
            "<mtext>",
            "<li>", "<ul>", "<table>", "<tr>", "<td>", "</table>", "<dd>", "<div>", "</div>", "<b>",
            "</b>", "<h1>", "<mglyph>", "</math>", "<p/>", "<img data-src=y>", "</ul>", "<ruby>",
            "<rt>",
        ]
        for _ in 0..<3000 {
            let html = (0..<14).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
            let once = Sanitizing.clean(html)
            #expect(Sanitizing.clean(once) == once, "\(html)")
            var tokenizer = HTMLTokenizer(Array(once.utf8)[...])
            while let token = tokenizer.next() {
                guard case .start(let name, let attributes) = token else { continue }
                #expect(HTMLVocabulary.elements[name.text] != nil, "\(html)")
                #expect(!attributes.contains { $0.name.hasPrefix("on") || $0.name == "style" })
            }
        }
    }
}
