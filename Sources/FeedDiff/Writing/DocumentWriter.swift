import FeedModel

/// Writes compact JSON (RFC 8259) in UTF-8 to the end of one array.
///
/// Every value is followed by a comma, which the bracket that closes its object or array takes
/// the place of.
struct DocumentWriter {
    private var buffer: [UInt8] = []

    /// Makes room for `capacity` bytes.
    init(capacity: Int = 256) {
        buffer.reserveCapacity(capacity)
    }

    /// What was written, without the last comma.
    consuming func finish() -> [UInt8] {
        if buffer.last == UInt8(ascii: ",") { buffer.removeLast() }
        return buffer
    }

    mutating func beginObject() {
        buffer.append(UInt8(ascii: "{"))
    }

    mutating func endObject() {
        end(UInt8(ascii: "}"))
    }

    mutating func beginArray() {
        buffer.append(UInt8(ascii: "["))
    }

    mutating func endArray() {
        end(UInt8(ascii: "]"))
    }

    /// Writes the name of a member, whose value is to follow.
    mutating func name(_ name: String) {
        buffer.append(jsonString: name)
        buffer.append(UInt8(ascii: ":"))
    }

    mutating func string(_ string: String) {
        buffer.append(jsonString: string)
        buffer.append(UInt8(ascii: ","))
    }

    mutating func number(_ number: Int) {
        buffer.append(contentsOf: String(number).utf8)
        buffer.append(UInt8(ascii: ","))
    }

    mutating func json(_ json: JSONText) {
        buffer.append(contentsOf: json.bytes)
        buffer.append(UInt8(ascii: ","))
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

extension DocumentWriter {
    mutating func member(_ name: String, _ value: String) {
        self.name(name)
        string(value)
    }

    mutating func member(_ name: String, _ value: Int) {
        self.name(name)
        number(value)
    }

    mutating func members(_ members: [Member]) {
        for member in members {
            name(member.name.string)
            json(member.value)
        }
    }

    /// Writes an array of strings.
    mutating func strings(_ strings: [ExactString]) {
        beginArray()
        for string in strings { self.string(string.string) }
        endArray()
    }
}
