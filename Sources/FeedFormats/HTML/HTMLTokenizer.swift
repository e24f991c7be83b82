/// Cuts HTML into tags and text, as browsers do where that matters (HTML Standard §13.2.5).
struct HTMLTokenizer {
    /// The attributes of a tag, each name once and in lower case.
    typealias Attributes = [(name: String, value: String)]

    enum Token {
        case start(name: HTMLName, attributes: Attributes)
        case end(name: HTMLName)
        /// Text with its character references resolved.
        case text(ArraySlice<UInt8>)
    }

    /// The extent of an element that is left out with its content.
    enum Extent {
        /// The tag alone: it ends in `/>`, and the element has no content.
        case tag
        /// The content up to the element's end tag, which comes later.
        case content
        /// The rest of the text: the element has no end tag.
        case rest
    }

    /// The last tag as it is spelled, with its angle brackets.
    private(set) var source: ArraySlice<UInt8> = []
    /// The extent of the last start tag's element.
    ///
    /// End tags are sought only for the names in ``HTMLVocabulary/seekingEndTag``, and for names
    /// that HTML does not have.
    private(set) var extent = Extent.content
    /// Whether an attribute of the last tag has a value in quotes.
    private(set) var hasQuotedValue = false
    /// The tag that the end of the text cut off.
    private(set) var cutOff: ArraySlice<UInt8> = []
    /// Whether the text so far has a comment.
    private(set) var hasComment = false

    private let bytes: ArraySlice<UInt8>
    private var index: Int
    /// The element whose end tag alone ends the text.
    private var rawText: HTMLName?
    /// The positions of the next end tags, by name; the text's end if there are none.
    private var ends: [String: Int] = [:]
    /// The number of names in ``ends`` that HTML does not have.
    private var pairCount = 0

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        index = bytes.startIndex
    }

    mutating func next() -> Token? {
        if let text = takeRawText() { return text }
        while index < bytes.endIndex {
            let start = index
            if bytes[index] != UInt8(ascii: "<") {
                index = bytes.firstIndex(of: UInt8(ascii: "<"), from: index) ?? bytes.endIndex
                return .text(CharacterReferences.resolve(bytes[start..<index], isText: true))
            }
            guard index + 1 < bytes.endIndex else {
                index += 1
                return .text(bytes[start..<index])
            }
            switch bytes[index + 1] {
            case let byte where byte.isASCIILetter:
                if let token = tag(isEnd: false) { return token }
            case UInt8(ascii: "/"):
                guard index + 2 < bytes.endIndex else {
                    index += 2
                    return .text(bytes[start..<index])
                }
                if bytes[index + 2].isASCIILetter {
                    if let token = tag(isEnd: true) { return token }
                } else {
                    skip(through: ">")
                }
            case UInt8(ascii: "!"): skipDeclaration()
            case UInt8(ascii: "?"): skip(through: ">")
            default:
                index += 1
                return .text(bytes[start..<index])
            }
        }
        return nil
    }

    private mutating func skip(through character: Character) {
        let byte = character.asciiValue ?? 0
        index = bytes[index...].firstIndex(of: byte).map { $0 + 1 } ?? bytes.endIndex
    }

    private mutating func skipDeclaration() {
        guard bytes[index...].starts(with: "<!--".utf8) else {
            // A CDATA section is a comment up to the first ">" (§13.2.5.42).
            skip(through: ">")
            return
        }
        index += 4
        if bytes[index...].first == UInt8(ascii: ">") || bytes[index...].starts(with: "->".utf8) {
            skip(through: ">")
            return
        }
        while index < bytes.endIndex {
            guard let dash = bytes[index...].firstIndex(of: UInt8(ascii: "-")) else { break }
            let rest = bytes[dash...]
            if rest.starts(with: "-->".utf8) || rest.starts(with: "--!>".utf8) {
                hasComment = true
                index = dash
                skip(through: ">")
                return
            }
            index = dash + 1
        }
        index = bytes.endIndex
    }

    /// Reads a start tag or an end tag.
    ///
    /// - Returns: `nil` for a tag that is cut off: it counts as absent (§13.2.5.8).
    private mutating func tag(isEnd: Bool) -> Token? {
        let first = index
        index += isEnd ? 2 : 1
        let start = index
        while index < bytes.endIndex, !isTagEnd(bytes[index]) { index += 1 }
        let name = HTMLName.name(bytes[start..<index])
        var attributes: Attributes = []
        hasQuotedValue = false
        while index < bytes.endIndex {
            switch bytes[index] {
            case UInt8(ascii: ">"):
                index += 1
                source = bytes[first..<index]
                if isEnd { return .end(name: name) }
                extent = source.dropLast().last == UInt8(ascii: "/") ? .tag : .content
                if name.seeksEndTag { seekEndTag(of: name) } else if !name.isElement { pair(name) }
                return .start(name: name, attributes: attributes)
            case let byte where byte.isSpace || byte == UInt8(ascii: "/"): index += 1
            default:
                let attribute = attribute()
                if attributes.count < 64, attributes[attribute.name] == nil {
                    attributes.append(attribute)
                }
            }
        }
        cutOff = bytes[first...]
        return nil
    }

    private mutating func attribute() -> (name: String, value: String) {
        let start = index
        index += 1
        while index < bytes.endIndex, !isTagEnd(bytes[index]), bytes[index] != UInt8(ascii: "=") {
            index += 1
        }
        let name = String(decoding: bytes[start..<index], as: UTF8.self).lowercased()
        var next = index
        while next < bytes.endIndex, bytes[next].isSpace { next += 1 }
        guard next < bytes.endIndex, bytes[next] == UInt8(ascii: "=") else { return (name, "") }
        next += 1
        while next < bytes.endIndex, bytes[next].isSpace { next += 1 }
        guard next < bytes.endIndex else {
            index = next
            return (name, "")
        }
        let quote = bytes[next]
        let range: Range<Int>
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            hasQuotedValue = true
            let end = bytes[(next + 1)...].firstIndex(of: quote) ?? bytes.endIndex
            range = (next + 1)..<end
            index = min(end + 1, bytes.endIndex)
        } else {
            let end =
                bytes[next...].firstIndex { $0.isSpace || $0 == UInt8(ascii: ">") }
                ?? bytes.endIndex
            range = next..<end
            index = end
        }
        return (name, CharacterReferences.text(bytes[range]))
    }

    private func isTagEnd(_ byte: UInt8) -> Bool {
        byte.isSpace || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/")
    }
}

extension HTMLTokenizer.Attributes {
    /// The value of the first attribute with a name.
    subscript(name: String) -> String? { first { $0.name == name }?.value }
}

/// Finds the ends of elements that are left out.
extension HTMLTokenizer {
    /// Sets ``extent``, and whether the element's content is markup.
    ///
    /// Browsers know `<svg/>` and not `<script/>`, but feeds have both from XHTML. If the end tag
    /// comes before another start tag of the name, the text between is the element's content. Each
    /// name is looked for once in every part of the text.
    private mutating func seekEndTag(of name: HTMLName) {
        let end = endTag(name)
        let hasEnd = end < bytes.endIndex
        if extent == .content {
            extent = hasEnd ? .content : .rest
        } else if hasEnd, find("<" + name.text, before: end) == nil {
            extent = .content
        }
        // The rest of a script is of no use to a reader.
        let isCode = name.text == "script" || name.text == "style"
        if name.isRawText, extent == .content || extent == .rest && isCode {
            rawText = name
        }
    }

    /// Treats the content of the element that began last as markup.
    mutating func readContent() { rawText = nil }

    /// Returns the position of the next end tag with a name, or the end of the text if there is
    /// none.
    private mutating func endTag(_ name: HTMLName) -> Int {
        if let known = ends[name.text], known >= index { return known }
        let end = find("</" + name.text, before: bytes.endIndex) ?? bytes.endIndex
        ends[name.text] = end
        return end
    }

    /// Skips the content of an element without markup, up to its end tag, and returns the part that
    /// is shown.
    private mutating func takeRawText() -> Token? {
        guard let name = rawText else { return nil }
        rawText = nil
        let text = bytes[index..<endTag(name)]
        index = text.endIndex
        guard name.isVerbatim, !text.isEmpty else { return nil }
        return .text(name.text == "textarea" ? CharacterReferences.resolve(text) : text)
    }

    /// The most unknown names of elements whose end tags are looked for.
    private static let pairLimit = 32

    /// Sets ``extent`` for an unknown element.
    private mutating func pair(_ name: HTMLName) {
        guard extent == .content else { return }
        let isKnown = ends[name.text] != nil
        if !isKnown { pairCount += 1 }
        let isSought = isKnown || pairCount <= HTMLTokenizer.pairLimit
        extent = isSought && endTag(name) < bytes.endIndex ? .content : .rest
    }

    /// Returns the index of the next tag before `end`; `tag` is `<` or `</` and a name in lower
    /// case, which the text may have in upper case.
    private func find(_ tag: String, before end: Int) -> Int? {
        let tag = Array(tag.utf8)
        var start = index
        while let next = bytes[start..<end].firstIndex(of: UInt8(ascii: "<")) {
            let rest = bytes[next...]
            if rest.prefix(tag.count).elementsEqual(tag, by: { $0.lowercased == $1 }),
                rest.dropFirst(tag.count).first.map(isTagEnd) ?? true
            {
                return next
            }
            start = next + 1
        }
        return nil
    }
}
