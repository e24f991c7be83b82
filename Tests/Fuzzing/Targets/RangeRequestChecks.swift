import HTTPWire
import TestSupport

/// The fields of a request for parts of a file say together what each of them says alone, in the
/// order of RFC 9110 §13.2.2.
enum RangeRequestChecks {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let seconds = 784_111_777
    private static let names = [
        "Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since",
        "If-Unmodified-Since",
    ]

    /// Reads a line for each field; one that is empty is no field.
    static func run(_ input: [UInt8]) throws(Finding) {
        let lines = input.split(separator: 10, maxSplits: 5, omittingEmptySubsequences: false)
        var fields: [String: String] = [:]
        for (name, line) in zip(names, lines) where !line.isEmpty {
            fields[name] = String(decoding: line, as: UTF8.self)
        }
        guard head(fields) != nil else { return }
        if let value = fields["Range"] { try checkRanges(value) }
        for tag in [nil, "t"] {
            for modified in [nil, seconds] {
                let validators = Validators(
                    tag.map { EntityTag($0.utf8) },
                    only: .identity,
                    dates: modified.map { .ordered($0) } ?? .none
                )
                for length in [0, 1, 100] { try check(fields, validators, length) }
            }
        }
    }

    /// What is sent of a content is the same when just that is asked for.
    private static func checkRanges(_ value: String) throws(Finding) {
        try RangeChecks.run(value)
        guard let ranges = ByteRanges(value) else { return }
        for length in [1, 10, 100, 1 << 40, .max] {
            guard case .parts(let parts) = ranges.outcome(length: length) else { continue }
            try require(parts.count <= ByteRanges.countLimit, "\(parts.count) parts")
            let written = parts.map { "\($0.lowerBound)-\($0.upperBound - 1)" }
            let again = ByteRanges("bytes=" + written.joined(separator: ","))
            try require(
                again?.outcome(length: length) == .parts(parts),
                "\(parts) of \(length) as \(written)"
            )
        }
    }

    private static func check(
        _ fields: [String: String],
        _ validators: Validators,
        _ length: Int
    ) throws(Finding) {
        let found = outcome(fields, validators, length)
        let expected = composed(fields, validators, length)
        try require(found == expected, "\(String(describing: found)) for \(fields)")
        // A part is for GET alone.
        var whole = fields
        whole["Range"] = nil
        let withoutRange = outcome(whole, validators, length)
        try require(
            outcome(fields, validators, length, "HEAD") == withoutRange,
            "a part without a range: \(fields)"
        )
        guard let ranges = head(fields).flatMap({ RangeRequest($0) }) else { return }
        try checkIfRange(fields["If-Range"], ranges.holds(validators), validators)
    }

    /// What the fields say one by one, as a client of the standard expects it.
    private static func composed(
        _ fields: [String: String],
        _ validators: Validators,
        _ length: Int
    ) -> Answer? {
        func alone(_ names: String...) -> Answer? {
            outcome(fields.filter { names.contains($0.key) }, validators, length)
        }
        let must = alone(fields["If-Match"] == nil ? "If-Unmodified-Since" : "If-Match")
        if must == .failed { return .failed }
        let known = alone(fields["If-None-Match"] == nil ? "If-Modified-Since" : "If-None-Match")
        if known == .notModified { return .notModified }
        return alone("Range", "If-Range")
    }

    private static func checkIfRange(
        _ value: String?,
        _ holds: Bool,
        _ validators: Validators
    ) throws(Finding) {
        let blanks: Set<Character> = [" ", "\t"]
        let text = (value ?? "").drop { blanks.contains($0) }
        func names(_ known: String) -> Bool {
            text.hasPrefix(known) && text.dropFirst(known.count).allSatisfy(blanks.contains)
        }
        let namesTag = validators.tag != nil && names("\"t\"")
        let hasDate = if case .ordered = validators.dates { true } else { false }
        let namesDate = hasDate && names(date)
        if value == nil || namesTag || namesDate {
            try require(holds, "If-Range does not hold: \(text)")
        } else if !text.contains("\"t\"") {
            try require(!holds, "If-Range holds: \(text)")
        }
    }

    /// What becomes of a request for a file.
    enum Answer: Equatable {
        case whole
        case parts([Range<Int>])
        case notModified
        case failed
        case unsatisfiable
    }

    private static func outcome(
        _ fields: [String: String],
        _ validators: Validators,
        _ length: Int,
        _ method: String = "GET"
    ) -> Answer? {
        guard let head = head(fields, method) else { return nil }
        switch head.outcome(validators, accepting: head.acceptEncoding, now: seconds) {
        case .notModified: return .notModified
        case .failed: return .failed
        case .send: break
        }
        guard let ranges = RangeRequest(head), ranges.holds(validators) else { return .whole }
        switch ranges.outcome(length: length) {
        case .whole: return .whole
        case .parts(let parts): return .parts(parts)
        case .unsatisfiable: return .unsatisfiable
        }
    }

    /// - Returns: `nil` when they do not make a head.
    private static func head(
        _ fields: [String: String],
        _ method: String = "GET"
    ) -> RequestHead? {
        let lines = fields.map { "\($0.key): \($0.value)\r\n" }.joined()
        return try? RequestHead(parsing: "\(method) / HTTP/1.1\r\nHost: h\r\n\(lines)\r\n")
    }
}
