/// The header fields that the server itself reads; `other` stands for all the rest.
///
/// There can be 32 cases, because a head has a bit for each.
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
    case referer
    case transferEncoding
    case aIM
    case userAgent
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
        case .referer: "referer"
        case .transferEncoding: "transfer-encoding"
        case .aIM: "a-im"
        case .userAgent: "user-agent"
        case .traceparent: "traceparent"
        }
    }

    /// A field's name, with its first eight bytes and its last eight bytes as numbers; comparing
    /// the numbers tells nearly all names apart.
    private typealias Name = (first: UInt64, last: UInt64, text: StaticString, field: KnownField)

    /// A hash table of all names with linear probing: a name is in the slot of its hash, or in the
    /// first free slot after that one.
    private static let names: InlineArray<128, Name> = {
        var names = InlineArray<128, Name>(repeating: (0, 0, "", .other))
        for field in allCases where field != .other {
            let bytes = field.name.withUTF8Buffer { unsafe Array($0) }
            let (first, last) = bytes.span.ends(of: bytes.indices)
            var slot = slot(first, last)
            while names[slot].field != .other { slot = (slot + 1) & 127 }
            names[slot] = (first, last, field.name, field)
        }
        return names
    }()

    /// Returns the slot in ``names`` in which the search for a name begins.
    private static func slot(_ first: UInt64, _ last: UInt64) -> Int {
        // The multiplier is 2⁶⁴ divided by the golden ratio, which spreads numbers (Knuth, The Art
        // of Computer Programming, volume 3, §6.4).
        Int(truncatingIfNeeded: ((first ^ last &* 31) &* 0x9e37_79b9_7f4a_7c15) >> 57)
    }

    /// Recognizes a field by its name, a token, ignoring case; `other` if the server does not read
    /// the field.
    @inline(__always)
    init(_ bytes: Span<UInt8>, in range: Range<Int>) {
        self = .other
        let (first, last) = bytes.ends(of: range)
        var slot = KnownField.slot(first, last)
        while KnownField.names[slot].field != .other {
            if KnownField.names[slot].first == first, KnownField.names[slot].last == last,
                KnownField.names[slot].text.utf8CodeUnitCount == range.count,
                // For a name of at most 16 bytes, the two numbers contain every byte.
                range.count <= 16 || bytes.equals(KnownField.names[slot].text, in: range)
            {
                self = KnownField.names[slot].field
                return
            }
            slot = (slot + 1) & 127
        }
    }
}

extension Span<UInt8> {
    /// Returns the first eight bytes of a token and the last eight as numbers, in lower case.
    ///
    /// For a token of fewer than eight bytes, both numbers contain all of its bytes.
    @inline(__always)
    fileprivate func ends(of range: Range<Int>) -> (first: UInt64, last: UInt64) {
        guard range.count < 8 else {
            return (
                word(at: range.lowerBound).lowercasedBytes,
                word(at: range.upperBound - 8).lowercasedBytes
            )
        }
        let number = lowercasedNumber(in: range)
        return (number, number)
    }
}
