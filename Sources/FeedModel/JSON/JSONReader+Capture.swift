extension JSONReader {
    /// Skips white space before the document's value; throws for a byte order mark.
    mutating func begin(_ source: Span<UInt8>) throws(JSONFault) {
        if source.count >= 3, source[0] == 0xef, source[1] == 0xbb, source[2] == 0xbf {
            throw JSONFault(offset: 0, problem: .refused("begins with a byte order mark"))
        }
        skipWhiteSpace(in: source)
    }

    /// Skips white space after the value; throws if anything else follows.
    mutating func end(_ source: Span<UInt8>) throws(JSONFault) {
        skipWhiteSpace(in: source)
        guard index == source.count else { throw expected("the end of the document") }
    }

    /// Reads a value and copies it; its own objects and arrays are at depths from 1.
    mutating func text(in bytes: ArraySlice<UInt8>) throws(JSONFault) -> JSONText {
        capture.begin(at: index)
        let hash = try value(in: bytes.span, depth: 0)
        return JSONText(checked: capture.end(at: index, in: bytes), valueHash: hash)
    }

    /// Reads a value as a tree.
    mutating func tree(in bytes: ArraySlice<UInt8>, depth: Int = 0) throws(JSONFault) -> JSONValue {
        let source = bytes.span
        capture.begin(at: index)
        switch next(in: source) {
        case UInt8(ascii: "\""):
            return .string(ExactString(try string(in: source).string(in: bytes)))
        case UInt8(ascii: "{"): return try objectTree(in: bytes, depth: depth + 1)
        case UInt8(ascii: "["): return try arrayTree(in: bytes, depth: depth + 1)
        case let first:
            let start = index
            _ = try value(in: source, depth: depth)
            return switch first {
            case UInt8(ascii: "t"): .bool(true)
            case UInt8(ascii: "f"): .bool(false)
            case UInt8(ascii: "n"): .null
            default: .number(String(decoding: bytes[start..<index], as: UTF8.self))
            }
        }
    }

    private mutating func arrayTree(
        in bytes: ArraySlice<UInt8>,
        depth: Int
    ) throws(JSONFault) -> JSONValue {
        var elements: [JSONValue] = []
        var isOpen = try openArray(in: bytes.span, depth: depth)
        while isOpen {
            elements.append(try tree(in: bytes, depth: depth))
            isOpen = try closeElement(in: bytes.span)
        }
        return .array(elements)
    }

    private mutating func objectTree(
        in bytes: ArraySlice<UInt8>,
        depth: Int
    ) throws(JSONFault) -> JSONValue {
        var entries: [JSONValue.Entry] = []
        var members = try openObject(in: bytes.span, depth: depth)
        while members.isOpen {
            let name = try memberName(in: bytes.span, of: &members)
            let value = try tree(in: bytes, depth: depth)
            entries.append(JSONValue.Entry(name: ExactString(name.string(in: bytes)), value: value))
            try closeMember(in: bytes.span, of: &members)
        }
        return .object(entries)
    }
}
