import Testing

@testable import FeedFormats

/// Names of HTML's elements, each looked up once.
@Suite struct NamingElements {
    private static func name(_ text: String) -> HTMLName { HTMLName.name(Array(text.utf8)[...]) }

    @Test func aKnownNameIsKnownInAnyCase() {
        for text in HTMLVocabulary.names {
            let name = NamingElements.name(text)
            #expect(name.text == text)
            #expect(name === NamingElements.name(text.uppercased()), "\(text)")
            #expect(name.attributes.map { Set($0) } == HTMLVocabulary.elements[text], "\(text)")
            #expect(name.isElement == HTMLVocabulary.isElement(text), "\(text)")
            #expect(name.isVoid == HTMLVocabulary.voidElements.contains(text), "\(text)")
            #expect(name.isDropped == HTMLVocabulary.dropped.contains(text), "\(text)")
            #expect(name.kind == HTMLOpenElements.bits[text] ?? 0, "\(text)")
        }
    }

    @Test(arguments: [
        ("", ""), ("Q1", "q1"), ("p\u{0}", "p\u{0}"), ("\u{0}p", "\u{0}p"),
        ("my-Element", "my-element"),
        ("blockquoteblockquote", "blockquoteblockquote"), ("\u{C9}m", "\u{E9}m"),
        ("b\u{301}", "b\u{301}"),
    ])
    func anyOtherIsTextInLowerCase(_ spelling: String, _ text: String) {
        let name = NamingElements.name(spelling)
        #expect(name.text == text)
        #expect(name.attributes == nil && !name.isDropped && name.kind == 0)
    }

    /// The sign for kelvin is a capital letter whose small one is in ASCII.
    @Test func aLetterBeyondASCIIMayBeASmallOneOfASCII() {
        #expect(NamingElements.name("\u{212A}bd") === NamingElements.name("kbd"))
    }

    @Test(arguments: [("o:p", true), ("o:", false), ("https:", false), ("a:b:c", false)])
    func aPrefixedNameIsAnElement(_ text: String, _ isElement: Bool) {
        #expect(NamingElements.name(text).isElement == isElement)
    }
}
