/// Cuts HTML into tags and text, as browsers do where that matters (HTML Standard §13.2.5).
struct HTMLTokenizer {
    enum Token {
        case start(name: HTMLName, attributes: [(name: String, value: String)])
        case end(name: HTMLName)
        /// Text, its references resolved.
        case text(ArraySlice<UInt8>)
    }

    /// How far an element goes that is left out with what is in it.
    enum Extent {
        /// It holds nothing: its tag ends in `/>`.
        case tag
        /// To its end tag, of which there is one behind.
        case content
        /// It has no end tag.
        case rest
    }

    /// The last tag as it is spelled, with its marks.
    private(set) var source: ArraySlice<UInt8> = []
    /// That of the last start tag; whether there is an end tag counts for names of
    /// ``HTMLVocabulary/measured`` alone, and for those that HTML does not have.
    private(set) var extent = Extent.content
    /// Whether an attribute of the last tag has a value in quotes.
    private(set) var hasQuotedValue = false
    /// The tag that the end of the text cut off.
    private(set) var cutOff: ArraySlice<UInt8> = []
    /// Whether there was a comment.
    private(set) var hasComment = false

    private let bytes: ArraySlice<UInt8>
    private var index: Int
    /// The element whose end alone ends the text.
    private var rawText: HTMLName?
    /// Where the next end tags are, by name; the text's end where there are none.
    private var ends: [String: Int] = [:]
    /// How many of these HTML does not have.
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
                index = bytes.place(of: UInt8(ascii: "<"), from: index) ?? bytes.endIndex
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

    private mutating func skip(through mark: Character) {
        let byte = mark.asciiValue ?? 0
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

    /// - Returns: `nil` for a tag that is cut off: it is not there (§13.2.5.8).
    private mutating func tag(isEnd: Bool) -> Token? {
        let first = index
        index += isEnd ? 2 : 1
        let start = index
        while index < bytes.endIndex, !isTagEnd(bytes[index]) { index += 1 }
        let name = HTMLName.name(bytes[start..<index])
        var attributes: [(name: String, value: String)] = []
        hasQuotedValue = false
        while index < bytes.endIndex {
            switch bytes[index] {
            case UInt8(ascii: ">"):
                index += 1
                source = bytes[first..<index]
                if isEnd { return .end(name: name) }
                extent = source.dropLast().last == UInt8(ascii: "/") ? .tag : .content
                if name.isMeasured { measure(name) } else if !name.isElement { pair(name) }
                return .start(name: name, attributes: attributes)
            case let byte where byte.isSpace || byte == UInt8(ascii: "/"): index += 1
            default:
                let attribute = attribute()
                if attributes.count < 64, !attributes.contains(where: { $0.name == attribute.name })
                {
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
        let name = text(start..<index).lowercased()
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
        let value = CharacterReferences.resolve(bytes[range])
        return (name, String(decoding: value, as: UTF8.self))
    }

    private func isTagEnd(_ byte: UInt8) -> Bool {
        byte.isSpace || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/")
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }
}

/// Elements that are left out.
extension HTMLTokenizer {
    /// Sets ``extent``, and whether there is markup in the element.
    ///
    /// Browsers know `<svg/>` and not `<script/>`, but feeds have both from XHTML. Where the end
    /// tag comes before another start tag of the name, what is between is the element's content.
    /// Each name is looked for once in every part of the text.
    private mutating func measure(_ name: HTMLName) {
        let end = endTag(name)
        let hasEnd = end < bytes.endIndex
        if extent == .content {
            extent = hasEnd ? .content : .rest
        } else if hasEnd, find("<" + name.text, before: end) == nil {
            extent = .content
        }
        // Nobody wants to read the rest of a script.
        let isCode = name.text == "script" || name.text == "style"
        if name.isRawText, extent == .content || extent == .rest && isCode {
            rawText = name
        }
    }

    /// Takes the content of the element that began last for markup.
    mutating func readContent() { rawText = nil }

    /// Where the next end tag of a name begins; the text's end: nowhere.
    private mutating func endTag(_ name: HTMLName) -> Int {
        if let known = ends[name.text], known >= index { return known }
        let end = find("</" + name.text, before: bytes.endIndex) ?? bytes.endIndex
        ends[name.text] = end
        return end
    }

    /// Goes to the end tag of an element without markup, and past the content before it.
    ///
    /// - Returns: What of that is shown.
    private mutating func takeRawText() -> Token? {
        guard let name = rawText else { return nil }
        rawText = nil
        let text = bytes[index..<endTag(name)]
        index = text.endIndex
        guard name.isVerbatim, !text.isEmpty else { return nil }
        return .text(name.text == "textarea" ? CharacterReferences.resolve(text) : text)
    }

    /// How many names are looked for that HTML does not have.
    private static let pairLimit = 32

    /// Sets ``extent`` of an element that HTML does not have.
    private mutating func pair(_ name: HTMLName) {
        guard extent == .content else { return }
        let isKnown = ends[name.text] != nil
        if !isKnown { pairCount += 1 }
        let isSought = isKnown || pairCount <= HTMLTokenizer.pairLimit
        extent = isSought && endTag(name) < bytes.endIndex ? .content : .rest
    }

    /// Where a tag begins, `<` or `</` with its name, in whatever case.
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
