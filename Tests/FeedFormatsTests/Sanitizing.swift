import TestSupport
import Testing

@testable import FeedFormats

/// HTML that may be in an item.
@Suite struct Sanitizing {
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
        ("<iframe src=\"https://e.example\"><b>x</b></iframe>y", "y"),
        ("<svg><script>x</script><a href=\"javascript:x\">z</a></svg>y", "y"),
        ("<object><embed src=x></object>y", "y"), ("<form action=x><input name=y>z</form>", "z"),
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
        ("<textarea><script>x</script></textarea>y", "y"), ("<plaintext>x</plaintext>y", "y"),
        ("<p", ""), ("<", "&lt;"), ("x</", "x&lt;/"), ("<br/>x<hr>", "<br>x<hr>"),
    ])
    func leavesWhatIsAllowed(_ html: String, _ expected: String) {
        #expect(Sanitizing.clean(html) == expected)
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
        ]
        for _ in 0..<1000 {
            let html = (0..<12).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
            let once = Sanitizing.clean(html)
            #expect(Sanitizing.clean(once) == once, "\(html)")
            var tokenizer = HTMLTokenizer(Array(once.utf8)[...])
            while let token = tokenizer.next() {
                guard case .start(let name, let attributes) = token else { continue }
                #expect(HTMLVocabulary.elements[name] != nil, "\(html)")
                #expect(!attributes.contains { $0.name.hasPrefix("on") || $0.name == "style" })
            }
        }
    }

    @Test(arguments: [
        ("<p>One</p><p>Two <b>x</b></p>", "One\n\nTwo x"), ("a<br>b", "a\nb"),
        ("x &amp; y", "x & y"),
        ("<script>x</script>y", "y"), ("plain", "plain"), ("a\u{0}b", "ab"),
        ("<p>a\u{0}</p>&amp;\u{0}", "a\n&"), ("<img alt=\"A dog\">", "A dog"),
    ])
    func textIsWhatAPersonReads(_ html: String, _ expected: String) {
        #expect(HTMLText.plain(html) == expected)
    }
}
