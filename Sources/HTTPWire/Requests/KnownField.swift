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
    /// The names in lower case, in the order of the cases.
    private static let names = [
        "", "accept", "accept-encoding", "authorization", "connection", "content-encoding",
        "content-length", "content-type", "cookie", "expect", "host", "idempotency-key",
        "if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since",
        "last-event-id", "origin", "prefer", "range", "te", "trailer", "transfer-encoding",
        "upgrade", "a-im", "access-control-request-method", "access-control-request-headers",
        "user-agent", "via", "traceparent",
    ]

    /// The longest name has 30 bytes.
    private static let stride = 32

    /// The bytes of the names, each in a row of its own.
    private static let table: [UInt8] = names.flatMap { name in
        Array(name.utf8) + Array(repeating: 0, count: stride - name.utf8.count)
    }

    /// The name in lower case; empty for `other`.
    package var name: String { Self.names[Int(rawValue)] }

    /// The field of that name, compared without regard to case; `other` when the server does not
    /// read it.
    ///
    /// - Parameters:
    ///   - bytes: The bytes that the name is in.
    ///   - range: Where it is; a token.
    init(_ bytes: Span<UInt8>, in range: Range<Int>) {
        let field = Self.candidate(bytes, in: range)
        // `candidate` has compared the lengths.
        let row = Int(field.rawValue) * Self.stride
        let isField = field != .other && bytes.isName(in: range, as: Self.table.span, from: row)
        self = isField ? field : .other
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
