package import FeedModel

/// Writes compact JSON (RFC 8259) in UTF-8 to the end of one array.
///
/// Every value is followed by a comma, which the closing bracket of its object or array replaces.
package struct JSONWriter {
    private var buffer: [UInt8] = []

    /// Makes a writer with room for `capacity` bytes.
    package init(capacity: Int = 256) {
        buffer.reserveCapacity(capacity)
    }

    /// Returns the written bytes without the last comma, and empties the writer.
    package mutating func finish() -> [UInt8] {
        if buffer.last == UInt8(ascii: ",") { buffer.removeLast() }
        // The buffer is swapped out: with a second reference to it, it would be copied.
        var document: [UInt8] = []
        swap(&document, &buffer)
        return document
    }

    /// The number of bytes so far.
    var count: Int { buffer.count }

    /// Drops the written bytes, if only their number is needed.
    ///
    /// - Returns: The number of dropped bytes.
    mutating func drop() -> Int {
        // The last byte is kept, because the next one may replace it.
        let count = max(0, buffer.count - 1)
        buffer.removeFirst(count)
        return count
    }

    package mutating func beginObject() {
        buffer.append(UInt8(ascii: "{"))
    }

    package mutating func endObject() {
        end(UInt8(ascii: "}"))
    }

    package mutating func beginArray() {
        buffer.append(UInt8(ascii: "["))
    }

    package mutating func endArray() {
        end(UInt8(ascii: "]"))
    }

    /// Writes the name of a member; its value must follow.
    package mutating func name(_ name: String) {
        buffer.append(jsonString: name)
        buffer.append(UInt8(ascii: ":"))
    }

    package mutating func string(_ string: String) {
        buffer.append(jsonString: string)
        buffer.append(UInt8(ascii: ","))
    }

    package mutating func number(_ number: Int) {
        append(number)
        buffer.append(UInt8(ascii: ","))
    }

    package mutating func json(_ json: JSONText) {
        buffer.append(contentsOf: json.bytes)
        buffer.append(UInt8(ascii: ","))
    }

    /// Writes the digits of a number.
    private mutating func append(_ number: Int) {
        guard number >= 0 else {
            buffer.append(contentsOf: String(number).utf8)
            return
        }
        if number >= 10 { append(number / 10) }
        buffer.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }

    private mutating func end(_ bracket: UInt8) {
        if buffer.last == UInt8(ascii: ",") {
            buffer[buffer.count - 1] = bracket
        } else {
            buffer.append(bracket)
        }
        buffer.append(UInt8(ascii: ","))
    }
}

extension JSONWriter {
    /// Writes a part of a document that was already encoded.
    mutating func part(_ bytes: [UInt8]) {
        buffer.append(contentsOf: bytes)
    }
}

/// Writing of a JSON Pointer (RFC 6901) piece by piece.
extension JSONWriter {
    mutating func beginPointer() { buffer.append(UInt8(ascii: "\"")) }

    /// Writes text that needs no escapes.
    mutating func pointerStep(_ text: [UInt8]) {
        buffer.append(contentsOf: text)
    }

    mutating func pointerIndex(_ index: Int) {
        append(index)
    }

    /// Writes a name as a reference token (RFC 6901 §3).
    mutating func pointerToken(_ name: ExactString) {
        buffer.append(UInt8(ascii: "/"))
        var token = String.UnicodeScalarView()
        for scalar in name.string.unicodeScalars {
            switch scalar {
            case "~": token.append(contentsOf: "~0".unicodeScalars)
            case "/": token.append(contentsOf: "~1".unicodeScalars)
            default: token.append(scalar)
            }
        }
        let start = buffer.count
        buffer.append(jsonString: String(token))
        // The quotes are removed, because the token is a part of the pointer.
        buffer.remove(at: start)
        buffer.removeLast()
    }

    mutating func endPointer() {
        buffer.append(UInt8(ascii: "\""))
        buffer.append(UInt8(ascii: ","))
    }
}

extension JSONWriter {
    package mutating func member(_ name: String, _ value: String) {
        self.name(name)
        string(value)
    }

    package mutating func member(_ name: String, _ value: Int) {
        self.name(name)
        number(value)
    }

    package mutating func members(_ members: [Member]) {
        for member in members {
            name(member.name.string)
            json(member.value)
        }
    }

    /// Writes an array of strings.
    package mutating func strings(_ strings: [ExactString]) {
        beginArray()
        for string in strings { self.string(string.string) }
        endArray()
    }
}

/// Members whose value is a container, or JSON already.
extension JSONWriter {
    /// Begins an object that is the value of a member.
    package mutating func beginObject(_ name: String) {
        self.name(name)
        beginObject()
    }

    /// Begins an array that is the value of a member.
    package mutating func beginArray(_ name: String) {
        self.name(name)
        beginArray()
    }

    package mutating func member(_ name: String, _ value: Bool) {
        self.name(name)
        json(value ? Self.true : Self.false)
    }

    package mutating func member(_ name: String, json value: [UInt8]) {
        self.name(name)
        json(value)
    }

    private static let `true` = Array("true".utf8)
    private static let `false` = Array("false".utf8)

    /// Writes a value that is already JSON.
    package mutating func json(_ bytes: [UInt8]) {
        buffer.append(contentsOf: bytes)
        buffer.append(UInt8(ascii: ","))
    }
}
