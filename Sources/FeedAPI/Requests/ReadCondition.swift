import HTTPTypes
import HTTPWire

/// The If-Match and If-None-Match of a read (RFC 9110 §13.1.1, §13.1.2), the latter with tags in
/// the lenient forms too; for reads that are answered more than once.
struct ReadCondition: Sendable {
    /// What comes of it.
    enum Outcome: Sendable {
        case send
        /// `304` with the tag of the representation that matched.
        case notModified(ContentCoding)
        /// `304` with the tag that a `200` would have.
        case notModifiedAsSent
        /// `412`.
        case failed
    }

    private let match: [UInt8]?
    private let noneMatch: [UInt8]?

    init(_ head: RequestHead) {
        match = head.value(.ifMatch).map { Array($0.utf8) }
        noneMatch = head.value(.ifNoneMatch).map { Array($0.utf8) }
    }

    /// Holds the condition against what would be sent, in the order of RFC 9110 §13.2.2.
    func outcome(_ current: Tag) -> Outcome {
        if let match, !current.isMatched(by: match.span) { return .failed }
        return noneMatch.map { current.outcome(ofNoneMatch: $0.span) } ?? .send
    }
}

extension RequestHead {
    /// Holds the conditions of a read against what would be sent, where they stand.
    func readOutcome(_ current: Tag) -> ReadCondition.Outcome {
        if withValue(.ifMatch, { current.isMatched(by: $0) }) == false { return .failed }
        return withValue(.ifNoneMatch) { current.outcome(ofNoneMatch: $0) } ?? .send
    }
}

extension Tag {
    /// Whether an If-Match holds; one that cannot be read holds for nothing.
    fileprivate func isMatched(by value: Span<UInt8>) -> Bool {
        var isFound = false
        let form = value.scanEntityTags(lenient: false) { range, isWeak in
            if !isWeak, coding(value, range) != nil { isFound = true }
        }
        return switch form {
        case .any: true
        case .list: isFound
        case nil: false
        }
    }

    /// What comes of an If-None-Match; one that cannot be read is as none, since a `200` is never
    /// wrong.
    fileprivate func outcome(ofNoneMatch value: Span<UInt8>) -> ReadCondition.Outcome {
        var first: ContentCoding?
        var count = 0
        let form = value.scanEntityTags(lenient: true) { range, _ in
            count += 1
            if first == nil { first = coding(value, range) }
        }
        switch form {
        case nil: return .send
        case .any: return .notModifiedAsSent
        case .list:
            guard let first else { return .send }
            return count == 1 ? .notModified(first) : .notModifiedAsSent
        }
    }
}

extension Problem {
    /// `412` for a read whose If-Match names another version.
    static func otherVersion(_ tag: Tag) -> Problem {
        Problem(
            .precondition,
            .preconditionFailed,
            "If-Match does not hold: the entity tag is \(tag.text(.identity))"
        )
    }
}
