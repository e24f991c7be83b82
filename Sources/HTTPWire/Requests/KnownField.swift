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
        guard range.count < 16 else {
            self = Self.long(bytes, range)
            return
        }
        var (first, last): (UInt64, UInt64) = (0, 0)
        for index in range.reversed() {
            last = last << 8 | first >> 56
            first = first << 8 | UInt64(bytes[index])
        }
        self.init(first, last)
    }

    /// The same of a name of at most 15 bytes.
    ///
    /// - Parameters:
    ///   - first: Its first eight bytes, the first one lowest; zeros behind its end.
    ///   - last: The eight bytes behind these.
    @inline(__always)
    fileprivate init(_ first: UInt64, _ last: UInt64) {
        // Of letters the case is left out; hyphens and digits have this bit.
        let number = (first | 0x2020_2020_2020_2020) &+ (last | 0x2020_2020_2020_2020)
        let field = Self.byNumber[Int(truncatingIfNeeded: (number &* Self.multiplier) &>> 58)]
        let name = NameWords.all[Int(field.rawValue)]
        let isNamed =
            first | name.first.caseBits == name.first && last | name.last.caseBits == name.last
        self = isNamed ? field : .other
    }

    /// Spreads what is made of the names so that no two of those of at most 15 bytes meet; found by
    /// trying ("perfect hashing", Knuth, "The Art of Computer Programming", volume 3, section 6.4).
    private static var multiplier: UInt64 { 0x707c_70b4_8a97_b9d9 }

    /// The only field that a name can be.
    private static let byNumber: InlineArray<64, KnownField> = [
        .acceptEncoding, .other, .other, .other, .other, .other, .other, .other, .other,
        .traceparent, .aIM, .other, .other, .accept, .range, .other, .other, .trailer, .te,
        .other, .other, .contentLength, .other, .origin, .other, .other, .ifNoneMatch, .userAgent,
        .other, .other, .other, .other, .other, .other, .prefer, .idempotencyKey, .connection,
        .lastEventID, .authorization, .ifMatch, .other, .host, .other, .other, .other, .other,
        .via, .upgrade, .cookie, .other, .other, .other, .other, .other, .other, .expect, .other,
        .contentType, .other, .other, .ifRange, .other, .other, .other,
    ]

    private static func long(_ bytes: Span<UInt8>, _ range: Range<Int>) -> KnownField {
        let field: KnownField =
            switch range.count {
            case 16: .contentEncoding
            case 17:
                bytes[range.lowerBound] | 0x20 == UInt8(ascii: "i")
                    ? .ifModifiedSince : .transferEncoding
            case 19: .ifUnmodifiedSince
            case 29: .accessControlRequestMethod
            case 30: .accessControlRequestHeaders
            default: .other
            }
        return bytes.equals(field.name, in: range) ? field : .other
    }
}

extension KnownField {
    /// The field of that name, which no control is in.
    ///
    /// - Parameter length: How long it is, from 1 to 15 bytes.
    @inline(__always)
    init(_ bytes: Span<UInt8>, from start: Int, length: Int) {
        // What is behind the name counts for nothing.
        let unused = UInt64(truncatingIfNeeded: 8 &* (16 &- length))
        let first = bytes.knownWord(at: start)
        guard length > 8 else {
            self.init(first & (.max &>> (unused &- 64)), 0)
            return
        }
        self.init(first, bytes.knownWord(at: start &+ 8) & (.max &>> unused))
    }
}
