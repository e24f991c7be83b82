/// What makes a request for a file conditional, and for parts of it (RFC 9110 §13.1, §14.2).
package struct Preconditions: Sendable {
    private let match: EntityTagCondition?
    private let noneMatch: EntityTagCondition?
    /// Seconds since 1970.
    private let modifiedSince: Int?
    private let unmodifiedSince: Int?
    private let ifRange: String?
    private var ranges: ByteRanges?

    /// When a file is the one that is meant; of a file without a validator nothing holds.
    package struct Validators: Sendable {
        /// A strong tag.
        package var tag: EntityTag?
        /// Seconds since 1970; the file does not change twice in that second.
        package var modified: Int?

        package init(tag: EntityTag?, modified: Int?) {
            self.tag = tag
            self.modified = modified
        }
    }

    /// What becomes of the request.
    package enum Outcome: Sendable, Equatable {
        /// The content (200).
        case whole
        /// Parts of it (206).
        case parts([Range<Int>])
        /// `304`.
        case notModified
        /// `412`.
        case failed
        /// `416`.
        case unsatisfiable
    }

    /// Reads the fields of a request.
    ///
    /// A date that is none, or a Range that cannot be read, is as none, for a whole answer is never
    /// wrong. A list of tags that cannot be read has none that holds; its date counts no more for
    /// that (§13.1.3, §13.1.4).
    ///
    /// - Parameters:
    ///   - head: The request; Range counts for GET alone (§14.2).
    ///   - now: In seconds since 1970.
    package init(_ head: RequestHead, now: Int) {
        match = head.value(.ifMatch).map { EntityTagCondition($0) ?? .list([]) }
        noneMatch = head.value(.ifNoneMatch).map { EntityTagCondition($0) ?? .list([]) }
        modifiedSince = head.value(.ifModifiedSince).flatMap { HTTPDate.parse($0, now: now) }
        unmodifiedSince = head.value(.ifUnmodifiedSince).flatMap { HTTPDate.parse($0, now: now) }
        ifRange = head.value(.ifRange)
        ranges = head.method == .get ? head.value(.range).flatMap { ByteRanges($0) } : nil
    }

    /// Whether ranges are asked for that can be read.
    package var hasRanges: Bool { ranges != nil }

    /// The same for a content of which no parts are sent.
    package var withoutRanges: Preconditions {
        var conditions = self
        conditions.ranges = nil
        return conditions
    }
}

extension Preconditions {
    /// Holds the conditions against what would be sent, in the order of RFC 9110 §13.2.2.
    ///
    /// - Parameters:
    ///   - validators: Of the representation that is chosen, its coding included.
    ///   - length: Of its content, in bytes.
    /// - Returns: What to answer.
    package func outcome(_ validators: Validators, length: Int) -> Outcome {
        if let match {
            if !match.names(validators.tag, isStrong: true) { return .failed }
        } else if let unmodifiedSince, let modified = validators.modified,
            modified > unmodifiedSince
        {
            return .failed
        }
        if let noneMatch {
            if noneMatch.names(validators.tag, isStrong: false) { return .notModified }
        } else if let modifiedSince, let modified = validators.modified,
            modified <= modifiedSince
        {
            return .notModified
        }
        guard let ranges, holdsForRanges(validators) else { return .whole }
        switch ranges.outcome(length: length) {
        case .whole: return .whole
        case .parts(let parts): return .parts(parts)
        case .unsatisfiable: return .unsatisfiable
        }
    }

    /// Whether If-Range, if there is one, names this representation (§13.1.5).
    ///
    /// Tags are compared strongly; a date must be just the one that was sent.
    package func holdsForRanges(_ validators: Validators) -> Bool {
        guard let ifRange else { return true }
        if case .list(let tags) = EntityTagCondition(ifRange) {
            guard tags.count == 1, let tag = validators.tag else { return false }
            return tags[0].stronglyMatches(tag)
        }
        guard let modified = validators.modified else { return false }
        return HTTPDate.format(modified).elementsEqual(ifRange.utf8)
    }
}
