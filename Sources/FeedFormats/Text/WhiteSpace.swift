extension String {
    /// The text in one line: all white space becomes single spaces, with none at the ends.
    var singleLine: String { collapsed(keepingLines: false) }

    /// The text's lines without white space at their ends, with single spaces in them, and with at
    /// most one empty line between two.
    var paragraphs: String { collapsed(keepingLines: true) }

    private func collapsed(keepingLines: Bool) -> String {
        let bytes = utf8.span
        if WhiteSpace.isCollapsed(bytes) { return self }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var (index, lineCount, hasSpace) = (0, 0, false)
        while index < bytes.count {
            if let space = WhiteSpace(bytes, at: index) {
                index += space.byteCount
                if space.isLineEnd, keepingLines { lineCount += 1 } else { hasSpace = true }
                continue
            }
            if !result.isEmpty {
                if lineCount > 0 {
                    for _ in 0..<min(lineCount, 2) { result.append(UInt8(ascii: "\n")) }
                } else if hasSpace {
                    result.append(UInt8(ascii: " "))
                }
            }
            (lineCount, hasSpace) = (0, false)
            result.append(bytes[index])
            index += 1
        }
        return String(decoding: result, as: UTF8.self)
    }
}

/// A character of the property White_Space (UAX #44) in UTF-8; a line feed belongs to the carriage
/// return before it.
private struct WhiteSpace {
    let byteCount: Int
    /// Whether the character ends a line.
    let isLineEnd: Bool

    /// Returns whether all white space is single spaces between other characters; `false` if that
    /// takes a closer look.
    static func isCollapsed(_ bytes: Span<UInt8>) -> Bool {
        var last = UInt8(ascii: " ")
        for index in bytes.indices {
            let byte = bytes[index]
            let mayBeSpace = byte < 0x20 || byte == 0xC2 || 0xE1...0xE3 ~= byte
            if mayBeSpace || byte == 0x20 && last == 0x20 { return false }
            last = byte
        }
        return last != 0x20 || bytes.isEmpty
    }

    init?(_ bytes: Span<UInt8>, at index: Int) {
        let byte = bytes[index]
        switch byte {
        case 0x20, 0x09: (byteCount, isLineEnd) = (1, false)
        case 0x0A...0x0C: (byteCount, isLineEnd) = (1, true)
        case 0x0D:
            let isPair = index + 1 < bytes.count && bytes[index + 1] == 0x0A
            (byteCount, isLineEnd) = (isPair ? 2 : 1, true)
        case 0xC2 where index + 1 < bytes.count:
            guard bytes[index + 1] == 0x85 || bytes[index + 1] == 0xA0 else { return nil }
            (byteCount, isLineEnd) = (2, bytes[index + 1] == 0x85)
        case 0xE1...0xE3 where index + 2 < bytes.count:
            switch (byte, bytes[index + 1], bytes[index + 2]) {
            case (0xE1, 0x9A, 0x80), (0xE2, 0x80, 0x80...0x8A), (0xE2, 0x80, 0xAF),
                (0xE2, 0x81, 0x9F), (0xE3, 0x80, 0x80):
                (byteCount, isLineEnd) = (3, false)
            case (0xE2, 0x80, 0xA8...0xA9): (byteCount, isLineEnd) = (3, true)
            default: return nil
            }
        default: return nil
        }
    }
}
