import HTTPWire

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
        guard conditions(fields) != nil else { return }
        if let value = fields["Range"] { try checkRanges(value) }
        for tag in [nil, "t"] {
            for modified in [nil, seconds] {
                let validators = Preconditions.Validators(
                    tag: tag.map { EntityTag($0) },
                    modified: modified
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
        _ validators: Preconditions.Validators,
        _ length: Int
    ) throws(Finding) {
        let found = outcome(fields, validators, length)
        let expected = composed(fields, validators, length)
        try require(found == expected, "\(String(describing: found)) for \(fields)")
        guard let head = conditions(fields, "HEAD"), let conditions = conditions(fields) else {
            throw Finding("not a head any more: \(fields)")
        }
        // A part is for GET alone.
        var whole = fields
        whole["Range"] = nil
        let withoutRange = outcome(whole, validators, length)
        try require(
            conditions.withoutRanges.outcome(validators, length: length) == withoutRange
                && head.outcome(validators, length: length) == withoutRange,
            "a part without a range: \(fields)"
        )
        try checkIfRange(fields["If-Range"], conditions.holdsForRanges(validators), validators)
    }

    /// What the fields say one by one, as a client of the standard expects it.
    private static func composed(
        _ fields: [String: String],
        _ validators: Preconditions.Validators,
        _ length: Int
    ) -> Preconditions.Outcome? {
        func alone(_ names: String...) -> Preconditions.Outcome? {
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
        _ validators: Preconditions.Validators
    ) throws(Finding) {
        let blanks: Set<Character> = [" ", "\t"]
        let text = (value ?? "").drop { blanks.contains($0) }
        func names(_ known: String) -> Bool {
            text.hasPrefix(known) && text.dropFirst(known.count).allSatisfy(blanks.contains)
        }
        let namesTag = validators.tag != nil && names("\"t\"")
        let namesDate = validators.modified != nil && names(date)
        if value == nil || namesTag || namesDate {
            try require(holds, "If-Range does not hold: \(text)")
        } else if !text.contains("\"t\"") {
            try require(!holds, "If-Range holds: \(text)")
        }
    }

    private static func outcome(
        _ fields: [String: String],
        _ validators: Preconditions.Validators,
        _ length: Int
    ) -> Preconditions.Outcome? {
        conditions(fields)?.outcome(validators, length: length)
    }

    /// - Returns: `nil` when they do not make a head.
    private static func conditions(
        _ fields: [String: String],
        _ method: String = "GET"
    ) -> Preconditions? {
        let lines = fields.map { "\($0.key): \($0.value)\r\n" }.joined()
        let text = "\(method) / HTTP/1.1\r\nHost: h\r\n\(lines)\r\n"
        return (try? RequestHead(parsing: text)).map { Preconditions($0, now: seconds) }
    }
}
