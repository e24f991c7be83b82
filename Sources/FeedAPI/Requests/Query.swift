import FeedModel
import HTTPWire

/// A request's query parameters, read where they stand.
struct Query: Sendable {
    /// The parameters that some route knows; those that are asked for most come first.
    ///
    /// A new one is a case here, which its resource reads.
    enum Parameter: UInt8, Sendable, CaseIterable {
        case since, feed, wait, version, limit, offset, section, format, id, prefix, after, before
        case at, `as`, dryRun, failing, lastEventId, removals

        /// The name in a query.
        var name: String { self == .dryRun ? "dry-run" : "\(self)" }

        private static let names = allCases.map { Array($0.name.utf8) }
        /// The beginnings of the names, which all differ.
        private static let beginnings = names.map(beginning)

        /// Finds the parameter of a name; names are case-sensitive.
        init?(_ name: Span<UInt8>) {
            let index = Parameter.beginnings.firstIndex(of: name.beginning)
            guard let index, Parameter.isSame(name, Parameter.names[index]) else { return nil }
            self = Parameter.allCases[index]
        }

        private static func beginning(_ name: [UInt8]) -> UInt64 { name.span.beginning }

        private static func isSame(_ name: Span<UInt8>, _ known: [UInt8]) -> Bool {
            name.isSame(0..<name.count, as: known.span)
        }
    }

    /// The bytes that it stands in.
    let bytes: [UInt8]
    let range: Range<Int>
    /// Whether something in it is percent-encoded, or a "+".
    private let isEncoded: Bool

    /// Which parameters are there; their values are looked for when they are asked for, which few
    /// are.
    private(set) var present: UInt32 = 0
    private(set) var repeated: UInt32 = 0
    private(set) var hasUnknown = false

    /// Reads a query.
    ///
    /// - Parameters:
    ///   - bytes: The bytes that it stands in.
    ///   - range: Where, without "?"; `nil`: there is none.
    /// - Throws: `400` for an escape that is none, and for what is not UTF-8 once decoded.
    init(_ bytes: [UInt8], _ range: Range<Int>?) throws(Problem) {
        self.bytes = bytes
        let range = range ?? 0..<0
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

    /// The name and the value that begin at `start`; empty pieces between two "&" are passed over,
    /// and a name without "=" has an empty value.
    func next(from start: inout Int) -> (name: TargetPart, value: TargetPart)? {
        let (bytes, end) = (bytes.span, range.upperBound)
        while start < end {
            let mark = bytes.firstIndex(of: "=", or: "&", in: start..<end) ?? end
            var next = mark
            if mark < end, bytes[mark] == UInt8(ascii: "=") {
                next = bytes.firstIndex(of: UInt8(ascii: "&"), in: mark + 1..<end) ?? end
            }
            defer { start = next + 1 }
            guard start < next else { continue }
            return (part(start..<mark), part(min(mark + 1, next)..<next))
        }
        return nil
    }

    private func part(_ range: Range<Int>) -> TargetPart {
        let isEncoded = isEncoded && bytes.span.isEncoded(range, plusIsSpace: true)
        return TargetPart(range: range, isEncoded: isEncoded)
    }
}

/// Access to the parameters.
extension Query {
    /// Whether there is a parameter that some route knows.
    var hasAny: Bool { present != 0 }

    func has(_ name: Parameter) -> Bool { present >> UInt32(name.rawValue) & 1 != 0 }

    /// Whether there is nothing but some of these parameters, each at most once.
    func hasOnly(_ names: Parameter...) -> Bool {
        let allowed = names.reduce(0 as UInt32) { $0 | 1 << UInt32($1.rawValue) }
        return !hasUnknown && repeated == 0 && present & ~allowed == 0
    }

    /// The first parameter that is none of these, as it is written.
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

    /// Where the value of a parameter stands.
    ///
    /// - Returns: `nil` when it is not there.
    /// - Throws: `400` when it is there more than once.
    private func part(_ name: Parameter) throws(Problem) -> TargetPart? {
        guard has(name) else { return nil }
        guard repeated >> UInt32(name.rawValue) & 1 == 0 else {
            throw Query.refusal(name, "is repeated")
        }
        return firstValue(name)
    }

    private func firstValue(_ name: Parameter) -> TargetPart? {
        var start = range.lowerBound
        while let (found, value) = next(from: &start) {
            if isParameter(found, name) { return value }
        }
        return nil
    }

    private func isParameter(_ found: TargetPart, _ name: Parameter) -> Bool {
        found.isEncoded
            ? Array(text(found).utf8).span.isParameter(name)
            : bytes.span.extracting(found.range).isParameter(name)
    }

    /// Returns the value of a parameter; `nil` when it is not there.
    ///
    /// - Throws: `400` when it is there more than once.
    func value(_ name: Parameter) throws(Problem) -> String? {
        try part(name).map(text)
    }

    /// The first value of a parameter that one route alone knows.
    func value(named name: String) -> String? {
        var start = range.lowerBound
        while let (found, value) = next(from: &start) {
            if text(found) == name { return text(value) }
        }
        return nil
    }

    /// The values of a parameter that may be repeated.
    func values(_ name: Parameter) -> [String] {
        var found: [String] = []
        forEach(name) { found.append(text($0)) }
        return found
    }

    /// Returns the values of a parameter that may be repeated up to `limit` times.
    ///
    /// - Throws: `400` for more.
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

    /// A value, decoded.
    func text(_ part: TargetPart) -> String {
        let span = bytes.span.extracting(part.range)
        guard part.isEncoded else { return String(decoding: bytes[part.range], as: UTF8.self) }
        return (try? span.percentDecoded(plusIsSpace: true)) ?? ""
    }

    /// Calls `body` with the bytes of a value, decoded.
    func withText<Result>(_ part: TargetPart, _ body: (Span<UInt8>) -> Result) -> Result {
        guard part.isEncoded else { return body(bytes.span.extracting(part.range)) }
        return body(Array(text(part).utf8).span)
    }

    /// A whole number in digits; one beyond `Int` counts as the largest.
    ///
    /// - Throws: `400` when it is none, or outside `range`.
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

    /// Whether a number that is there is written as it would be written anew: without zeros before
    /// it.
    func isPlainNumber(_ name: Parameter) -> Bool {
        guard let part = firstValue(name) else { return true }
        return withText(part) { $0.count == 1 || $0.count > 1 && $0[0] != UInt8(ascii: "0") }
    }

    /// A token as it is taken for reading: with or without quotes, `W/` and a coding's suffix.
    func token(_ name: Parameter) throws(Problem) -> Token? {
        guard let part = try part(name) else { return nil }
        guard let token = withText(part, { Token(lenient: $0) }) else {
            throw Query.refusal(name, "is not of a token's form (q7x2m5kd.42)")
        }
        return token
    }

    /// `true` or `false`; false when it is not there.
    func flag(_ name: Parameter) throws(Problem) -> Bool {
        guard let text = try value(name) else { return false }
        switch ExactString(text) {
        case "true": return true
        case "false": return false
        default: throw Query.refusal(name, "is neither true nor false")
        }
    }

    /// Whether a publish may remove any number of items: `removals=any`.
    func allowsRemovals() throws(Problem) -> Bool {
        guard let text = try value(.removals) else { return false }
        guard ExactString(text) == "any" else { throw Query.refusal(.removals, "is not any") }
        return true
    }

    /// `400` that names a parameter.
    static func refusal(_ name: Parameter, _ reason: String) -> Problem {
        .malformed("the query parameter \"\(name.name)\" \(reason)")
    }
}

extension Span<UInt8> {
    /// The first eight bytes as one number.
    fileprivate var beginning: UInt64 { count < 8 ? shortWord : word(at: 0) }

    fileprivate func isParameter(_ parameter: Query.Parameter) -> Bool {
        Query.Parameter(self) == parameter
    }
}

extension Query {
    /// A query string that has these parameters without those of `names`, and then `added`;
    /// begins with "?" and so is a reference relative to the request's URL (RFC 3986 §4.2).
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
            PercentEncoding.encode(name) + "=" + PercentEncoding.encode(value)
        }
        return "?" + encoded.joined(separator: "&")
    }
}
