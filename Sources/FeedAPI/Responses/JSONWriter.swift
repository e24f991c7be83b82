import FeedModel

/// Writes a JSON document from front to back.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []
    private var needsComma = false

    mutating func beginObject() { open(UInt8(ascii: "{")) }
    mutating func endObject() { close(UInt8(ascii: "}")) }
    mutating func endArray() { close(UInt8(ascii: "]")) }

    /// Begins an array that is the value of a member.
    mutating func beginArray(_ name: String) {
        member(name)
        needsComma = false
        open(UInt8(ascii: "["))
    }

    /// Begins an object that is the value of a member.
    mutating func beginObject(_ name: String) {
        member(name)
        needsComma = false
        open(UInt8(ascii: "{"))
    }

    mutating func member(_ name: String, string value: String) {
        member(name)
        bytes += JSONText(string: value).bytes
    }

    mutating func member(_ name: String, number value: Int) {
        member(name)
        bytes += String(value).utf8
    }

    mutating func member(_ name: String, bool value: Bool) {
        member(name)
        bytes += (value ? "true" : "false").utf8
    }

    /// A member whose value is JSON already.
    mutating func member(_ name: String, json value: [UInt8]) {
        member(name)
        bytes += value
    }

    /// An element of an array.
    mutating func element(string value: String) {
        separate()
        bytes += JSONText(string: value).bytes
    }

    /// An element that is JSON already.
    mutating func element(json value: [UInt8]) {
        separate()
        bytes += value
    }

    /// A member's name, which needs no escapes.
    private mutating func member(_ name: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes += name.utf8
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }
}
