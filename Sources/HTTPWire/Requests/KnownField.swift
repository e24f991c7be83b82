/// The fields that the server itself reads; told apart while parsing.
package enum KnownField: UInt8, Sendable, CaseIterable {
    case other
    case accept
    case acceptEncoding
    case authorization
    case connection
    case contentEncoding
    case contentLength
    case contentType
    case cookie
    case expect
    case host
    case idempotencyKey
    case ifMatch
    case ifModifiedSince
    case ifNoneMatch
    case ifRange
    case ifUnmodifiedSince
    case lastEventID
    case origin
    case prefer
    case range
    case te
    case trailer
    case transferEncoding
    case upgrade
    case aIM
    case accessControlRequestMethod
    case accessControlRequestHeaders
    case userAgent
    case via
    case traceparent
}

extension KnownField {
    /// The name in lower case; empty for `other`.
    package var name: StaticString {
        switch self {
        case .other: ""
        case .accept: "accept"
        case .acceptEncoding: "accept-encoding"
        case .authorization: "authorization"
        case .connection: "connection"
        case .contentEncoding: "content-encoding"
        case .contentLength: "content-length"
        case .contentType: "content-type"
        case .cookie: "cookie"
        case .expect: "expect"
        case .host: "host"
        case .idempotencyKey: "idempotency-key"
        case .ifMatch: "if-match"
        case .ifModifiedSince: "if-modified-since"
        case .ifNoneMatch: "if-none-match"
        case .ifRange: "if-range"
        case .ifUnmodifiedSince: "if-unmodified-since"
        case .lastEventID: "last-event-id"
        case .origin: "origin"
        case .prefer: "prefer"
        case .range: "range"
        case .te: "te"
        case .trailer: "trailer"
        case .transferEncoding: "transfer-encoding"
        case .upgrade: "upgrade"
        case .aIM: "a-im"
        case .accessControlRequestMethod: "access-control-request-method"
        case .accessControlRequestHeaders: "access-control-request-headers"
        case .userAgent: "user-agent"
        case .via: "via"
        case .traceparent: "traceparent"
        }
    }

    /// The field of that name, compared without regard to case; `other` when the server does not
    /// read it.
    ///
    /// - Parameters:
    ///   - bytes: The bytes that the name is in.
    ///   - range: Where it is; a token.
    init(_ bytes: Span<UInt8>, in range: Range<Int>) {
        guard range.count >= 2 else {
            self = .other
            return
        }
        let first = bytes[range.lowerBound].lowercased
        let fourth = range.count > 3 ? bytes[range.lowerBound + 3].lowercased : 0
        let field = Self.candidate(range.count, first, fourth: fourth)
        self = bytes.equals(field.name, in: range) ? field : .other
    }

    /// The same of a name of at most 16 bytes.
    ///
    /// - Parameters:
    ///   - first: Its first eight bytes; what is behind its end counts for nothing.
    ///   - last: The eight bytes behind these.
    ///   - count: Its length, at least 1.
    fileprivate init(_ first: UInt64, _ last: UInt64, count: Int) {
        let field = Self.candidate(
            count,
            UInt8(truncatingIfNeeded: first | 0x20),
            fourth: UInt8(truncatingIfNeeded: first >> 24 | 0x20)
        )
        self = Self.names[Int(field.rawValue)].isSame(first, last) ? field : .other
    }

    /// The names that have at most 16 bytes.
    private static let names = InlineArray<32, NameWords> { number in
        NameWords("\(KnownField(rawValue: UInt8(number))?.name ?? "")")
    }

    /// The only field that a name can be, by its length and two of its bytes, in lower case.
    private static func candidate(_ count: Int, _ first: UInt8, fourth: UInt8) -> KnownField {
        switch count {
        case 2: .te
        case 3: .via
        case 4: first == UInt8(ascii: "h") ? .host : .aIM
        case 5: .range
        case 6:
            switch first {
            case UInt8(ascii: "a"): .accept
            case UInt8(ascii: "c"): .cookie
            case UInt8(ascii: "e"): .expect
            case UInt8(ascii: "o"): .origin
            default: .prefer
            }
        case 7: first == UInt8(ascii: "t") ? .trailer : .upgrade
        case 8: fourth == UInt8(ascii: "m") ? .ifMatch : .ifRange
        case 10: first == UInt8(ascii: "c") ? .connection : .userAgent
        case 11: .traceparent
        case 12: .contentType
        case 13:
            switch first {
            case UInt8(ascii: "a"): .authorization
            case UInt8(ascii: "i"): .ifNoneMatch
            default: .lastEventID
            }
        case 14: .contentLength
        case 15: first == UInt8(ascii: "a") ? .acceptEncoding : .idempotencyKey
        case 16: .contentEncoding
        default: longCandidate(count, first)
        }
    }

    private static func longCandidate(_ count: Int, _ first: UInt8) -> KnownField {
        switch count {
        case 17: first == UInt8(ascii: "i") ? .ifModifiedSince : .transferEncoding
        case 19: .ifUnmodifiedSince
        case 29: .accessControlRequestMethod
        case 30: .accessControlRequestHeaders
        default: .other
        }
    }
}

extension Span<UInt8> {
    /// The name of a field, up to its colon.
    ///
    /// - Parameter start: Where a line begins.
    /// - Returns: What it is, and where the colon is; `nil` where there is no name, or what could be one
    ///   is not whole.
    func fieldName(at start: Int) -> (known: KnownField, end: Int)? {
        guard start + 16 <= count else { return longFieldName(at: start) }
        let (first, last) = (knownWord(at: start), knownWord(at: start + 8))
        let (firstColon, lastColon) = (first.marks(.colon), last.marks(.colon))
        let length: Int
        if firstColon != 0 {
            length = firstColon.firstMark
            guard length > 0 else { return nil }
        } else if lastColon != 0 {
            length = 8 + lastColon.firstMark
        } else {
            return longFieldName(at: start)
        }
        let known = KnownField(first, last, count: length)
        // The names that are known are tokens, and most of the others are letters and hyphens.
        if known == .other,
            first.marksUnlessLetter.firstMark < Swift.min(length, 8)
                || length > 8 && last.marksUnlessLetter.firstMark < length - 8
        {
            guard isToken(in: start..<start + length) else { return nil }
        }
        return (known, start + length)
    }

    /// The same of a name of any length, at any place.
    private func longFieldName(at start: Int) -> (known: KnownField, end: Int)? {
        let end = endOfToken(from: start)
        guard start < end, end < count, self[end] == .colon else { return nil }
        return (KnownField(self, in: start..<end), end)
    }
}

/// A name of at most 16 bytes as two words.
private struct NameWords {
    let first: UInt64
    let last: UInt64
    /// The bytes of both that count.
    let firstMask: UInt64
    let lastMask: UInt64

    init(_ name: String) {
        let bytes = Array(name.utf8)
        func word(_ start: Int) -> (bytes: UInt64, mask: UInt64) {
            bytes.dropFirst(start).prefix(8).reversed().reduce((0, 0)) {
                ($0.0 << 8 | UInt64($1), $0.1 << 8 | 0xff)
            }
        }
        (first, firstMask) = word(0)
        (last, lastMask) = word(8)
    }

    /// Whether these are its words, in any case.
    func isSame(_ first: UInt64, _ last: UInt64) -> Bool {
        (first | self.first.caseBits) & firstMask == self.first
            && (last | self.last.caseBits) & lastMask == self.last
    }
}
