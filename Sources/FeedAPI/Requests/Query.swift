import FeedModel
import HTTPWire

/// A request's query parameters; those that are known stand once, unless said otherwise.
struct Query: Sendable {
    let items: [RequestTarget.QueryItem]

    /// The value of a parameter.
    ///
    /// - Returns: `nil` when it is not there.
    /// - Throws: `400` when it is there more than once.
    func value(_ name: ExactString) throws(Problem) -> String? {
        let values = values(name)
        guard values.count <= 1 else { throw Query.refusal(name, "is repeated") }
        return values.first
    }

    /// The values of a parameter that may be repeated.
    func values(_ name: ExactString) -> [String] {
        items.filter { ExactString($0.name) == name }.map(\.value)
    }

    /// A whole number in digits; one beyond `Int` counts as the largest.
    ///
    /// - Throws: `400` when it is none, or outside `range`.
    func number(_ name: ExactString, in range: ClosedRange<Int> = 0...Int.max) throws(Problem)
        -> Int?
    {
        guard let text = try value(name) else { return nil }
        guard let number = Query.wholeNumber(text) else {
            throw Query.refusal(name, "is not a whole number in digits")
        }
        guard range.contains(number) else {
            throw Query.refusal(name, "is not from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A token as it is taken for reading: with or without quotes, `W/` and a coding's suffix.
    func token(_ name: ExactString) throws(Problem) -> Token? {
        guard let text = try value(name) else { return nil }
        guard let token = Token(lenient: text) else {
            throw Query.refusal(name, "is not of a token's form (q7x2m5kd.42)")
        }
        return token
    }

    /// `true` or `false`; false when it is not there.
    func flag(_ name: ExactString) throws(Problem) -> Bool {
        guard let text = try value(name) else { return false }
        switch ExactString(text) {
        case "true": return true
        case "false": return false
        default: throw Query.refusal(name, "is neither true nor false")
        }
    }

    /// `400` that names a parameter.
    static func refusal(_ name: ExactString, _ reason: String) -> Problem {
        .malformed("the query parameter \"\(name)\" \(reason)")
    }

    /// A number in digits, and nothing else; one beyond `Int` counts as the largest.
    static func wholeNumber(_ text: String) -> Int? {
        guard !text.isEmpty else { return nil }
        var number = 0
        for byte in text.utf8 {
            let digit = byte &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            let (scaled, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, overflows) = scaled.addingReportingOverflow(Int(digit))
            number = isTooLarge || overflows ? Int.max : sum
        }
        return number
    }
}

extension Query {
    /// A query string that has these parameters without those of `names`, and then `added`;
    /// begins with "?" and so is a reference relative to the request's URL (RFC 3986 §4.2).
    func reference(without names: Set<ExactString>, adding added: [(String, String)]) -> String {
        let kept = items.filter { !names.contains(ExactString($0.name)) }.map {
            ($0.name, $0.value)
        }
        let pairs = (kept + added).map { name, value in
            PercentEncoding.encode(name) + "=" + PercentEncoding.encode(value)
        }
        return "?" + pairs.joined(separator: "&")
    }
}

extension Token {
    /// Reads a token with or without quotes, `W/` and the suffix of a coding.
    init?(lenient text: String) {
        var bytes = Array(text.utf8)[...]
        if bytes.starts(with: "W/".utf8) { bytes = bytes.dropFirst(2) }
        let quote = UInt8(ascii: "\"")
        if bytes.count >= 2, bytes.first == quote, bytes.last == quote {
            bytes = bytes.dropFirst().dropLast()
        }
        let text = String(decoding: bytes, as: UTF8.self)
        let suffix = ContentCoding.allCases.map(\.tagSuffix).first { suffix in
            !suffix.isEmpty && text.utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
        }
        self.init(text.dropLast(suffix?.count ?? 0))
    }
}
