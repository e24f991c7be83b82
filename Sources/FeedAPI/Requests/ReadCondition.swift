import HTTPTypes
import HTTPWire

/// The If-Match and If-None-Match of a read (RFC 9110 §13.1.1, §13.1.2), the latter with tags in
/// the lenient forms too.
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

    private let match: EntityTagCondition?
    private let noneMatch: EntityTagCondition?

    /// An If-None-Match that cannot be read is as none, since a `200` is never wrong; an If-Match
    /// that cannot be read holds for nothing.
    init(_ head: RequestHead) {
        match = head.value(.ifMatch).map { EntityTagCondition($0) ?? .list([]) }
        noneMatch = head.value(.ifNoneMatch).flatMap { EntityTagCondition($0, lenient: true) }
    }

    /// Holds the condition against what would be sent, in the order of RFC 9110 §13.2.2.
    func outcome(_ current: Tag) -> Outcome {
        if case .list(let tags) = match,
            !tags.contains(where: { !$0.isWeak && current.coding($0) != nil })
        {
            return .failed
        }
        switch noneMatch {
        case nil: return .send
        case .any: return .notModifiedAsSent
        case .list(let tags):
            let matches = tags.compactMap(current.coding)
            guard let first = matches.first else { return .send }
            return tags.count == 1 ? .notModified(first) : .notModifiedAsSent
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
