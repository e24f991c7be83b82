import Testing

@testable import FeedFormats

/// The text of HTML, for members that are text.
@Suite struct HTMLAsText {
    @Test(arguments: [
        ("<p>One</p><p>Two <b>x</b></p>", "One\n\nTwo x"), ("a<br>b", "a\nb"),
        ("<p>One\nline <b>and\nno</b> more</p>\n<p>Two</p>", "One line and no more\n\nTwo"),
        ("<pre>a\nb</pre>c\nd", "a\nb\nc d"), ("a\nb &amp; c", "a\nb & c"),
        ("x &amp; y", "x & y"),
        ("<script>x</script>y", "y"), ("plain", "plain"), ("a\u{0}b", "ab"),
        ("<p>a\u{0}</p>&amp;\u{0}", "a\n&"), ("<img alt=\"A dog\">", "A dog"),
        ("How to use the <script> tag", "How to use the <script> tag"),
        ("The <title> & <svg> elements", "The <title> & <svg> elements"),
        ("if x<y then", "if x<y then"), ("if x<y then z>w", "if x<y then z>w"),
        ("a <svg/> b", "a b"), ("a <script/> b", "a b"), ("<o:p>Office</o:p>", "Office"),
        ("see <https://example.com/x>", "see <https://example.com/x>"),
        ("List<Map<K, V>>", "List<Map<K, V>>"), ("c<d &amp; e", "c<d & e"), ("a</b", "a</b"),
        ("<blink>a</blink> <b>b</b>", "a b"), ("<T>v</T> <U2>w", "v <U2>w"),
        ("Use <canvas> and <iframe>", "Use <canvas> and <iframe>"), ("a<x/>b", "a<x/>b"),
        ("a <iframe src=x><b>b</b></iframe>", "a b"), ("<textarea><i></textarea>", "<i>"),
        ("a <frame src=\"https://e.example/\" /> b", "a b"), ("<x y = 'z'>a", "a"),
        ("Using <canvas> and <video> tags", "Using <canvas> and <video> tags"),
        ("safe<object classid=\"clsid:1\"> words", "safe words"), ("<video>a</video> b", "a b"),
        ("<svg class=\"x\"> words", "words"),
        ("&quotHello&quot, &lt3 &ampx", "\"Hello\", <3 &ampx"),
        ("<b>&quotx&quot</b>", "\"x\""), ("?a&lte=1&copy=2", "?a<e=1&copy=2"),
        ("a<frame>b", "a<frame>b"), ("a<b2 c=d>e", "a<b2 c=d>e"),
    ])
    func textIsWhatAPersonReads(_ html: String, _ expected: String) {
        #expect(HTMLText.plain(html) == expected)
    }

    /// Whether a tag has an end is looked up once for each name, and for some names alone.
    @Test func manyUnknownTagsCostNoMoreThanTheirBytes() {
        let tags = (0..<20_000).map { "<x\($0)>" }.joined()
        #expect(HTMLText.plain(tags) == tags)
        let pairs = (0..<20_000).map { "<x\($0)>y</x\($0)>" }.joined()
        #expect(HTMLText.plain(pairs).hasPrefix(String(repeating: "y", count: 32)))
    }
}
