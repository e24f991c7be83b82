/// The fields that the server itself reads; the parser recognizes their names.
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

    /// Recognizes a field by its name, ignoring case; `other` if the server does not read the
    /// field.
    ///
    /// - Parameters:
    ///   - bytes: The bytes that contain the name.
    ///   - range: The range of the name, which is a token.
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

    /// Recognizes a name of at most 15 bytes.
    ///
    /// - Parameters:
    ///   - first: The first eight bytes of the name, the first byte lowest; zeros after its end.
    ///   - last: The next eight bytes.
    @inline(__always)
    fileprivate init(_ first: UInt64, _ last: UInt64) {
        // The case of letters is ignored here; hyphens and digits have this bit.
        let number = (first | 0x2020_2020_2020_2020) &+ (last | 0x2020_2020_2020_2020)
        let field = Self.byNumber[Int(truncatingIfNeeded: (number &* Self.multiplier) &>> 58)]
        let name = NameWords.all[Int(field.rawValue)]
        let isNamed =
            first | name.first.caseBits == name.first && last | name.last.caseBits == name.last
        self = isNamed ? field : .other
    }

    /// A factor that hashes the names of at most 15 bytes without collisions; found by trying
    /// ("perfect hashing", Knuth, "The Art of Computer Programming", volume 3, section 6.4).
    private static var multiplier: UInt64 { 0x707c_70b4_8a97_b9d9 }

    /// The only field that a name with this hash can be.
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
    /// Recognizes a name without control characters.
    ///
    /// - Parameter length: The length of the name, from 1 to 15 bytes.
    @inline(__always)
    init(_ bytes: Span<UInt8>, from start: Int, length: Int) {
        // The bytes after the name are masked out.
        let unused = UInt64(truncatingIfNeeded: 8 &* (16 &- length))
        let first = bytes.knownWord(at: start)
        guard length > 8 else {
            self.init(first & (.max &>> (unused &- 64)), 0)
            return
        }
        self.init(first, bytes.knownWord(at: start &+ 8) & (.max &>> unused))
    }
}

/// The bytes of a name of at most 16 bytes as two words, the first byte lowest.
private struct NameWords {
    let first: UInt64
    let last: UInt64

    private init(_ first: UInt64, _ last: UInt64) {
        self.first = first
        self.last = last
    }

    /// The words of each field's name by its raw value; zeros for longer names.
    ///
    /// The numbers are written out, so that no check at run time is needed whether they are
    /// initialized.
    static let all: InlineArray<32, NameWords> = [
        .init(0, 0),
        .init(0x7470_6563_6361, 0),
        .init(0x652d_7470_6563_6361, 0x0067_6e69_646f_636e),
        .init(0x7a69_726f_6874_7561, 0x006e_6f69_7461),
        .init(0x6974_6365_6e6e_6f63, 0x6e6f),
        .init(0x2d74_6e65_746e_6f63, 0x676e_6964_6f63_6e65),
        .init(0x2d74_6e65_746e_6f63, 0x6874_676e_656c),
        .init(0x2d74_6e65_746e_6f63, 0x6570_7974),
        .init(0x6569_6b6f_6f63, 0),
        .init(0x7463_6570_7865, 0),
        .init(0x7473_6f68, 0),
        .init(0x6574_6f70_6d65_6469, 0x0079_656b_2d79_636e),
        .init(0x6863_7461_6d2d_6669, 0),
        .init(0, 0),
        .init(0x2d65_6e6f_6e2d_6669, 0x0068_6374_616d),
        .init(0x6567_6e61_722d_6669, 0),
        .init(0, 0),
        .init(0x6576_652d_7473_616c, 0x0064_692d_746e),
        .init(0x6e69_6769_726f, 0),
        .init(0x7265_6665_7270, 0),
        .init(0x0065_676e_6172, 0),
        .init(0x6574, 0),
        .init(0x0072_656c_6961_7274, 0),
        .init(0, 0),
        .init(0x0065_6461_7267_7075, 0),
        .init(0x6d69_2d61, 0),
        .init(0, 0),
        .init(0, 0),
        .init(0x6567_612d_7265_7375, 0x746e),
        .init(0x0061_6976, 0),
        .init(0x7261_7065_6361_7274, 0x0074_6e65),
        .init(0, 0),
    ]
}
