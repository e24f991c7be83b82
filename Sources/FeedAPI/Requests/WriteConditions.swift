import FeedModel
import HTTPTypes
import HTTPWire

/// The conditions of a publish: If-Match and If-None-Match (RFC 9110 §13.1.1, §13.1.2).
struct WriteConditions: Sendable {
    private let match: EntityTagCondition?
    private let noneMatch: EntityTagCondition?

    /// - Throws: `400` for a field that is malformed.
    init(_ head: RequestHead) throws(Problem) {
        match = try WriteConditions.condition(.ifMatch, "If-Match", head)
        noneMatch = try WriteConditions.condition(.ifNoneMatch, "If-None-Match", head)
    }

    private static func condition(
        _ field: KnownField,
        _ name: String,
        _ head: RequestHead
    ) throws(Problem) -> EntityTagCondition? {
        guard let value = head.value(field) else { return nil }
        guard let condition = EntityTagCondition(value) else {
            throw .malformed("\(name) is neither * nor a list of entity tags in quotes")
        }
        return condition
    }

    /// Holds the conditions against the target as it is now.
    ///
    /// - Parameters:
    ///   - current: The feed's version; `nil` when there is no feed.
    ///   - exists: Whether the target is there; its tags are those of the feed's version.
    /// - Throws: `412`.
    func check(_ current: Token?, targetExists exists: Bool) throws(Problem) {
        let tag = exists ? current.map(Tag.init(_:)) : nil
        if let match, !WriteConditions.matches(match, tag, isStrong: true) {
            throw failure("If-Match does not hold", current)
        }
        if let noneMatch, WriteConditions.matches(noneMatch, tag, isStrong: false) {
            throw failure("If-None-Match does not hold", current)
        }
    }

    private func failure(_ reason: String, _ current: Token?) -> Problem {
        let now = current.map { "the feed is at \($0)" } ?? "there is no such feed"
        var problem = Problem(.precondition, .preconditionFailed, "\(reason): \(now)")
        problem.token = current
        return problem
    }

    private static func matches(
        _ condition: EntityTagCondition,
        _ tag: Tag?,
        isStrong: Bool
    ) -> Bool {
        guard let tag else { return false }
        switch condition {
        case .any: return true
        case .list(let tags):
            return tags.contains { other in
                let value = Array(other.value.utf8)
                let isNamed = tag.coding(value.span, value.indices) != nil
                return isNamed && !(isStrong && other.isWeak)
            }
        }
    }
}
