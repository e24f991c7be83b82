import FeedStore
import HTTPTypes
import HTTPWire

/// The conditions of a read (RFC 9110 §13.1), If-None-Match with tags in the lenient forms too; for
/// reads that are answered more than once.
struct ReadCondition: Sendable {
    /// The store's `Version`: in an extension of `RequestHead` that name is HTTP's.
    typealias Subject = Version

    /// What comes of it.
    enum Outcome: Sendable {
        case send
        /// `304` with the tag that matched.
        case notModified(TagMatch)
        /// `412`.
        case failed(Failure)
    }

    /// Which condition of a read did not hold.
    enum Failure: Sendable {
        case match
        case unmodifiedSince
    }

    private let match: [UInt8]?
    private let noneMatch: [UInt8]?
    private let modifiedSince: String?
    private let unmodifiedSince: String?

    init(_ head: RequestHead) {
        match = head.value(.ifMatch).map { Array($0.utf8) }
        noneMatch = head.value(.ifNoneMatch).map { Array($0.utf8) }
        modifiedSince = head.value(.ifModifiedSince)
        unmodifiedSince = head.value(.ifUnmodifiedSince)
    }

    /// Holds the condition against what would be sent, in the order of RFC 9110 §13.2.2.
    ///
    /// - Parameters:
    ///   - current: The tag of what would be sent.
    ///   - version: What it is about, where that is one version of one feed: nothing else has a
    ///     date.
    ///   - now: Seconds since 1970.
    /// - Returns: What comes of it.
    func outcome(
        _ current: Tag,
        _ version: Version? = nil,
        at now: @autoclosure () -> Int = 0
    ) -> Outcome {
        ReadCondition.outcome(
            match: { match.map { current.isMatched(by: $0.span) } },
            isLater: { unmodifiedSince.map { version?.isLater(than: $0, at: now()) == true } },
            noneMatch: { noneMatch.map { current.outcome(ofNoneMatch: $0.span) } },
            wasSent: { modifiedSince.map { version?.hasLastModified($0, at: now()) == true } }
        )
    }

    /// The order of RFC 9110 §13.2.2; `nil` is said of a condition that the request does not have.
    @inline(__always)
    fileprivate static func outcome(
        match: () -> Bool?,
        isLater: () -> Bool?,
        noneMatch: () -> Outcome?,
        wasSent: () -> Bool?
    ) -> Outcome {
        if let isMatched = match() {
            if !isMatched { return .failed(.match) }
        } else if isLater() == true {
            return .failed(.unmodifiedSince)
        }
        if let outcome = noneMatch() { return outcome }
        return wasSent() == true ? .notModified(.byDate) : .send
    }
}

extension RequestHead {
    /// Holds the conditions of a read against what would be sent, where they stand; see
    /// ``ReadCondition/outcome(_:_:at:)``.
    ///
    /// - Parameters:
    ///   - current: The tag of what would be sent.
    ///   - version: What it is about, where that has a date.
    ///   - settingsSecond: When the settings that the response depends on came into force; seconds
    ///     since 1970.
    ///   - clock: Tells the time, where a date is to be compared with it.
    func readOutcome(
        _ current: Tag,
        _ version: ReadCondition.Subject? = nil,
        since settingsSecond: Int = .min,
        by clock: FeedStore? = nil
    ) -> ReadCondition.Outcome {
        ReadCondition.outcome(
            match: {
                has(.ifMatch) ? withValue(.ifMatch) { current.isMatched(by: $0) } ?? true : nil
            },
            isLater: {
                guard has(.ifUnmodifiedSince), let date = value(.ifUnmodifiedSince) else {
                    return nil
                }
                return version?.isLater(
                    than: date,
                    since: settingsSecond,
                    at: clock?.wallSeconds ?? 0
                )
            },
            noneMatch: {
                guard has(.ifNoneMatch) else { return nil }
                return withValue(.ifNoneMatch) { current.outcome(ofNoneMatch: $0) } ?? .send
            },
            wasSent: {
                guard has(.ifModifiedSince), let date = value(.ifModifiedSince) else { return nil }
                return version?.hasLastModified(
                    date,
                    since: settingsSecond,
                    at: clock?.wallSeconds ?? 0
                )
            }
        )
    }
}

extension Version {
    /// Whether it is later than a date; one that is none counts as absent (RFC 9110 §13.1.4).
    fileprivate func isLater(than date: String, since settings: Int = .min, at now: Int) -> Bool {
        guard hasDate, let date = HTTPDate.parse(date, now: now) else { return false }
        return second > date || settings >= date
    }

    /// Whether a date is the Last-Modified with which its documents are sent.
    func hasLastModified(_ date: String, since settings: Int = .min, at now: Int) -> Bool {
        guard let modified = lastModified(at: now, since: settings) else { return false }
        return HTTPDate.parse(date, now: now) == modified
    }

    /// The Last-Modified of documents that depend on settings, too.
    ///
    /// - Parameters:
    ///   - now: Seconds since 1970.
    ///   - settings: The second in which the settings came to hold; what was sent by others before
    ///     has an earlier date than what is sent by these.
    /// - Returns: `nil`: a date could not name it.
    func lastModified(at now: Int, since settings: Int) -> Int? {
        guard let modified = lastModified(at: now) else { return nil }
        if modified > settings { return modified }
        // Once nothing can be published any more that this date would name, too.
        return settings + 1 < now ? settings + 1 : nil
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
        // One tag, as nearly all send it.
        if value.count > 2, value[0] == UInt8(ascii: "\""),
            let coding = coding(value, 1..<value.count - 1),
            value[value.count - 1] == UInt8(ascii: "\"")
        {
            return .notModified(TagMatch(coding))
        }
        var match: TagMatch?
        let form = value.scanEntityTags(lenient: true) { range, _ in
            guard let coding = coding(value, range) else { return }
            if match?.add(coding) == nil { match = TagMatch(coding) }
        }
        switch form {
        case nil: return .send
        case .any: return .notModified(.any)
        case .list: return match.map { .notModified($0) } ?? .send
        }
    }
}

extension Problem {
    /// `412` for a read whose If-Match names another version.
    static func failed(_ condition: ReadCondition.Failure, _ tag: Tag) -> Problem {
        let reason =
            switch condition {
            case .match: "If-Match does not hold"
            case .unmodifiedSince: "If-Unmodified-Since does not hold: the version is later"
            }
        return Problem(
            .precondition,
            .preconditionFailed,
            "\(reason); the entity tag is \(tag.text(.identity))"
        )
    }
}
