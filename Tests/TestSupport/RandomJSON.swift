package import FeedModel

/// Random values, and random spellings of them.
package struct RandomJSON {
    package var generator: SeededGenerator

    package init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    package mutating func number(below bound: Int) -> Int {
        Int.random(in: 0..<bound, using: &generator)
    }

    package mutating func value(depth: Int = 4) -> JSONValue {
        switch number(below: depth > 0 ? 9 : 6) {
        case 0: .null
        case 1: .bool(number(below: 2) == 0)
        case 2: .number(["0", "-0", "1", "1.0", "12.50", "1e5", "-3E-7"][number(below: 7)])
        case 3: .number("\(number(below: 100_000))")
        case 4, 5: .string(ExactString(string()))
        case 6: .array((0..<number(below: 5)).map { _ in value(depth: depth - 1) })
        default: .object(entries(depth: depth - 1))
        }
    }

    private mutating func entries(depth: Int) -> [JSONValue.Entry] {
        var names: Set<ExactString> = []
        let count = number(below: 12) == 0 ? 30 : number(below: 6)
        return (0..<count).compactMap { _ in
            let name = ExactString(string())
            guard names.insert(name).inserted else { return nil }
            return JSONValue.Entry(name: name, value: value(depth: depth))
        }
    }

    package mutating func string() -> String {
        let alphabet = Array("aab/\"\\\u{0}\n\u{7f}\u{9f}é가😀e\u{301}z\u{feff}".unicodeScalars)
        var string = ""
        for _ in 0..<number(below: number(below: 4) == 0 ? 30 : 6) {
            string.unicodeScalars.append(alphabet[number(below: alphabet.count)])
        }
        return string
    }

    /// Some spelling of `value`: any white space, escapes and order of members.
    package mutating func spelling(of value: JSONValue) -> String {
        let text =
            switch value {
            case .null: "null"
            case .bool(let isTrue): "\(isTrue)"
            case .number(let spelling): spelling
            case .string(let text): spelling(of: text)
            case .array(let elements):
                "[" + list(elements.map { spelling(of: $0) }) + "]"
            case .object(let entries):
                "{"
                    + list(
                        entries.shuffled(using: &generator).map {
                            spelling(of: $0.name) + space() + ":" + spelling(of: $0.value)
                        }
                    ) + "}"
            }
        return space() + text + space()
    }

    private mutating func list(_ parts: [String]) -> String {
        parts.isEmpty ? space() : parts.map { $0 + space() }.joined(separator: ",")
    }

    private mutating func space() -> String {
        ["", "", "", " ", "\n\t", "\r\n          "][number(below: 6)]
    }

    private mutating func spelling(of text: ExactString) -> String {
        var spelling = "\""
        for scalar in text.string.unicodeScalars {
            let mustEscape = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
            if mustEscape || number(below: 4) == 0 {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16, uppercase: number(below: 2) == 0)
                    spelling += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            } else {
                spelling.unicodeScalars.append(scalar)
            }
        }
        return spelling + "\""
    }

    /// `bytes` with a few bytes changed, taken out, put in or repeated.
    package mutating func mutation(of bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        let likely = Array("\"\\{}[]:,0123456789.eE+-truefalsn u\u{80}\u{1f}".utf8)
        for _ in 0...number(below: 3) where !bytes.isEmpty {
            let place = number(below: bytes.count)
            let byte = likely[number(below: likely.count)]
            switch number(below: 6) {
            case 0: bytes[place] = byte
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(byte, at: place)
            case 3: bytes[place] = UInt8(number(below: 256))
            case 4: bytes.swapAt(place, number(below: bytes.count))
            default:
                let end = min(bytes.count, place + number(below: 8))
                bytes.insert(contentsOf: bytes[place..<end], at: place)
            }
        }
        return bytes
    }
}
