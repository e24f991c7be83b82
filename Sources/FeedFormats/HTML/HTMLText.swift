/// The text of HTML, for members that are text.
package enum HTMLText {
    /// The text of a fragment, in one line.
    ///
    /// Tags that HTML does not have are text: `List<String>` is a title. So are tags without a `>`,
    /// and those of a script or the like that never ends.
    package static func line(_ html: String) -> String { plain(html).singleLine }

    /// The text of a fragment, with its blocks in lines of their own, and without NULs, as HTML has it.
    package static func plain(_ html: String) -> String {
        guard !html.utf8.contains(0) else {
            return plain(String(decoding: html.utf8.filter { $0 != 0 }, as: UTF8.self))
        }
        guard html.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") })
        else {
            return html
        }
        let bytes = Array(html.utf8)
        var text = ""
        var dropping: String?
        var tokenizer = HTMLTokenizer(bytes[...])
        while let token = tokenizer.next() {
            switch token {
            case .text(let bytes):
                if dropping == nil { text += String(decoding: bytes, as: UTF8.self) }
            case .start(let name, let attributes):
                if dropping != nil { continue }
                if HTMLVocabulary.dropped.contains(name) {
                    switch tokenizer.extent {
                    case .tag: continue
                    case .content: dropping = name
                    case .rest:
                        tokenizer.readContent()
                        text += resolved(tokenizer.source)
                    }
                } else if !HTMLVocabulary.isElement(name) {
                    text += resolved(tokenizer.source)
                } else {
                    if HTMLVocabulary.blocks.contains(name) { text += "\n" }
                    if name == "img", let alt = attributes.first(where: { $0.name == "alt" }) {
                        text += alt.value
                    }
                }
            case .end(let name):
                if dropping == name { dropping = nil }
                if dropping == nil, HTMLVocabulary.blocks.contains(name) { text += "\n" }
            }
        }
        if dropping == nil { text += resolved(tokenizer.cutOff) }
        return paragraphs(text)
    }

    private static func resolved(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: CharacterReferences.resolve(bytes), as: UTF8.self)
    }

    /// Lines without white space at their ends, at most one empty one between two.
    private static func paragraphs(_ text: String) -> String {
        var lines: [String] = []
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let line = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            if line.isEmpty, lines.last?.isEmpty ?? true { continue }
            lines.append(line)
        }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines.joined(separator: "\n")
    }

    /// Whether a text is HTML rather than text: it has a tag or a comment of HTML.
    static func isMarkup(_ text: String) -> Bool {
        guard text.utf8.contains(UInt8(ascii: "<")) else { return false }
        let bytes = Array(text.utf8)
        var tokenizer = HTMLTokenizer(bytes[...])
        while let token = tokenizer.next() {
            switch token {
            case .start(let name, _): if HTMLVocabulary.isElement(name) { return true }
            // An element of one's own has a hyphen, but `<branch-name>` may be a text's.
            case .end(let name):
                if HTMLVocabulary.isElement(name) || name.contains("-") { return true }
            case .text: break
            }
        }
        return tokenizer.hasComment
    }
}
