import FeedModel

/// The variables of a case: its feeds, and values of answers that matchers bound.
struct CaseNames {
    private var values: [String: String]

    init(_ values: [String: String] = [:]) { self.values = values }

    /// The value of a name.
    subscript(name: String) -> String? { values[name] }

    /// Binds a name to a value, in the place of an earlier one.
    mutating func bind(_ name: String, to value: String) { values[name] = value }

    /// Returns the text with each `${name}` and `${token.epoch}` replaced.
    func filled(_ text: String) throws(CaseFailure) -> String {
        var (result, rest) = ("", text[...])
        while let start = rest.firstRange(of: "${"),
            let end = rest[start.upperBound...].firstIndex(of: "}")
        {
            result += rest[..<start.lowerBound]
            result += try value(of: rest[start.upperBound..<end])
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    private func value(of variable: Substring) throws(CaseFailure) -> String {
        let parts = variable.split(separator: ".", maxSplits: 1)
        guard let name = parts.first, let value = values[String(name)] else {
            throw CaseFailure("the case uses ${\(variable)} before it is known")
        }
        return parts.last == "epoch" ? String(value.prefix { $0 != "." }) : value
    }

    /// Returns the value with the variables of all its texts replaced.
    func filled(_ value: JSONValue) throws(CaseFailure) -> JSONValue {
        switch value {
        case .null, .bool, .number: return value
        case .string(let text): return .string(ExactString(try filled(text.string)))
        case .array(let elements):
            var all: [JSONValue] = []
            for element in elements { all.append(try filled(element)) }
            return .array(all)
        case .object(let entries):
            var all: [JSONValue.Entry] = []
            for entry in entries {
                let name = ExactString(try filled(entry.name.string))
                all.append(JSONValue.Entry(name: name, value: try filled(entry.value)))
            }
            return .object(all)
        }
    }
}
