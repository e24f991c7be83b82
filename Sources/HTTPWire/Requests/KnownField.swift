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
        let field = Self.candidate(bytes, in: range)
        let start = range.lowerBound
        guard range.count <= 16, start + 8 <= bytes.count else {
            self = bytes.equals(field.name, in: range) ? field : .other
            return
        }
        let name = Self.names[Int(field.rawValue)]
        let (first, last) = (
            bytes.knownWord(at: start), bytes.knownWord(at: start + name.lastPlace)
        )
        let isSame =
            (first | name.first.caseBits) & name.mask == name.first
            && (last | name.last.caseBits) & name.mask == name.last
        self = isSame ? field : .other
    }

    /// The names that have at most 16 bytes.
    private static let names = InlineArray<32, NameWords> { number in
        NameWords("\(KnownField(rawValue: UInt8(number))?.name ?? "")")
    }

    /// The only field that the name can be, by its length and its first byte.
    private static func candidate(_ bytes: Span<UInt8>, in range: Range<Int>) -> KnownField {
        guard let first = range.first.map({ bytes[$0].lowercased }) else { return .other }
        return switch (range.count, first) {
        case (2, _): .te
        case (3, _): .via
        case (4, UInt8(ascii: "h")): .host
        case (4, _): .aIM
        case (5, _): .range
        case (6, UInt8(ascii: "a")): .accept
        case (6, UInt8(ascii: "c")): .cookie
        case (6, UInt8(ascii: "e")): .expect
        case (6, UInt8(ascii: "o")): .origin
        case (6, _): .prefer
        default: longCandidate(bytes, in: range, first: first)
        }
    }

    private static func longCandidate(
        _ bytes: Span<UInt8>,
        in range: Range<Int>,
        first: UInt8
    ) -> KnownField {
        switch (range.count, first) {
        case (7, UInt8(ascii: "t")): .trailer
        case (7, _): .upgrade
        case (8, _): bytes[range.lowerBound + 3].lowercased == 0x6d ? .ifMatch : .ifRange
        case (10, UInt8(ascii: "c")): .connection
        case (10, _): .userAgent
        case (11, _): .traceparent
        case (12, _): .contentType
        case (13, UInt8(ascii: "a")): .authorization
        case (13, UInt8(ascii: "i")): .ifNoneMatch
        case (13, _): .lastEventID
        case (14, _): .contentLength
        case (15, UInt8(ascii: "a")): .acceptEncoding
        case (15, _): .idempotencyKey
        case (16, _): .contentEncoding
        case (17, UInt8(ascii: "i")): .ifModifiedSince
        case (17, _): .transferEncoding
        case (19, _): .ifUnmodifiedSince
        case (29, _): .accessControlRequestMethod
        case (30, _): .accessControlRequestHeaders
        default: .other
        }
    }
}

/// A name of at most 16 bytes as two words, which overlap.
private struct NameWords {
    let first: UInt64
    let last: UInt64
    /// Where the last one begins.
    let lastPlace: Int
    /// The bytes of both that count.
    let mask: UInt64

    init(_ name: String) {
        func word(_ bytes: some Collection<UInt8>) -> UInt64 {
            bytes.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        let bytes = Array(name.utf8)
        lastPlace = max(0, bytes.count - 8)
        first = word(bytes)
        last = word(bytes.dropFirst(lastPlace))
        mask = bytes.count < 8 ? 1 << (8 * bytes.count) - 1 : .max
    }
}
