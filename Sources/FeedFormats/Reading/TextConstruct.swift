import Foundation

/// A text of a feed, plain or HTML (in Atom a text construct, RFC 4287 §3.1).
struct TextConstruct {
    /// The text of the document with its XML escapes resolved, without control characters; if
    /// ``isHTML``, it is markup.
    let value: String
    let isHTML: Bool

    /// Reads an element's content.
    init(_ node: XMLNode) {
        let (text, isHTML) = TextConstruct.content(node)
        self.isHTML = isHTML
        value = (isHTML ? TextConstruct.withoutSection(text) : text).withoutControls
    }

    /// Returns an element's content, and whether it is HTML.
    ///
    /// In Atom and Media RSS, content is HTML if the element's type says so; in Atom, child
    /// elements also make it HTML. In RSS and all other namespaces, content is always HTML.
    private static func content(_ node: XMLNode) -> (text: String, isHTML: Bool) {
        let type = node["type"]?.trimmed.lowercased() ?? ""
        let mode = node["mode"]?.trimmed.lowercased()
        let hasElements = node.content.contains { if case .node = $0 { true } else { false } }
        switch node.namespace {
        case .atom, .atom03:
            let isMarkup =
                type == "xhtml" || mode == "xml" && hasElements
                || type.hasSuffix("/xhtml+xml") || hasElements
            if isMarkup { return (innerDivision(node), true) }
            let isEncoded = node.namespace == .atom03 && mode == "base64"
            let isHTML = type == "html" || type.hasPrefix("text/html")
            return (isEncoded ? base64(node.text) : node.text, isHTML)
        case .media: return (node.text, type == "html")
        case .xhtml: return (node.markup(within: node.base), true)
        default: return (hasElements ? node.markup(within: node.base) : node.text, true)
        }
    }

    /// Returns HTML without the delimiters of a CDATA section around it.
    ///
    /// Some feeds escape such a section like the HTML in it. Browsers know no CDATA in HTML.
    private static func withoutSection(_ text: String) -> String {
        guard let first = text.utf8.first else { return text }
        let rest = text.utf8.drop(while: \.isSpace)
        let isSection =
            first == UInt8(ascii: "<") || first.isSpace
            ? rest.starts(with: "<![CDATA[".utf8) : false
        // Some feeds end a CDATA section twice, as in `<![CDATA[a]]>]]>`: then the second end is
        // left here.
        guard isSection || text.utf8.last == UInt8(ascii: ">") || text.utf8.last?.isSpace == true
        else { return text }
        let inner = isSection ? String(Substring(rest.dropFirst(9))).trimmed : text.trimmed
        if inner.hasSuffix("]]>") { return String(inner.dropLast(3)) }
        return isSection ? inner : text
    }

    /// Returns the content of the single `div` around XHTML (RFC 4287 §3.1.1.3).
    private static func innerDivision(_ node: XMLNode) -> String {
        let children = node.children
        let hasText = node.content.contains {
            if case .text(let text) = $0 { text.nonempty != nil } else { false }
        }
        if children.count == 1, !hasText, children[0].name == "div" {
            return children[0].markup(within: node.base)
        }
        return node.markup(within: node.base)
    }

    /// Decodes base64 (RFC 4648 §4) as UTF-8; other characters are skipped, and padding may be
    /// missing.
    private static func base64(_ text: String) -> String {
        var letters = text.utf8.filter { $0.isASCIIAlphanumeric || "+/".utf8.contains($0) }
        // A single letter at the end is less than a byte.
        if letters.count % 4 == 1 { letters.removeLast() }
        letters += Array(repeating: UInt8(ascii: "="), count: -letters.count & 3)
        return String(decoding: Data(base64Encoded: Data(letters)) ?? Data(), as: UTF8.self)
    }

    /// The text in one line, without markup; `nil` if it is empty.
    var line: String? { (isHTML ? HTMLText.line(value) : value.singleLine).nonempty }

    /// The text in lines, without markup; `nil` if it is empty.
    ///
    /// White space that indents the lines is dropped (RFC 4287 §3.1.1.1).
    var text: String? { (isHTML ? HTMLText.plain(value) : value).paragraphs.nonempty }
}
