import FeedModel
import FeedStore
import HTTPTypes
import HTTPWire

/// The conditions of a publish (RFC 9110 §13.1): tags and dates are about the feed, `*` is about
/// the target.
struct WriteConditions: Sendable {
    private let match: [UInt8]?
    private let noneMatch: [UInt8]?
    /// A date (RFC 9110 §5.6.7).
    private let unmodifiedSince: String?

    /// Reads the fields of a request.
    ///
    /// - Throws: `400` for a field that is malformed.
    init(_ head: RequestHead) throws(Problem) {
        match = try WriteConditions.tags(.ifMatch, "If-Match", head)
        noneMatch = try WriteConditions.tags(.ifNoneMatch, "If-None-Match", head)
        unmodifiedSince = head.value(.ifUnmodifiedSince)
        if let unmodifiedSince, HTTPDate.parse(unmodifiedSince, now: 0) == nil {
            throw .malformed("If-Unmodified-Since is no date (RFC 9110, 5.6.7)")
        }
    }

    private static func tags(
        _ field: KnownField,
        _ name: String,
        _ head: RequestHead
    ) throws(Problem) -> [UInt8]? {
        guard let value = head.value(field).map({ Array($0.utf8) }) else { return nil }
        var count = 0
        guard value.span.scanEntityTags(lenient: false, { _, _ in count += 1 }) == nil else {
            return value
        }
        let place = count == 0 ? "" : ": what follows the first \(count) is none"
        throw .malformed("\(name) is neither * nor a list of entity tags in quotes\(place)")
    }

    /// Holds the conditions against what is there now.
    ///
    /// - Parameters:
    ///   - current: The feed's version; `nil` when there is no feed.
    ///   - exists: Whether the target is there.
    ///   - now: Seconds since 1970.
    /// - Throws: `412`.
    func check(_ current: Version?, targetExists exists: Bool, at now: Int) throws(Problem) {
        let tag = current.map { EntityTag($0.token) }
        if let match {
            if !WriteConditions.matches(match, tag, exists, isStrong: true) {
                throw failure("If-Match does not hold", current?.token)
            }
        } else if let unmodifiedSince, let date = HTTPDate.parse(unmodifiedSince, now: now),
            current?.isUnmodified(since: date) != true
        {
            throw failure("If-Unmodified-Since does not hold", current?.token)
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
        _ value: [UInt8],
        _ tag: EntityTag?,
        _ exists: Bool,
        isStrong: Bool
    ) -> Bool {
        var isNamed = false
        let form = value.span.scanEntityTags(lenient: false) { range, isWeak in
            guard let tag, !(isStrong && isWeak) else { return }
            if tag.isNamed(in: value.span, range) { isNamed = true }
        }
        return if case .any = form { exists } else { isNamed }
    }
}

extension Version {
    /// Whether nothing was published since a date: it is after the version's second, or is that
    /// second and no other version was made in it.
    fileprivate func isUnmodified(since date: Int) -> Bool {
        second < date || lastModified(at: .max) == date
    }
}
