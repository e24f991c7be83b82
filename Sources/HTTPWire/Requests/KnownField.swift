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

    /// The names of all fields and their first letters, in the order of the lengths of the names; as
    /// many as ``RequestHead/FieldIndex`` has room for.
    private static let names = InlineArray<32, (StaticString, first: UInt8, KnownField)> {
        guard $0 < byLength.count else { return ("", 0, .other) }
        let field = byLength[$0]
        return (field.name, unsafe field.name.utf8Start[0], field)
    }
    private static let byLength = allCases.sorted { $0.length < $1.length }
    /// For each length of a name, the index in ``names`` of the first name with that length or a
    /// greater one.
    private static let starts = InlineArray<40, Int> { length in
        byLength.firstIndex { $0.length >= length } ?? byLength.count
    }

    /// The number of bytes of the name.
    private var length: Int { name.utf8CodeUnitCount }

    /// Recognizes a field by its name, ignoring case; `other` if the server does not read the
    /// field.
    ///
    /// - Parameters:
    ///   - bytes: The bytes that contain the name.
    ///   - range: The range of the name, which is a token.
    init(_ bytes: Span<UInt8>, in range: Range<Int>) {
        self = .other
        guard range.count + 1 < KnownField.starts.count else { return }
        let first = bytes[range.lowerBound].lowercased
        for index in KnownField.starts[range.count]..<KnownField.starts[range.count + 1]
        where KnownField.names[index].first == first {
            let (name, _, field) = KnownField.names[index]
            if bytes.equals(name, in: range) { self = field }
        }
    }
}
