/// Writes compact JSON (RFC 8259) in UTF-8 to the end of one array.
///
/// Every value is followed by a comma, which the closing bracket of its object or array replaces.
package struct JSONWriter {
    /// The bytes so far.
    package var buffer: [UInt8] = []

    /// Makes a writer with room for `capacity` bytes.
    package init(capacity: Int = 256) {
        buffer.reserveCapacity(capacity)
    }

    /// Returns the written bytes without the last comma, and empties the writer.
    package mutating func finish() -> [UInt8] {
        if buffer.last == UInt8(ascii: ",") { buffer.removeLast() }
        // The buffer is swapped out, since a second reference to it would cause a copy.
        var document: [UInt8] = []
        swap(&document, &buffer)
        return document
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
        digits(number)
        buffer.append(UInt8(ascii: ","))
    }

    package mutating func json(_ json: JSONText) {
        self.json(json.bytes)
    }

    /// Writes the digits of a number, without a comma.
    package mutating func digits(_ number: Int) {
        guard number >= 0 else {
            buffer.append(contentsOf: String(number).utf8)
            return
        }
        if number >= 10 { digits(number / 10) }
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

/// Writes members whose value is a container, or JSON already.
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
        json(Array("\(value)".utf8))
    }

    package mutating func member(_ name: String, json value: [UInt8]) {
        self.name(name)
        json(value)
    }

    /// Writes a value that is already JSON.
    package mutating func json(_ bytes: [UInt8]) {
        buffer.append(contentsOf: bytes)
        buffer.append(UInt8(ascii: ","))
    }
}

extension JSONWriter {
    /// Writes a tree.
    mutating func value(_ value: JSONValue) {
        switch value {
        case .null: json(Array("null".utf8))
        case .bool(let isTrue): json(Array("\(isTrue)".utf8))
        case .number(let spelling): json(Array(spelling.utf8))
        case .string(let text): string(text.string)
        case .array(let elements):
            beginArray()
            for element in elements { self.value(element) }
            endArray()
        case .object(let entries):
            beginObject()
            for entry in entries {
                name(entry.name.string)
                self.value(entry.value)
            }
            endObject()
        }
    }
}
