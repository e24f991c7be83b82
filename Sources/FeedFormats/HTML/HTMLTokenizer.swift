/// Cuts HTML into tags and text, as browsers do where that matters (HTML Standard §13.2.5).
struct HTMLTokenizer {
    enum Token {
        case start(name: String, attributes: [(name: String, value: String)])
        case end(name: String)
        /// Text, its references resolved.
        case text([UInt8])
    }

    /// The name of the last tag as it is spelled.
    private(set) var spelling = ""

    private let bytes: ArraySlice<UInt8>
    private var index: Int
    /// The element whose end alone ends the text.
    private var rawText: String?

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        index = bytes.startIndex
    }

    mutating func next() -> Token? {
        if let name = rawText {
            rawText = nil
            skipRawText(name)
        }
        while index < bytes.endIndex {
            let start = index
            if bytes[index] != UInt8(ascii: "<") {
                index = bytes[index...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.endIndex
                return .text(CharacterReferences.resolve(bytes[start..<index]))
            }
            guard index + 1 < bytes.endIndex else {
                index += 1
                return .text([UInt8(ascii: "<")])
            }
            switch bytes[index + 1] {
            case let byte where byte.isASCIILetter:
                if let token = tag(isEnd: false) { return token }
            case UInt8(ascii: "/"):
                guard index + 2 < bytes.endIndex else {
                    index += 2
                    return .text(Array("</".utf8))
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
                return .text([UInt8(ascii: "<")])
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
        index += isEnd ? 2 : 1
        let start = index
        while index < bytes.endIndex, !isTagEnd(bytes[index]) { index += 1 }
        spelling = text(start..<index)
        let name = spelling.lowercased()
        var attributes: [(name: String, value: String)] = []
        while index < bytes.endIndex {
            switch bytes[index] {
            case UInt8(ascii: ">"):
                index += 1
                if isEnd { return .end(name: name) }
                if HTMLVocabulary.rawText.contains(name) { rawText = name }
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

    /// Goes to the end tag of an element without markup, and past the content before it.
    private mutating func skipRawText(_ name: String) {
        let name = Array(name.utf8)
        while let next = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
            let rest = bytes[next...].dropFirst(2)
            let isEnd =
                bytes[next...].starts(with: "</".utf8)
                && rest.prefix(name.count).elementsEqual(name) { $0.lowercased == $1 }
                && rest.dropFirst(name.count).first.map(isTagEnd) ?? true
            if isEnd {
                index = next
                return
            }
            index = next + 1
        }
        index = bytes.endIndex
    }

    private func isTagEnd(_ byte: UInt8) -> Bool {
        byte.isSpace || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/")
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }
}
