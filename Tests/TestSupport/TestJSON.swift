package import FeedModel

/// JSON read by the shortest way there is; numbers keep their spelling.
///
/// Tests do not ask the code under test what its own output means.
package indirect enum TestJSON: Hashable, Sendable {
    case object([ExactString: TestJSON])
    case array([TestJSON])
    case string(ExactString)
    case number(String)
    case bool(Bool)
    case null
}

extension TestJSON {
    /// Reads a document; `nil` when it is no JSON.
    package init?(_ bytes: [UInt8]) {
        var reader = Reader(bytes)
        guard let value = reader.value() else { return nil }
        reader.skipBlanks()
        guard reader.isAtEnd else { return nil }
        self = value
    }

    package init?(_ text: String) { self.init(Array(text.utf8)) }

    package subscript(name: ExactString) -> TestJSON? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    package subscript(index: Int) -> TestJSON? {
        if case .array(let values) = self, values.indices.contains(index) {
            values[index]
        } else {
            nil
        }
    }

    package var text: ExactString? {
        if case .string(let text) = self { text } else { nil }
    }

    package var string: String? { text?.string }

    package var int: Int? {
        if case .number(let digits) = self { Int(digits) } else { nil }
    }

    package var members: [ExactString: TestJSON] {
        if case .object(let members) = self { members } else { [:] }
    }

    package var list: [TestJSON] {
        if case .array(let values) = self { values } else { [] }
    }
}

extension TestJSON {
    /// Compact JSON, members ordered by name.
    package var serialized: String {
        switch self {
        case .object(let members):
            let parts = members.sorted { $0.key < $1.key }
                .map { TestJSON.quoted($0.key) + ":" + $0.value.serialized }
            return "{" + parts.joined(separator: ",") + "}"
        case .array(let values):
            return "[" + values.map(\.serialized).joined(separator: ",") + "]"
        case .string(let text): return TestJSON.quoted(text)
        case .number(let digits): return digits
        case .bool(let value): return value ? "true" : "false"
        case .null: return "null"
        }
    }

    private static func quoted(_ text: ExactString) -> String {
        var result = "\""
        for scalar in text.string.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\" + String(scalar)
            case "\u{0}"..."\u{1f}":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

extension TestJSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(ExactString(value)) }
    package init(integerLiteral value: Int) { self = .number(String(value)) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(arrayLiteral elements: TestJSON...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (ExactString, TestJSON)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}

/// A reader by recursive descent.
private struct Reader {
    private let bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { index == bytes.count }

    private var first: UInt8? { index < bytes.count ? bytes[index] : nil }

    mutating func value() -> TestJSON? {
        skipBlanks()
        switch first {
        case UInt8(ascii: "{"): return object()
        case UInt8(ascii: "["): return array()
        case UInt8(ascii: "\""): return string().map { .string(ExactString($0)) }
        case UInt8(ascii: "t"): return word("true", .bool(true))
        case UInt8(ascii: "f"): return word("false", .bool(false))
        case UInt8(ascii: "n"): return word("null", .null)
        default: return number()
        }
    }

    mutating func skipBlanks() {
        while let first, first == 32 || first == 10 || first == 13 || first == 9 { index += 1 }
    }

    private mutating func skip(_ byte: Unicode.Scalar) -> Bool {
        skipBlanks()
        guard first == UInt8(ascii: byte) else { return false }
        index += 1
        return true
    }

    private mutating func word(_ text: String, _ value: TestJSON) -> TestJSON? {
        guard bytes[index...].starts(with: text.utf8) else { return nil }
        index += text.utf8.count
        return value
    }

    private mutating func number() -> TestJSON? {
        let start = index
        scan: while let first {
            switch first {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
                UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
                index += 1
            default: break scan
            }
        }
        return start == index ? nil : .number(text(from: start))
    }

    private mutating func object() -> TestJSON? {
        guard skip("{") else { return nil }
        var members: [ExactString: TestJSON] = [:]
        if skip("}") { return .object(members) }
        repeat {
            skipBlanks()
            guard let name = string(), skip(":"), let value = value(),
                members.updateValue(value, forKey: ExactString(name)) == nil
            else { return nil }
        } while skip(",")
        return skip("}") ? .object(members) : nil
    }

    private mutating func array() -> TestJSON? {
        guard skip("[") else { return nil }
        var values: [TestJSON] = []
        if skip("]") { return .array(values) }
        repeat {
            guard let value = value() else { return nil }
            values.append(value)
        } while skip(",")
        return skip("]") ? .array(values) : nil
    }

    /// The text from an index up to where the reader is.
    private func text(from start: Int) -> String {
        String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func string() -> String? {
        guard first == UInt8(ascii: "\"") else { return nil }
        index += 1
        // Escapes may be halves of a character: they are put together as UTF-16.
        var units: [UInt16] = []
        while true {
            let start = index
            while let first, first != UInt8(ascii: "\""), first != UInt8(ascii: "\\") { index += 1 }
            let run = text(from: start)
            switch first {
            case UInt8(ascii: "\""):
                index += 1
                return units.isEmpty ? run : String(decoding: units + run.utf16, as: UTF16.self)
            case UInt8(ascii: "\\"):
                units += run.utf16
                guard let unit = escape() else { return nil }
                units.append(unit)
            default: return nil
            }
        }
    }

    private static let escapes: [UInt8: UInt16] = [
        UInt8(ascii: "n"): 10, UInt8(ascii: "t"): 9, UInt8(ascii: "r"): 13,
        UInt8(ascii: "b"): 8, UInt8(ascii: "f"): 12, UInt8(ascii: "\""): 34,
        UInt8(ascii: "\\"): 92, UInt8(ascii: "/"): 47,
    ]

    private mutating func escape() -> UInt16? {
        guard index + 1 < bytes.count else { return nil }
        let name = bytes[index + 1]
        index += 2
        guard name == UInt8(ascii: "u") else { return Self.escapes[name] }
        let start = index
        index = min(index + 4, bytes.count)
        return UInt16(text(from: start), radix: 16)
    }
}
