import FeedModel
import Foundation
import HTTPClient
import HTTPTypes

/// The variables of a case: the names of its feeds, and values that matchers took from answers.
///
/// Texts of a case refer to a variable by `${name}`.
struct CaseNames {
    private var values: [String: String]

    init(_ values: [String: String] = [:]) { self.values = values }

    subscript(name: String) -> String? { values[name] }

    /// Sets the value of a variable.
    mutating func bind(_ name: String, to value: String) { values[name] = value }

    /// Returns the text with each `${name}` replaced by the variable's value, and each
    /// `${name.epoch}` by the epoch of the token in that variable.
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

    /// Returns the value with the variables in all its strings and member names replaced.
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

extension CaseNames {
    /// Compares the head of a response with the members `status` and `fields` of an expectation.
    mutating func match(
        _ head: HTTPClient.Response.Head,
        _ expected: JSONValue
    ) throws(CaseFailure) {
        guard let status = expected["status"]?.integer, status == head.status else {
            let wanted = expected["status"]?.spelled ?? "told"
            throw CaseFailure("status: is \(head.status), not \(wanted)")
        }
        for entry in expected["fields"]?.entries ?? [] {
            let name = entry.name.string
            let values = HTTPField.Name(name).map { head.fields[values: $0] } ?? []
            let value = values.isEmpty ? nil : values.joined(separator: ", ")
            try matchField(name, value, entry.value)
        }
    }

    private mutating func matchField(
        _ name: String,
        _ actual: String?,
        _ expected: JSONValue
    ) throws(CaseFailure) {
        if expected.isNull {
            if let actual { throw CaseFailure("\(name): is there: \(actual)") }
            return
        }
        guard let actual else { throw CaseFailure("\(name): is not there") }
        if let list = expected["$list"]?.elements {
            let parts = actual.split(separator: ",").map {
                $0.trimmingCharacters(in: .whitespaces).lowercased()
            }
            for part in list.compactMap(\.string) {
                guard parts.contains(try filled(part).lowercased()) else {
                    throw CaseFailure("\(name): is \(actual), without \(part)")
                }
            }
        } else if let bounds = expected["$number"] {
            let isNumber = actual.utf8.allSatisfy { 0x30...0x39 ~= $0 }
            try matchNumber(bounds, isNumber ? actual : nil, at: name)
        } else {
            try match(expected, .string(ExactString(actual)), at: name)
        }
    }
}

/// Compares a server's values with those that a case expects (docs/conformance/README.md,
/// "Values").
extension CaseNames {
    private static let matchers: Set<ExactString> = [
        "$any", "$includes", "$token", "$bind", "$text", "$number", "$absent",
    ]

    /// Compares a value with the expected one, and sets the variables that its matchers name.
    ///
    /// The expected value has matchers such as `{"$any": true}`; the message of a failure has the
    /// path.
    mutating func match(
        _ expected: JSONValue,
        _ actual: JSONValue,
        at path: String
    ) throws(CaseFailure) {
        switch expected {
        case .object(let entries):
            if let matcher = entries.first(where: { CaseNames.matchers.contains($0.name) }) {
                try match(matcher, expected, actual, at: path)
            } else {
                try matchObject(entries, actual, at: path)
            }
        case .array(let elements):
            guard let others = actual.elements, others.count == elements.count else {
                throw CaseFailure("\(path): \(actual.spelled) is no list of \(elements.count)")
            }
            for (index, (element, other)) in zip(elements, others).enumerated() {
                try match(element, other, at: "\(path)[\(index)]")
            }
        default:
            let value = try filled(expected)
            guard value == actual else {
                throw CaseFailure("\(path): is \(actual.spelled), not \(value.spelled)")
            }
        }
    }

    private mutating func matchObject(
        _ entries: [JSONValue.Entry],
        _ actual: JSONValue,
        at path: String
    ) throws(CaseFailure) {
        try include(entries, actual, at: path)
        var names: Set<ExactString> = []
        for entry in entries { names.insert(ExactString(try filled(entry.name.string))) }
        if let other = actual.entries?.first(where: { !names.contains($0.name) }) {
            throw CaseFailure("\(path): has a member \"\(other.name)\"")
        }
    }

    private mutating func include(
        _ entries: [JSONValue.Entry],
        _ actual: JSONValue,
        at path: String
    ) throws(CaseFailure) {
        guard let members = actual.entries else {
            throw CaseFailure("\(path): \(actual.spelled) is no object")
        }
        for entry in entries {
            let name = ExactString(try filled(entry.name.string))
            let value = members[name]
            if entry.value["$absent"]?.isTrue == true {
                guard value == nil else { throw CaseFailure("\(path).\(name): is there") }
            } else if let value {
                try match(entry.value, value, at: "\(path).\(name)")
            } else {
                throw CaseFailure("\(path).\(name): is not there")
            }
        }
    }

    private mutating func match(
        _ matcher: JSONValue.Entry,
        _ rules: JSONValue,
        _ actual: JSONValue,
        at path: String
    ) throws(CaseFailure) {
        switch matcher.name {
        case "$includes": try include(matcher.value.entries ?? [], actual, at: path)
        case "$token": try matchToken(matcher.value.string ?? "", rules, actual, at: path)
        case "$text": try matchText(matcher.value.string ?? "", actual, at: path)
        case "$number": try matchNumber(matcher.value, actual.digits, at: path)
        case "$bind": bind(matcher.value.string ?? "", to: actual.string ?? actual.spelled)
        case "$absent": throw CaseFailure("\(path): is there")
        default: break  // $any
        }
    }

    private mutating func matchToken(
        _ name: String,
        _ rules: JSONValue,
        _ actual: JSONValue,
        at path: String
    ) throws(CaseFailure) {
        guard let text = actual.string, let token = Token(text) else {
            throw CaseFailure("\(path): \(actual.spelled) is no token")
        }
        if let bound = self[name], bound != text {
            throw CaseFailure("\(path): is \(text), not \(bound)")
        }
        bind(name, to: text)
        if let before = try bound(rules["next"]) {
            guard token.epoch == before.epoch, token.version > before.version else {
                throw CaseFailure("\(path): \(text) is not a version after \(before)")
            }
        }
        if rules["first"] != nil, token.version != 1 {
            throw CaseFailure("\(path): \(text) is no first version")
        }
        if let other = try bound(rules["other"]), token.epoch == other.epoch {
            throw CaseFailure("\(path): \(text) has the epoch of \(other)")
        }
    }

    /// Returns the token in the variable that a rule names; `nil`: the rule names none.
    private func bound(_ rule: JSONValue?) throws(CaseFailure) -> Token? {
        guard let name = rule?.string else { return nil }
        return Token(try filled("${\(name)}"))
    }

    /// Checks that a regular expression matches a whole text.
    func matchText(_ pattern: String, _ actual: JSONValue, at path: String) throws(CaseFailure) {
        let pattern = try filled(pattern)
        guard let regex = try? Regex(pattern).dotMatchesNewlines() else {
            throw CaseFailure("the case has a pattern that is none: \(pattern)")
        }
        guard let text = actual.string, (try? regex.wholeMatch(in: text)) != nil else {
            throw CaseFailure("\(path): \(actual.spelled) does not match \(pattern)")
        }
    }

    /// Checks that a number lies within bounds.
    func matchNumber(_ bounds: JSONValue, _ digits: String?, at path: String) throws(CaseFailure) {
        let limits = (bounds.elements ?? []).compactMap { $0.digits.flatMap { Double($0) } }
        guard limits.count == 2 else { throw CaseFailure("the case has a number without bounds") }
        guard let number = digits.flatMap({ Double($0) }), limits[0] <= number,
            number <= limits[1]
        else {
            throw CaseFailure("\(path): \(digits ?? "nothing") is not from \(bounds.spelled)")
        }
    }
}
