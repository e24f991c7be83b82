import HTTPWire
import TestSupport
import Testing

/// RFC 9110 §13.1, §13.2.2 and §14.2, for a file of 100 bytes with the tag "t" that was modified
/// at DATE.
@Suite struct PreconditionOrder {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let before = "Sun, 06 Nov 1994 08:49:36 GMT"
    private static let after = "Sun, 06 Nov 1994 08:49:38 GMT"
    private static let seconds = 784_111_777

    /// What becomes of a request for a file.
    enum Answer: Equatable {
        case whole
        case parts([Range<Int>])
        case notModified
        case failed
        case unsatisfiable
    }

    private func outcome(
        _ fields: [String],
        _ method: String = "GET",
        tag: String? = "t",
        modified: Int? = seconds
    ) throws -> Answer {
        let text = fields.map { $0.replacing("DATE", with: Self.date) + "\r\n" }.joined()
        let head = try RequestHead(parsing: "\(method) / HTTP/1.1\r\nHost: h\r\n\(text)\r\n")
        let validators = Validators(
            tag.map { EntityTag($0.utf8) },
            only: .identity,
            dates: modified.map { .ordered($0) } ?? .none
        )
        switch head.outcome(validators, accepting: head.acceptEncoding, now: Self.seconds) {
        case .notModified(let coding):
            #expect(coding == .identity)
            return .notModified
        case .failed: return .failed
        case .send: break
        }
        guard let ranges = RangeRequest(head), ranges.holds(validators) else { return .whole }
        switch ranges.outcome(length: 100) {
        case .whole: return .whole
        case .parts(let parts): return .parts(parts)
        case .unsatisfiable: return .unsatisfiable
        }
    }

    @Test(
        arguments: [
            ([], .whole), (["If-Match: \"t\""], .whole), (["If-Match: *"], .whole),
            (["If-Match: \"u\", \"t\""], .whole), (["If-Match: \"u\""], .failed),
            (["If-Match: W/\"t\""], .failed), (["If-Match: t"], .failed),
            (["If-Unmodified-Since: DATE"], .whole), (["If-Unmodified-Since: \(before)"], .failed),
            (["If-Unmodified-Since: \(after)"], .whole), (["If-Unmodified-Since: x"], .whole),
            (["If-None-Match: \"t\""], .notModified), (["If-None-Match: W/\"t\""], .notModified),
            (["If-None-Match: *"], .notModified), (["If-None-Match: \"u\""], .whole),
            (["If-None-Match: t"], .notModified), (["If-None-Match: u, t"], .notModified),
            (["If-Modified-Since: DATE"], .notModified),
            (["If-Modified-Since: \(after)"], .notModified),
            (["If-Modified-Since: \(before)"], .whole), (["If-Modified-Since: x"], .whole),
            // A tag counts before a date.
            (["If-Match: \"t\"", "If-Unmodified-Since: \(before)"], .whole),
            (["If-Match: \"u\"", "If-Unmodified-Since: DATE"], .failed),
            (["If-None-Match: \"u\"", "If-Modified-Since: DATE"], .whole),
            (["If-None-Match: \"t\"", "If-Modified-Since: \(before)"], .notModified),
            // It counts though it cannot be read: a date beside it does not.
            (["If-None-Match: t t", "If-Modified-Since: DATE"], .whole),
            (["If-None-Match: \"t", "If-Modified-Since: \(after)"], .whole),
            (["If-Match: \"t", "If-Unmodified-Since: DATE"], .failed),
            // What must hold counts before what is known.
            (["If-None-Match: \"t\"", "If-Match: \"u\""], .failed),
            (["If-Modified-Since: DATE", "If-Unmodified-Since: \(before)"], .failed),
            (["If-None-Match: \"t\"", "If-Match: \"t\""], .notModified),
            // Ranges come last.
            (["Range: bytes=0-9"], .parts([0..<10])), (["Range: bytes=100-"], .unsatisfiable),
            (["Range: bytes=5-1"], .whole), (["Range: bytes=0-9", "If-Match: \"u\""], .failed),
            (["Range: bytes=100-", "If-None-Match: \"t\""], .notModified),
            (["Range: bytes=0-9", "If-Match: \"t\""], .parts([0..<10])),
            (["Range: bytes=0-9", "Range: bytes=20-29"], .whole),
        ] as [([String], Answer)]
    )
    func isThatOfTheStandard(_ fields: [String], _ expected: Answer) throws {
        #expect(try outcome(fields) == expected)
    }

    /// §13.1.5: a strong tag or just the date that was sent; all else means the whole.
    @Test(arguments: [
        ("\"t\"", true), ("W/\"t\"", false), ("\"u\"", false), ("t", false), ("*", false),
        ("\"t\", \"u\"", false), ("", false), ("DATE", true), (before, false), (after, false),
        ("Sunday, 06-Nov-94 08:49:37 GMT", false), ("Sun Nov  6 08:49:37 1994", false),
        ("DATE, DATE", false), ("sun, 06 nov 1994 08:49:37 gmt", false),
    ])
    func ifRangeHoldsForTheVeryValidatorAlone(_ value: String, _ holds: Bool) throws {
        let fields = ["Range: bytes=0-9", "If-Range: \(value)"]
        #expect(try outcome(fields) == (holds ? .parts([0..<10]) : .whole))
        // Where it does not hold, a range outside is no mistake.
        let outside = ["Range: bytes=100-", "If-Range: \(value)"]
        #expect(try outcome(outside) == (holds ? .unsatisfiable : .whole))
    }

    @Test func leavesHeadWithoutRanges() throws {
        #expect(try outcome(["Range: bytes=0-9"], "HEAD") == .whole)
        #expect(try outcome(["Range: bytes=100-"], "HEAD") == .whole)
    }

    @Test func countsIfRangeOnlyWithRange() throws {
        #expect(try outcome(["If-Range: \"u\""]) == .whole)
    }

    /// What has no validator yet is never taken for what a client has.
    @Test(arguments: [
        (["If-None-Match: \"t\""], Answer.whole), (["If-Match: \"t\""], .failed),
        (["If-Modified-Since: DATE"], .whole), (["If-Unmodified-Since: DATE"], .whole),
        (["If-Match: *"], .whole), (["If-None-Match: *"], .notModified),
        (["Range: bytes=0-9", "If-Range: \"t\""], .whole),
        (["Range: bytes=0-9", "If-Range: DATE"], .whole),
        (["Range: bytes=0-9"], .parts([0..<10])),
    ])
    func aFileWithoutValidatorsMeetsNoCondition(
        _ fields: [String],
        _ expected: Answer
    ) throws {
        #expect(try outcome(fields, tag: nil, modified: nil) == expected)
    }
}
