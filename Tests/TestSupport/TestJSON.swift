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
        var reader = Reader(rest: bytes[...])
        guard let value = reader.value() else { return nil }
        reader.skipBlanks()
        guard reader.rest.isEmpty else { return nil }
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
    var rest: ArraySlice<UInt8>

    mutating func value() -> TestJSON? {
        skipBlanks()
        switch rest.first {
        case UInt8(ascii: "{"): return object()
        case UInt8(ascii: "["): return array()
        case UInt8(ascii: "\""): return string().map { .string(ExactString($0)) }
        case UInt8(ascii: "t"): return word("true", .bool(true))
        case UInt8(ascii: "f"): return word("false", .bool(false))
        case UInt8(ascii: "n"): return word("null", .null)
        default:
            let digits = rest.prefix { "+-.eE0123456789".utf8.contains($0) }
            rest = rest.dropFirst(digits.count)
            return digits.isEmpty ? nil : .number(String(decoding: digits, as: UTF8.self))
        }
    }

    mutating func skipBlanks() {
        rest = rest.drop { " \n\r\t".utf8.contains($0) }
    }

    private mutating func skip(_ byte: Unicode.Scalar) -> Bool {
        skipBlanks()
        guard rest.first == UInt8(ascii: byte) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private mutating func word(_ text: String, _ value: TestJSON) -> TestJSON? {
        guard rest.starts(with: text.utf8) else { return nil }
        rest = rest.dropFirst(text.utf8.count)
        return value
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

    private mutating func string() -> String? {
        guard rest.first == UInt8(ascii: "\"") else { return nil }
        rest = rest.dropFirst()
        var units: [UInt16] = []
        while let byte = rest.first {
            if byte == UInt8(ascii: "\"") {
                rest = rest.dropFirst()
                return String(decoding: units, as: UTF16.self)
            }
            if byte == UInt8(ascii: "\\") {
                guard let unit = escape() else { return nil }
                units.append(unit)
            } else {
                let run = rest.prefix { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
                units += String(decoding: run, as: UTF8.self).utf16
                rest = rest.dropFirst(run.count)
            }
        }
        return nil
    }

    private mutating func escape() -> UInt16? {
        let names: [UInt8: UInt16] = [
            UInt8(ascii: "n"): 10, UInt8(ascii: "t"): 9, UInt8(ascii: "r"): 13,
            UInt8(ascii: "b"): 8, UInt8(ascii: "f"): 12, UInt8(ascii: "\""): 34,
            UInt8(ascii: "\\"): 92, UInt8(ascii: "/"): 47,
        ]
        guard let name = rest.dropFirst().first else { return nil }
        rest = rest.dropFirst(2)
        guard name == UInt8(ascii: "u") else { return names[name] }
        let digits = String(decoding: rest.prefix(4), as: UTF8.self)
        rest = rest.dropFirst(4)
        return UInt16(digits, radix: 16)
    }
}
