import FeedModel
import HTTPWire

/// The parameters of a request's query; values are decoded only when they are asked for.
struct Query: Sendable {
    /// The parameters of all routes, the most frequent ones first.
    ///
    /// A new parameter needs a case here; the resource that has the parameter reads its value.
    /// There can be 32 cases, because a query has a bit for each.
    enum Parameter: UInt8, Sendable, CaseIterable {
        case since, feed, wait, version, limit, offset, section, format, id, prefix, after, before
        case at, `as`, dryRun, failing, lastEventId, removals

        /// The name in a query.
        var name: String { self == .dryRun ? "dry-run" : "\(self)" }

        private static let named = allCases.map { (parameter: $0, name: Array($0.name.utf8)) }

        /// Finds the parameter of a name; names are case-sensitive.
        init?(_ name: Span<UInt8>) {
            for known in Parameter.named where name.isSame(name.indices, as: known.name.span) {
                self = known.parameter
                return
            }
            return nil
        }
    }

    /// The bytes that contain the query, such as the head of the request.
    let bytes: [UInt8]
    /// The range of the query in ``bytes``, without "?"; empty without a query.
    let range: Range<Int>
    /// Whether the query contains a percent-escape or a "+".
    private let isEncoded: Bool

    /// The set of present parameters; the number of a parameter's bit is its raw value.
    private(set) var present: UInt32
    /// The set of parameters that are present more than once.
    private(set) var repeated: UInt32
    /// Whether the query has a name that is no case of ``Parameter``.
    private(set) var hasUnknown: Bool

    /// Reads a query.
    ///
    /// - Parameter range: The range of the query without "?"; `nil` without a query.
    /// - Throws: `400` for a malformed escape, and for text that is not UTF-8 once decoded.
    init(_ bytes: [UInt8], _ range: Range<Int>?) throws(Problem) {
        self.bytes = bytes
        (present, repeated, hasUnknown) = (0, 0, false)
        guard let range else {
            (self.range, isEncoded) = (0..<0, false)
            return
        }
        self.range = range
        isEncoded = bytes.span.isEncoded(range, plusIsSpace: true)
        var start = range.lowerBound
        while let (name, value) = next(from: &start) { try add(name, value, in: bytes.span) }
    }

    private mutating func add(
        _ name: TargetPart,
        _ value: TargetPart,
        in span: Span<UInt8>
    ) throws(Problem) {
        if name.isEncoded || value.isEncoded { try Query.checkEscapes(name, value, in: span) }
        let parameter =
            name.isEncoded
            ? Parameter(Array(text(name).utf8).span) : Parameter(span.extracting(name.range))
        guard let parameter else {
            hasUnknown = true
            return
        }
        let bit: UInt32 = 1 << UInt32(parameter.rawValue)
        if present & bit != 0 { repeated |= bit }
        present |= bit
    }

    private static func checkEscapes(
        _ name: TargetPart,
        _ value: TargetPart,
        in span: Span<UInt8>
    ) throws(Problem) {
        guard span.extracting(name.range).isPercentDecodable else {
            throw .malformed(
                "the name of a query parameter has a malformed percent-escape, or is not UTF-8"
            )
        }
        guard span.extracting(value.range).isPercentDecodable else {
            let name = (try? span.extracting(name.range).percentDecoded(plusIsSpace: true)) ?? ""
            throw .malformed(
                "the query parameter \"\(name)\" has a malformed percent-escape, or is not UTF-8"
            )
        }
    }

    /// Returns the parameter that begins at `start`, and moves `start` behind it; empty pieces
    /// between two "&" are skipped, and a name without "=" has an empty value.
    func next(from start: inout Int) -> (name: TargetPart, value: TargetPart)? {
        let (bytes, end) = (bytes.span, range.upperBound)
        while start < end {
            let next = bytes.firstIndex(of: UInt8(ascii: "&"), in: start..<end) ?? end
            defer { start = next + 1 }
            guard start < next else { continue }
            let delimiter = bytes.firstIndex(of: UInt8(ascii: "="), in: start..<next) ?? next
            return (part(start..<delimiter), part(min(delimiter + 1, next)..<next))
        }
        return nil
    }

    private func part(_ range: Range<Int>) -> TargetPart {
        let isEncoded = isEncoded && bytes.span.isEncoded(range, plusIsSpace: true)
        return TargetPart(range: range, isEncoded: isEncoded)
    }
}

/// Reads the parameters.
extension Query {
    /// Whether a case of ``Parameter`` is present.
    var hasAny: Bool { present != 0 }

    func has(_ name: Parameter) -> Bool { present >> UInt32(name.rawValue) & 1 != 0 }

    /// Returns the decoded name of the first parameter that is not one of `names`; `nil` if all
    /// are.
    func first(notAmong names: [Parameter]) -> String? {
        let allowed = names.reduce(0 as UInt32) { $0 | 1 << UInt32($1.rawValue) }
        guard hasUnknown || present & ~allowed != 0 else { return nil }
        var start = range.lowerBound
        while let (name, _) = next(from: &start) {
            let name = text(name)
            if let known = Parameter(Array(name.utf8).span), names.contains(known) { continue }
            return name
        }
        return nil
    }

    /// Returns the range of a parameter's value; `nil` if the parameter is absent.
    ///
    /// - Throws: `400` if it is repeated.
    private func part(_ name: Parameter) throws(Problem) -> TargetPart? {
        guard has(name) else { return nil }
        guard repeated >> UInt32(name.rawValue) & 1 == 0 else {
            throw Query.refusal(name, "is repeated")
        }
        var start = range.lowerBound
        while let (found, value) = next(from: &start) {
            if isParameter(found, name) { return value }
        }
        return nil
    }

    private func isParameter(_ found: TargetPart, _ name: Parameter) -> Bool {
        found.isEncoded
            ? Parameter(Array(text(found).utf8).span) == name
            : Parameter(bytes.span.extracting(found.range)) == name
    }

    /// Returns the value of a parameter; `nil` if it is absent.
    ///
    /// - Throws: `400` if the parameter is repeated.
    func value(_ name: Parameter) throws(Problem) -> String? {
        try part(name).map(text)
    }

    /// Returns the first value of a parameter by its name, which need not be a case of
    /// ``Parameter``.
    func value(named name: String) -> String? {
        var start = range.lowerBound
        while let (found, value) = next(from: &start) {
            if text(found) == name { return text(value) }
        }
        return nil
    }

    /// Returns the values of a parameter that may be repeated up to `limit` times.
    ///
    /// - Throws: `400` for more values.
    func values(_ name: Parameter, atMost limit: Int) throws(Problem) -> [String] {
        var (found, count): ([String], Int) = ([], 0)
        forEach(name) { part in
            count += 1
            if count <= limit { found.append(text(part)) }
        }
        guard count <= limit else { throw Query.refusal(name, "is there more than \(limit) times") }
        return found
    }

    /// Calls `body` with each value of a parameter that may be repeated.
    func forEach(_ name: Parameter, _ body: (TargetPart) -> Void) {
        guard has(name) else { return }
        let isAlone = !hasUnknown && present == 1 << UInt32(name.rawValue)
        var start = range.lowerBound
        while let (found, value) = next(from: &start) {
            if isAlone || isParameter(found, name) { body(value) }
        }
    }

    /// Returns a name or value, decoded.
    func text(_ part: TargetPart) -> String {
        let span = bytes.span.extracting(part.range)
        guard part.isEncoded else { return String(decoding: bytes[part.range], as: UTF8.self) }
        return (try? span.percentDecoded(plusIsSpace: true)) ?? ""
    }

    /// Calls `body` with the bytes of a name or value, decoded.
    func withText<Result>(_ part: TargetPart, _ body: (Span<UInt8>) -> Result) -> Result {
        guard part.isEncoded else { return body(bytes.span.extracting(part.range)) }
        return body(Array(text(part).utf8).span)
    }

    /// Returns the value of a parameter as a whole number of decimal digits; a number beyond `Int`
    /// becomes the largest `Int`.
    ///
    /// - Throws: `400` if the value is no number, or outside `range`.
    func number(
        _ name: Parameter,
        in range: ClosedRange<Int> = 0...Int.max
    ) throws(Problem) -> Int? {
        guard let part = try part(name) else { return nil }
        guard let number = withText(part, { $0.wholeNumber }) else {
            throw Query.refusal(name, "is not a whole number in digits")
        }
        guard range.contains(number) else {
            throw Query.refusal(name, "is not from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Returns the value of a parameter as a token, which may be written as an entity tag: with
    /// quotes, `W/` and a coding's suffix.
    ///
    /// - Throws: `400` for a malformed token, and if the parameter is repeated.
    func token(_ name: Parameter) throws(Problem) -> Token? {
        guard let part = try part(name) else { return nil }
        guard let token = withText(part, { Token(lenient: $0) }) else {
            throw Query.refusal(name, "is not of a token's form (q7x2m5kd.42)")
        }
        return token
    }

    /// Returns the value of a parameter that is `true` or `false`; false if it is absent.
    func flag(_ name: Parameter) throws(Problem) -> Bool {
        guard let text = try value(name) else { return false }
        switch ExactString(text) {
        case "true": return true
        case "false": return false
        default: throw Query.refusal(name, "is neither true nor false")
        }
    }

    /// Makes the `400` that names a parameter.
    static func refusal(_ name: Parameter, _ reason: String) -> Problem {
        .malformed("the query parameter \"\(name.name)\" \(reason)")
    }
}

extension Query {
    /// Returns the query without the parameters in `names` and with `added` at its end.
    ///
    /// The result begins with "?", and so is a reference relative to the request's URL (RFC 3986
    /// §4.2).
    func reference(without names: Set<Parameter>, adding added: [(Parameter, String)]) -> String {
        var pairs: [(String, String)] = []
        var start = range.lowerBound
        while let (name, value) = next(from: &start) {
            let name = text(name)
            if let known = Parameter(Array(name.utf8).span), names.contains(known) { continue }
            pairs.append((name, text(value)))
        }
        pairs += added.map { ($0.name, $1) }
        let encoded = pairs.map { name, value in
            name.percentEncoded + "=" + value.percentEncoded
        }
        return "?" + encoded.joined(separator: "&")
    }
}
