/// The validators of the representation that would be sent (RFC 9110 §8.8).
package struct Validators: Sendable {
    /// The way in which dates are compared.
    package enum Dates: Sendable {
        /// Dates are ignored, because the representation has no Last-Modified.
        case none
        /// Dates are compared by order (RFC 9110 §13.1.3); in seconds since 1970.
        case ordered(Int)
        /// If-Modified-Since leads to a `304` only if it equals the Last-Modified that is given
        /// here; `nil`: the representation has no Last-Modified.
        ///
        /// If-Unmodified-Since fails for dates before `latest`. Both are in seconds since 1970.
        case exact(Int?, latest: Int)
    }

    /// The tag of the representation without a coding; `nil`: the representation has no tag.
    package var tag: EntityTag?
    /// The only coding whose entity tag is compared; `nil`: the tags of all codings are compared.
    package var coding: ContentCoding?
    package var dates: Dates

    package init(_ tag: EntityTag?, only coding: ContentCoding? = nil, dates: Dates = .none) {
        self.tag = tag
        self.coding = coding
        self.dates = dates
    }
}

/// The conditions of a read (RFC 9110 §13.1), copied from a request that is answered later or that
/// waits.
///
/// Conditions of other requests are evaluated in place
/// (``RequestHead/outcome(_:accepting:now:)``).
package struct Conditions: Sendable {
    /// The result of a request's conditions.
    package enum Outcome: Sendable, Equatable {
        /// The content is sent: no condition prevents it.
        case send
        /// `304`, with the tag of the representation in this coding.
        case notModified(ContentCoding)
        /// `412`.
        case failed(Failure)
    }

    /// The condition that does not hold.
    package enum Failure: Sendable, Equatable {
        case match
        case unmodifiedSince
    }

    private let match: [UInt8]?
    private let noneMatch: [UInt8]?
    private let acceptEncoding: AcceptEncoding

    /// Copies the conditions from a request.
    package init(_ head: RequestHead) {
        match = head.value(.ifMatch).map { Array($0.utf8) }
        noneMatch = head.value(.ifNoneMatch).map { Array($0.utf8) }
        acceptEncoding = head.acceptEncoding
    }

    /// Evaluates the conditions; dates are ignored.
    package func outcome(_ tag: EntityTag) -> Outcome {
        let validators = Validators(tag)
        if let match, !match.span.isMatch(of: validators) { return .failed(.match) }
        return noneMatch?.span.outcomeOfNoneMatch(validators, accepting: acceptEncoding) ?? .send
    }
}

extension RequestHead {
    /// Evaluates the conditions of a read, in the order of RFC 9110 §13.2.2.
    ///
    /// A malformed If-Match never holds. A malformed If-None-Match or date counts as absent,
    /// because a `200` is never wrong.
    ///
    /// - Parameter now: The seconds since 1970; evaluated only if a date must be compared with it.
    package func outcome(
        _ validators: Validators,
        accepting codings: AcceptEncoding,
        now: @autoclosure () -> Int = 0
    ) -> Conditions.Outcome {
        if has(.ifMatch) {
            let holds = withValue(.ifMatch) { $0.isMatch(of: validators) } ?? true
            if !holds { return .failed(.match) }
        } else if has(.ifUnmodifiedSince), isModified(validators.dates, now) {
            return .failed(.unmodifiedSince)
        }
        if has(.ifNoneMatch) {
            let outcome = withValue(.ifNoneMatch) { value in
                value.outcomeOfNoneMatch(validators, accepting: codings)
            }
            return outcome ?? .send
        }
        guard has(.ifModifiedSince), isUnmodified(validators.dates, now) else { return .send }
        return .notModified(validators.coding ?? .identity)
    }

    /// Returns whether If-Unmodified-Since fails; false if dates are ignored or it is malformed.
    private func isModified(_ dates: Validators.Dates, _ now: () -> Int) -> Bool {
        switch dates {
        case .none, .exact(_, latest: .min): false
        case .ordered(let modified), .exact(_, let modified):
            date(.ifUnmodifiedSince, now).map { modified > $0 } ?? false
        }
    }

    /// Returns whether If-Modified-Since leads to a `304`; false if dates are ignored or it is
    /// malformed.
    private func isUnmodified(_ dates: Validators.Dates, _ now: () -> Int) -> Bool {
        switch dates {
        case .none, .exact(nil, _): false
        case .ordered(let modified): date(.ifModifiedSince, now).map { modified <= $0 } ?? false
        case .exact(let modified?, _): date(.ifModifiedSince, now) == modified
        }
    }

    private func date(_ field: KnownField, _ now: () -> Int) -> Int? {
        value(field).flatMap { HTTPDate.parse($0, now: now()) }
    }
}

extension Span<UInt8> {
    /// Returns whether this value of If-Match holds (RFC 9110 §13.1.1, strong comparison).
    ///
    /// If only one coding's tag is compared (``Validators/coding``), as with files, a suffix that a
    /// proxy has added is not accepted.
    fileprivate func isMatch(of validators: Validators) -> Bool {
        var isFound = false
        let form = scanEntityTags(lenient: false) { range, isWeak in
            guard !isWeak, let match = validators.tag?.match(self, range, validators.coding) else {
                return
            }
            if validators.coding == nil || match.added == nil { isFound = true }
        }
        return switch form {
        case .any: true
        case .list: isFound
        case nil: false
        }
    }

    /// Evaluates this value of If-None-Match (RFC 9110 §13.1.2, weak comparison).
    ///
    /// A tag with a coding's suffix counts only if the client accepts that coding: a cache between
    /// client and server may send the tag of a representation that this client cannot decode. The
    /// `304` names the first tag that counts.
    fileprivate func outcomeOfNoneMatch(
        _ validators: Validators,
        accepting codings: AcceptEncoding
    ) -> Conditions.Outcome {
        // Nearly all clients send a single tag.
        if count > 2, self[0] == .quote, self[count - 1] == .quote,
            let coding = coding(1..<count - 1, validators, codings)
        {
            return .notModified(coding)
        }
        var found: ContentCoding?
        let form = scanEntityTags(lenient: true) { range, _ in
            found = found ?? coding(range, validators, codings)
        }
        switch form {
        case nil: return .send
        case .any: return .notModified(validators.coding ?? .identity)
        case .list: return found.map { .notModified($0) } ?? .send
        }
    }

    /// Returns the coding of the representation that a tag names; `nil` if the tag names another
    /// representation, or one that the client does not accept.
    private func coding(
        _ range: Range<Int>,
        _ validators: Validators,
        _ codings: AcceptEncoding
    ) -> ContentCoding? {
        guard let match = validators.tag?.match(self, range, validators.coding) else { return nil }
        if match.coding == .gzip, validators.coding == nil, !codings.takes(.gzip) { return nil }
        if let added = match.added, !codings.takes(added) { return nil }
        return match.coding
    }
}

/// The parts of a file that a request asks for (RFC 9110 §14.2).
package struct RangeRequest: Sendable {
    private let ranges: ByteRanges
    private let ifRange: String?

    /// Parses the fields of a request; `nil` if no ranges are requested, or they are malformed.
    ///
    /// Range is used only with GET.
    package init?(_ head: RequestHead) {
        guard head.method == .get, let ranges = head.value(.range).flatMap({ ByteRanges($0) })
        else { return nil }
        self.ranges = ranges
        ifRange = head.value(.ifRange)
    }

    /// Returns the parts of a content of this length.
    package func outcome(length: Int) -> ByteRanges.Outcome { ranges.outcome(length: length) }

    /// Returns whether If-Range, if present, names this representation (RFC 9110 §13.1.5).
    ///
    /// Tags are compared strongly; a date must equal the Last-Modified of the representation. If
    /// the result is false, the whole content is sent.
    package func holds(_ validators: Validators) -> Bool {
        guard let ifRange else { return true }
        let value = Array(ifRange.utf8)
        var (tagCount, isNamed) = (0, false)
        let form = value.span.scanEntityTags(lenient: false) { range, isWeak in
            tagCount += 1
            let match = validators.tag?.match(value.span, range, validators.coding)
            isNamed = !isWeak && match != nil && match?.added == nil
        }
        if case .list = form { return tagCount == 1 && isNamed }
        guard case .ordered(let modified) = validators.dates else { return false }
        return HTTPDate.format(modified).elementsEqual(value)
    }
}
