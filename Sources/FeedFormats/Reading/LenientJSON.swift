import FeedModel

/// Reads JSON with the faults that some sites make.
///
/// Half a surrogate pair becomes U+FFFD, and control characters are accepted in strings. If a
/// member is repeated, the last one counts. A comma may precede `]` and `}`. An unknown escape
/// means its letter. A number that is not spelled as in JSON becomes a text.
struct LenientJSON {
    private let bytes: [UInt8]
    private var index = 0

    /// The most objects and arrays around a value.
    private static let depthLimit = 80

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns the value of a document; `nil` if it has a fault that is not tolerated.
    static func value(_ bytes: [UInt8]) -> JSONValue? {
        var reader = LenientJSON(bytes)
        guard let value = reader.value(depth: 0) else { return nil }
        reader.skipSpace()
        return reader.index == bytes.count ? value : nil
    }

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte <= 0x20 { index += 1 }
    }

    /// Skips white space, and `character` if it comes next; returns whether it did.
    private mutating func skip(_ character: Character) -> Bool {
        skipSpace()
        guard next == character.asciiValue else { return false }
        index += 1
        return true
    }

    private mutating func value(depth: Int) -> JSONValue? {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return depth < LenientJSON.depthLimit ? object(depth) : nil
        case UInt8(ascii: "["): return depth < LenientJSON.depthLimit ? array(depth) : nil
        case UInt8(ascii: "\""): return string().map { .string(ExactString($0)) }
        default: return word()
        }
    }

    private mutating func object(_ depth: Int) -> JSONValue? {
        index += 1
        var entries: [JSONValue.Entry] = []
        var indices: [ExactString: Int] = [:]
        while !skip("}") {
            guard next == UInt8(ascii: "\""), let text = string(), skip(":"),
                let value = value(depth: depth + 1), skip(",") || isAt("}")
            else { return nil }
            let name = ExactString(text)
            if let known = indices[name] {
                entries[known].value = value
            } else {
                indices[name] = entries.count
                entries.append(JSONValue.Entry(name: name, value: value))
            }
        }
        return .object(entries)
    }

    private mutating func array(_ depth: Int) -> JSONValue? {
        index += 1
        var elements: [JSONValue] = []
        while !skip("]") {
            guard let value = value(depth: depth + 1), skip(",") || isAt("]") else { return nil }
            elements.append(value)
        }
        return .array(elements)
    }

    private mutating func isAt(_ character: Character) -> Bool {
        skipSpace()
        return next == character.asciiValue
    }

    /// Reads a number, `true`, `false` or `null`.
    private mutating func word() -> JSONValue? {
        let start = index
        while let byte = next, byte.isASCIIAlphanumeric || "+-.".utf8.contains(byte) {
            index += 1
        }
        let word = Array(bytes[start..<index])
        if let value = try? JSONValue(parsing: word) { return value }
        guard let first = word.first, first.isASCIIDigit || !first.isASCIILetter else { return nil }
        return .string(ExactString(String(decoding: word, as: UTF8.self)))
    }
}

/// Reads strings.
extension LenientJSON {
    /// Reads a string; `nil`: it has no end.
    private mutating func string() -> String? {
        index += 1
        var text: [UInt8] = []
        while let byte = next {
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): escape(&text)
            default: text.append(byte)
            }
        }
        return nil
    }

    /// Reads the rest of an escape after its backslash.
    private mutating func escape(_ text: inout [UInt8]) {
        guard let byte = next else { return }
        index += 1
        switch byte {
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            guard let unit = unit() else {
                text.append(byte)
                return
            }
            var units = [unit]
            if UTF16.isLeadSurrogate(unit), bytes[index...].starts(with: "\\u".utf8) {
                let start = index
                index += 2
                if let low = self.unit(), UTF16.isTrailSurrogate(low) {
                    units.append(low)
                } else {
                    index = start
                }
            }
            text.append(contentsOf: String(decoding: units, as: UTF16.self).utf8)
        default: text.append(byte)
        }
    }

    /// Reads four hexadecimal digits.
    private mutating func unit() -> UInt16? {
        let digits = bytes[index...].prefix(4).compactMap(\.hexValue)
        guard digits.count == 4 else { return nil }
        index += 4
        return digits.reduce(0) { $0 << 4 | UInt16($1) }
    }
}
