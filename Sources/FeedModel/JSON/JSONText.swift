/// A JSON value as its publisher wrote it, without the white space between tokens.
///
/// Numbers keep their digits and strings their escapes. Two texts are equal when their values are:
/// the order of members and the escapes of strings do not matter, but the spelling of a number does
/// (docs/PROTOCOL.md, "Ids and values").
public struct JSONText: Sendable {
    /// Valid JSON (RFC 8259) in UTF-8.
    public let bytes: [UInt8]

    /// A hash of the value; equal values have equal hashes in one run of the program.
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

    /// Makes the JSON text of a string, with only the escapes that RFC 8259 §7 requires.
    package init(string: String) {
        var bytes: [UInt8] = []
        bytes.append(jsonString: string)
        self.init(checked: bytes, valueHash: ValueHash.shared.string(ExactString(string)))
    }

    /// The string with its escapes resolved, if the value is one; nil for any other value.
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

    /// Whether the value is a whole number, at least 0 and of any size, written in digits only.
    package var isWholeNumber: Bool {
        bytes.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }

    /// The whole number, at least 0 and written in digits only, if the value is one; nil for any
    /// other value, and for a number beyond `Int`.
    package var wholeNumber: Int? {
        guard bytes.first != UInt8(ascii: "-") else { return nil }
        return Int(String(decoding: bytes, as: UTF8.self))
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
