/// A JSON value as its publisher wrote it, without the white space between tokens.
///
/// Numbers keep their digits and strings their escapes. Two texts are equal when their values are:
/// the order of members and the escapes of strings do not matter, but the spelling of a number does
/// (docs/PROTOCOL.md, "Ids and values").
public struct JSONText: Sendable {
    /// Valid JSON (RFC 8259) in UTF-8.
    public let bytes: [UInt8]

    /// A hash of the value; equal values have equal hashes within a run of the program.
    package let valueHash: UInt64

    /// Makes a text of bytes that a reader has validated.
    package init(checked bytes: [UInt8], valueHash: UInt64) {
        self.bytes = bytes
        self.valueHash = valueHash
    }
}

extension JSONText {
    /// Parses a single JSON value, with at most `depth` nested objects and arrays.
    package init(parsing bytes: [UInt8], depth: Int = 64) throws(DocumentError) {
        self = try JSONReader.read(bytes, depth: depth) { reader, bytes throws(JSONFault) in
            try reader.text(in: bytes)
        }
    }

    /// Makes the JSON text of a string, with only the escapes that RFC 8259 §7 requires.
    package init(string: String) {
        var bytes: [UInt8] = []
        bytes.append(jsonString: string)
        self.init(checked: bytes, valueHash: ValueHash.shared.string(ExactString(string)))
    }

    /// The string with its escapes resolved; `nil` if the value is not a string.
    package var stringValue: String? {
        guard bytes.first == UInt8(ascii: "\"") else { return nil }
        return StringToken(quoted: bytes.indices, in: bytes[...]).string(in: bytes[...])
    }

    /// Whether the value is a whole number, at least 0 and of any size, written in digits only.
    package var isWholeNumber: Bool {
        bytes.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }

    /// The value as a whole number, at least 0 and written in digits only; `nil` for any other
    /// value, and for a number above `Int.max`.
    package var wholeNumber: Int? {
        isWholeNumber ? Int(String(decoding: bytes, as: UTF8.self)) : nil
    }
}

extension JSONText: Hashable {
    /// Returns whether the values are equal by the rules of docs/PROTOCOL.md, "Ids and values".
    public static func == (left: JSONText, right: JSONText) -> Bool {
        guard left.valueHash == right.valueHash else { return false }
        if left.bytes == right.bytes { return true }
        return JSONValue(left) == JSONValue(right)
    }

    /// Hashes the value's hash.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(valueHash)
    }
}

extension [UInt8] {
    /// Appends a string in quotes, with only the escapes that RFC 8259 §7 requires.
    package mutating func append(jsonString string: String) {
        append(UInt8(ascii: "\""))
        var string = string
        string.withUTF8 { text in
            // Whole runs are copied: a byte at a time takes several times as long.
            var rest = unsafe text[...]
            while let index = unsafe rest.firstIndex(where: { $0.needsEscape }) {
                unsafe append(contentsOf: rest[..<index])
                unsafe append(escaped: rest[index])
                unsafe rest = rest[(index + 1)...]
            }
            unsafe append(contentsOf: rest)
        }
        append(UInt8(ascii: "\""))
    }

    /// - Parameter byte: A byte that ``UInt8/needsEscape``.
    private mutating func append(escaped byte: UInt8) {
        append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: append(UInt8(ascii: "b"))
        case 0x09: append(UInt8(ascii: "t"))
        case 0x0a: append(UInt8(ascii: "n"))
        case 0x0c: append(UInt8(ascii: "f"))
        case 0x0d: append(UInt8(ascii: "r"))
        case 0x00...0x1f:
            append(UInt8(ascii: "u"))
            append(contentsOf: UInt16(byte).hexadecimal.utf8)
        default: append(byte)
        }
    }
}

extension UInt8 {
    /// Whether the byte must be escaped in a string.
    fileprivate var needsEscape: Bool {
        switch self {
        case 0x00...0x1f, UInt8(ascii: "\""), UInt8(ascii: "\\"): true
        default: false
        }
    }
}
