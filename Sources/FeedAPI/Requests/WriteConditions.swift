import FeedModel
import FeedStore
import HTTPTypes
import HTTPWire

/// The conditions of a publish (RFC 9110 §13.1): tags and dates are about the feed, `*` is about
/// the target.
struct WriteConditions: Sendable {
    private let match: EntityTagCondition?
    private let noneMatch: EntityTagCondition?
    private let unmodifiedSince: String?

    /// - Throws: `400` for a field that is malformed.
    init(_ head: RequestHead) throws(Problem) {
        match = try WriteConditions.condition(.ifMatch, "If-Match", head)
        noneMatch = try WriteConditions.condition(.ifNoneMatch, "If-None-Match", head)
        unmodifiedSince = head.value(.ifUnmodifiedSince)
    }

    private static func condition(
        _ field: KnownField,
        _ name: String,
        _ head: RequestHead
    ) throws(Problem) -> EntityTagCondition? {
        guard let value = head.value(field) else { return nil }
        guard let condition = EntityTagCondition(value) else {
            let count = EntityTagCondition.validTagCount(of: value)
            let place = count == 0 ? "" : ": what follows the first \(count) is none"
            throw .malformed("\(name) is neither * nor a list of entity tags in quotes\(place)")
        }
        return condition
    }

    /// Holds the conditions against what is there now.
    ///
    /// - Parameters:
    ///   - current: The feed's version; `nil` when there is no feed.
    ///   - exists: Whether the target is there.
    ///   - now: Seconds since 1970.
    /// - Throws: `412`.
    func check(_ current: Version?, targetExists exists: Bool, at now: Int) throws(Problem) {
        let tag = current.map { Tag($0.token) }
        if let match {
            if !WriteConditions.matches(match, tag, exists, isStrong: true) {
                throw failure("If-Match does not hold", current?.token)
            }
        } else if let unmodifiedSince, current?.hasLastModified(unmodifiedSince, at: now) != true {
            throw failure("If-Unmodified-Since is not the version's Last-Modified", current?.token)
        }
        if let noneMatch, WriteConditions.matches(noneMatch, tag, exists, isStrong: false) {
            throw failure("If-None-Match does not hold", current?.token)
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
        _ exists: Bool,
        isStrong: Bool
    ) -> Bool {
        switch condition {
        case .any: return exists
        case .list(let tags):
            guard let tag else { return false }
            return tags.contains { other in
                let value = Array(other.value.utf8)
                let isNamed = tag.coding(value.span, value.indices) != nil
                return isNamed && !(isStrong && other.isWeak)
            }
        }
    }
}
