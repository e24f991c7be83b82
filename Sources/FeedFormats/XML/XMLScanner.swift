/// Cuts XML into tags and text, however ill-formed it is.
///
/// Comments, processing instructions and document types are skipped: no entity is ever declared, so
/// none can expand. A lone `<` or `&` is text. Names are bytes up to white space, `/`, `>` or `=`.
struct XMLScanner {
    enum Token {
        /// A start tag, or an empty element.
        case start(name: Range<Int>, isEmpty: Bool)
        case end(name: Range<Int>)
        /// Text with references.
        case text(Range<Int>)
        /// A CDATA section: text without references.
        case characters(Range<Int>)
    }

    struct Attribute {
        let name: Range<Int>
        let value: Range<Int>
    }

    let bytes: [UInt8]

    /// The attributes of the last start tag, at most 64.
    private(set) var attributes: [Attribute] = []

    /// Whether a tag, a comment, a CDATA section or other markup had no end.
    private(set) var isCutOff = false

    private var index = 0

    /// Texts that end a piece of markup or an entry, and are searched for.
    private enum End: Int, CaseIterable {
        case sectionEnd, commentEnd, instructionEnd, itemEnd, entryEnd

        var text: StaticString {
            switch self {
            case .sectionEnd: "]]>"
            case .commentEnd: "-->"
            case .instructionEnd: "?>"
            case .itemEnd: "</item"
            case .entryEnd: "</entry"
            }
        }
    }

    /// The start and the result of the last search for each text: a text that was not found is not
    /// searched for again from any later index.
    private var searches = [(from: Int, found: Int?)?](repeating: nil, count: End.allCases.count)
    /// The number of bytes that searches for texts have looked at.
    private(set) var searchedByteCount = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> Token? {
        while index < bytes.count {
            let start = index
            skipText()
            if index > start { return .text(start..<index) }
            if let token = markupToken() { return token }
        }
        return nil
    }

    /// Skips text, up to the next `<` that may be markup.
    private mutating func skipText() {
        while let next = bytes.firstIndex(of: UInt8(ascii: "<"), from: index) {
            if isMarkup(at: next) {
                index = next
                return
            }
            index = next + 1
        }
        index = bytes.count
    }

    private func isMarkup(at index: Int) -> Bool {
        guard index + 1 < bytes.count else { return false }
        switch bytes[index + 1] {
        case UInt8(ascii: "!"), UInt8(ascii: "?"): return true
        case UInt8(ascii: "/"): return index + 2 < bytes.count && isNameStart(bytes[index + 2])
        default: return isNameStart(bytes[index + 1])
        }
    }

    private func isNameStart(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte >= 0x80 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ":")
    }

    /// Reads the markup that begins here; `nil`: it is skipped.
    private mutating func markupToken() -> Token? {
        switch bytes[index + 1] {
        case UInt8(ascii: "!"): return declaration()
        case UInt8(ascii: "?"):
            skip(past: .instructionEnd, from: index + 2)
            return nil
        case UInt8(ascii: "/"):
            let name = readName(from: index + 2)
            index = name.upperBound
            while index < bytes.count, bytes[index] != UInt8(ascii: ">") {
                if bytes[index] == UInt8(ascii: "<") { return .end(name: name) }
                index += 1
            }
            guard index < bytes.count else {
                isCutOff = true
                return nil
            }
            index += 1
            return .end(name: name)
        default: return startTag()
        }
    }

    private mutating func declaration() -> Token? {
        let rest = bytes[index...]
        if rest.starts(with: "<!--".utf8) {
            skip(past: .commentEnd, from: index + 4)
            return nil
        }
        guard rest.starts(with: "<![CDATA[".utf8) else {
            skipDocumentType()
            return nil
        }
        let start = index + 9
        if let end = find(.sectionEnd, from: start) {
            index = end + 3
            return .characters(start..<end)
        }
        // The section goes on to the end tag before the one that ends an item, or else to the
        // document's end.
        isCutOff = true
        var limit = bytes.count
        for tag in [End.itemEnd, .entryEnd] { limit = min(limit, find(tag, from: start) ?? limit) }
        index = bytes[start..<limit].lastIndex(of: UInt8(ascii: "<")) ?? limit
        return .characters(start..<index)
    }

    /// Skips `<!DOCTYPE …>` with its parts in brackets and quotes.
    private mutating func skipDocumentType() {
        var depth = 0
        var quote: UInt8?
        index += 2
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if let open = quote {
                if byte == open { quote = nil }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = depth > 0 ? byte : quote
            case UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ">") where depth <= 0: return
            default: break
            }
        }
        isCutOff = true
    }

    private mutating func skip(past target: End, from start: Int) {
        if let end = find(target, from: start) {
            index = end + target.text.utf8CodeUnitCount
        } else {
            isCutOff = true
            index = bytes.count
        }
    }

    private mutating func find(_ target: End, from start: Int) -> Int? {
        if let last = searches[target.rawValue], start >= last.from {
            guard let found = last.found else { return nil }
            if found >= start { return found }
        }
        let found = bytes.firstIndex(of: target.text, from: start)
        searchedByteCount += (found ?? bytes.count) - min(start, bytes.count)
        searches[target.rawValue] = (start, found)
        return found
    }

    private func readName(from start: Int) -> Range<Int> {
        var end = start
        while end < bytes.count {
            let byte = bytes[end]
            if byte.isSpace || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "<") { break }
            if byte == UInt8(ascii: "/") || byte == UInt8(ascii: "=") { break }
            end += 1
        }
        return start..<end
    }
}

/// Reads tags.
extension XMLScanner {
    /// Returns whether an attribute declares a namespace.
    func isDeclaration(_ attribute: Attribute) -> Bool {
        bytes[attribute.name.lowerBound] == UInt8(ascii: "x")
            && bytes[attribute.name].starts(with: "xmlns".utf8)
    }

    private mutating func startTag() -> Token? {
        let name = readName(from: index + 1)
        index = name.upperBound
        attributes.removeAll(keepingCapacity: true)
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: ">"):
                index += 1
                return .start(name: name, isEmpty: false)
            // The next tag begins: this one was never closed.
            case UInt8(ascii: "<"): return .start(name: name, isEmpty: false)
            case UInt8(ascii: "/"):
                index += 1
                if index < bytes.count, bytes[index] == UInt8(ascii: ">") {
                    index += 1
                    return .start(name: name, isEmpty: true)
                }
            case UInt8(ascii: "="): index += 1
            case let byte where byte.isSpace: index += 1
            default: readAttribute()
            }
        }
        isCutOff = true
        return nil
    }

    private mutating func readAttribute() {
        let name = readName(from: index)
        index = max(name.upperBound, index + (name.isEmpty ? 1 : 0))
        var next = index
        while next < bytes.count, bytes[next].isSpace { next += 1 }
        guard next < bytes.count, bytes[next] == UInt8(ascii: "=") else {
            add(name, index..<index)
            return
        }
        next += 1
        while next < bytes.count, bytes[next].isSpace { next += 1 }
        guard next < bytes.count else {
            index = next
            return
        }
        let quote = bytes[next]
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            let end = bytes.firstIndex(of: quote, from: next + 1) ?? bytes.count
            if let unquoted = unquotedEnd(next + 1, end) {
                index = unquoted
                return add(name, (next + 1)..<unquoted)
            }
            index = min(end + 1, bytes.count)
            add(name, (next + 1)..<end)
        } else {
            var end = next
            while end < bytes.count, !bytes[end].isSpace, bytes[end] != UInt8(ascii: ">") {
                end += 1
            }
            index = end
            add(name, next..<end)
        }
    }

    /// Returns where a value without its last quote ends: before the end of its tag, if another tag
    /// follows and the next quote ends no attribute.
    private func unquotedEnd(_ start: Int, _ quote: Int) -> Int? {
        if quote < bytes.count {
            guard quote + 1 < bytes.count else { return nil }
            let next = bytes[quote + 1]
            let isLast =
                next.isSpace || next == UInt8(ascii: ">") || next == UInt8(ascii: "/")
                || next == UInt8(ascii: "?")
            if isLast { return nil }
        }
        guard let tag = bytes[start..<quote].firstIndex(of: UInt8(ascii: "<")),
            let end = bytes[start..<tag].firstIndex(of: UInt8(ascii: ">"))
        else { return nil }
        return end > start && bytes[end - 1] == UInt8(ascii: "/") ? end - 1 : end
    }

    private mutating func add(_ name: Range<Int>, _ value: Range<Int>) {
        if attributes.count < 64, !name.isEmpty {
            attributes.append(Attribute(name: name, value: value))
        }
    }
}
