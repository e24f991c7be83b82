/// Converts HTML to text, for members that are text.
package enum HTMLText {
    /// Returns the text of a fragment, in one line.
    ///
    /// Three kinds of tags are text: tags that HTML does not have (`List<String>` is a title), tags
    /// without a `>`, and the start tag of an element such as `script` without its end tag.
    package static func line(_ html: String) -> String { plain(html).singleLine }

    /// Returns the text of a fragment, with its blocks in lines of their own.
    ///
    /// If the fragment has elements, line feeds outside `pre` are white space; otherwise they end
    /// lines.
    package static func plain(_ html: String) -> String {
        let html = html.withoutControls
        guard html.has(UInt8(ascii: "<")) || html.has(UInt8(ascii: "&")) else { return html }
        let bytes = Array(html.utf8)
        guard html.has(UInt8(ascii: "<")) else {
            return CharacterReferences.text(bytes[...], isText: true).paragraphs
        }
        var text = Writer(isWrapped: html.has(0x0A) && isMarkup(html))
        var tokenizer = HTMLTokenizer(bytes[...])
        while let token = tokenizer.next() { text.take(token, &tokenizer) }
        return text.finish(tokenizer.cutOff).paragraphs
    }

    /// Writes the text of tokens.
    private struct Writer {
        /// Whether line feeds outside `pre` are white space.
        let isWrapped: Bool
        private var text = ""
        /// The element whose content is being left out; `nil`: none.
        private var dropping: HTMLName?
        /// The number of open `pre` elements.
        private var verbatimDepth = 0

        init(isWrapped: Bool) { self.isWrapped = isWrapped }

        mutating func take(_ token: HTMLTokenizer.Token, _ tokenizer: inout HTMLTokenizer) {
            switch token {
            case .text(let bytes):
                if dropping != nil { return }
                let joinsLines = isWrapped && verbatimDepth == 0
                let shown = joinsLines ? bytes.map { $0 == 0x0A ? 0x20 : $0 }[...] : bytes
                text += String(decoding: shown, as: UTF8.self)
            case .start(let name, let attributes):
                if dropping == nil { start(name, attributes, &tokenizer) }
            case .end(let name):
                if dropping == name { dropping = nil }
                guard dropping == nil else { return }
                if name.isBlock { text += "\n" }
                if name.text == "pre" { verbatimDepth = max(0, verbatimDepth - 1) }
            }
        }

        private mutating func start(
            _ name: HTMLName,
            _ attributes: HTMLTokenizer.Attributes,
            _ tokenizer: inout HTMLTokenizer
        ) {
            if name.isDropped {
                switch tokenizer.extent {
                case .tag: break
                case .rest where tokenizer.hasQuotedValue && !name.isRawText: break
                case .content: dropping = name
                case .rest:
                    tokenizer.readContent()
                    add(tokenizer.source)
                }
            } else if HTMLText.isText(name, tokenizer) {
                tokenizer.readContent()
                add(tokenizer.source)
            } else {
                if name.isBlock { text += "\n" }
                if name.text == "pre" { verbatimDepth += 1 }
                if name.text == "option" { text += " " }
                if name.text == "img" { text += attributes["alt"] ?? "" }
            }
        }

        private mutating func add(_ tag: ArraySlice<UInt8>) {
            text += CharacterReferences.text(tag)
        }

        /// Ends the text with the rest of the fragment from a tag without a `>` on, if there is
        /// one, and returns it.
        mutating func finish(_ cutOff: ArraySlice<UInt8>) -> String {
            if dropping == nil { add(cutOff) }
            return text
        }
    }

    /// Returns whether the last start tag is meant as text.
    ///
    /// A tag that HTML does not have is text if it has neither an end tag nor a quoted value; a tag
    /// of an element with content is text if it has no end tag.
    private static func isText(_ name: HTMLName, _ tokenizer: HTMLTokenizer) -> Bool {
        if !name.isElement { return tokenizer.extent != .content && !tokenizer.hasQuotedValue }
        return name.seeksEndTag && tokenizer.extent == .rest && name.text != "noscript"
            && !tokenizer.hasQuotedValue
    }

    /// Returns whether a text is HTML: it has a tag or a comment of HTML.
    static func isMarkup(_ text: String) -> Bool {
        guard text.has(UInt8(ascii: "<")) else { return false }
        let bytes = Array(text.utf8)
        var tokenizer = HTMLTokenizer(bytes[...])
        while let token = tokenizer.next() {
            switch token {
            case .start(let name, _):
                if name.isElement || !isText(name, tokenizer) { return true }
            // A custom element has a hyphen, but `<branch-name>` may be text.
            case .end(let name):
                if name.isElement || name.text.contains("-") { return true }
            case .text: break
            }
        }
        return tokenizer.hasComment
    }
}
