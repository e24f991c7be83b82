extension JSONText {
    /// Reads one JSON value, nothing after it, of at most `depth` nested objects and arrays.
    package init(parsing bytes: [UInt8], depth: Int = 64) throws(DocumentError) {
        let bytes = bytes[...]
        var reader = JSONReader(depthLimit: depth)
        do throws(JSONFault) {
            try reader.begin(bytes.span)
            self = try reader.text(in: bytes)
            try reader.end(bytes.span)
        } catch {
            throw error.documentError(in: bytes)
        }
    }

    /// The JSON text of a string, escaped no more than RFC 8259 §7 asks.
    package init(string: String) {
        var bytes: [UInt8] = []
        bytes.append(jsonString: string)
        self.init(checked: bytes, valueHash: ValueHash.shared.string(ExactString(string)))
    }

    /// The string that this is, its escapes resolved; nil for any other value.
    package var stringValue: String? {
        guard bytes.first == UInt8(ascii: "\"") else { return nil }
        let token = StringToken(
            start: 1,
            end: bytes.count - 1,
            hash: 0,
            isEscaped: bytes.contains(UInt8(ascii: "\\"))
        )
        return token.string(in: bytes[...])
    }

    /// Whether this is a whole number from 0, however large, spelled in digits alone.
    package var isWholeNumber: Bool {
        bytes.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }

    /// The whole number from 0 that this is, spelled in digits alone; nil for any other value,
    /// and for one that `Int` cannot hold.
    package var wholeNumber: Int? {
        guard bytes.first != UInt8(ascii: "-") else { return nil }
        return Int(String(decoding: bytes, as: UTF8.self))
    }
}

extension JSONText: Hashable {
    /// Whether the values are equal, as docs/PROTOCOL.md, "Words", says.
    public static func == (left: JSONText, right: JSONText) -> Bool {
        guard left.valueHash == right.valueHash else { return false }
        if left.bytes == right.bytes { return true }
        return JSONValue(left) == JSONValue(right)
    }

    /// Takes the value's hash in.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(valueHash)
    }
}
