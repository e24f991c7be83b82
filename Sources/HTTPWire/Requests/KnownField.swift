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
            self =
                NameTable.longNames.first { bytes.equals($0.name, in: range) } ?? .other
            return
        }
        var words = NameWords()
        for index in range.reversed() { words.prepend(bytes[index]) }
        self = NameTable.shared.field(words)
    }

    /// Recognizes a name without control characters.
    ///
    /// - Parameter length: The length of the name, from 1 to 15 bytes.
    @inline(__always)
    init(_ bytes: Span<UInt8>, from start: Int, length: Int) {
        // The bytes after the name are masked out.
        let unused = UInt64(truncatingIfNeeded: 8 &* (16 &- length))
        var words = NameWords()
        words.first = bytes.knownWord(at: start)
        if length > 8 {
            words.last = bytes.knownWord(at: start &+ 8) & (.max &>> unused)
        } else {
            words.first &= .max &>> (unused &- 64)
        }
        self = NameTable.shared.field(words)
    }
}

/// The bytes of a name of at most 15 bytes as two words, the first byte lowest; zeros after its
/// end.
private struct NameWords {
    var first: UInt64 = 0
    var last: UInt64 = 0

    mutating func prepend(_ byte: UInt8) {
        last = last &<< 8 | first &>> 56
        first = first &<< 8 | UInt64(byte)
    }
}

/// Finds fields by their names: a hash table with linear probing (Knuth, "The Art of Computer
/// Programming", volume 3, section 6.4).
private struct NameTable: Sendable {
    private struct Slot: Sendable {
        var first: UInt64 = 0
        var last: UInt64 = 0
        /// The field in the slot; `other` if the slot is free.
        var field = KnownField.other
    }

    /// The slots, four times as many as names: for most unknown names the first slot is free, and
    /// the search ends there.
    ///
    /// The slots are an array, because an inline value of this size would be copied at every
    /// lookup.
    private let slots: [Slot]

    static let shared = NameTable()
    /// The fields with names of 16 bytes and more.
    static let longNames = KnownField.allCases.filter { $0.name.utf8CodeUnitCount > 15 }

    private init() {
        var slots = [Slot](repeating: Slot(), count: 128)
        for field in KnownField.allCases where 1...15 ~= field.name.utf8CodeUnitCount {
            var words = NameWords()
            for byte in "\(field.name)".utf8.reversed() { words.prepend(byte) }
            var slot = NameTable.slot(words)
            while slots[slot].field != .other { slot = (slot + 1) & 127 }
            slots[slot] = Slot(first: words.first, last: words.last, field: field)
        }
        self.slots = slots
    }

    /// Returns the index of the slot at which the search for a name begins, whatever the case of
    /// its letters.
    @inline(__always)
    private static func slot(_ words: NameWords) -> Int {
        // Letters in lower case have this bit, and so have hyphens and digits.
        let lowercase: UInt64 = 0x2020_2020_2020_2020
        let number = (words.first | lowercase) &+ (words.last | lowercase)
        return Int(truncatingIfNeeded: (number &* 0x9e37_79b9_7f4a_7c15) &>> 57)
    }

    @inline(__always)
    func field(_ words: NameWords) -> KnownField {
        var index = NameTable.slot(words)
        while true {
            let slot = slots[index]
            let isNamed =
                words.first | slot.first.caseBits == slot.first
                && words.last | slot.last.caseBits == slot.last
            if isNamed || slot.field == .other { return slot.field }
            index = (index &+ 1) & 127
        }
    }
}

/// The ranges of the parts of a field line (RFC 9112 §5).
struct FieldLine {
    let known: KnownField
    let nameStart: Int
    /// The index of the colon.
    let nameEnd: Int
    /// The range of the value, without the white space around it.
    let value: Range<Int>
}

extension Span<UInt8> {
    /// Parses the field line between two indices.
    ///
    /// - Parameters:
    ///   - start: The start of the line; at most `end`.
    ///   - end: The index of the first control character from `start` on, or ``count``.
    /// - Returns: `nil` if the line is not complete and valid there, or has no valid name.
    @inline(__always)
    func fieldLine(_ start: Int, _ end: Int) -> FieldLine? {
        guard end &+ 1 < count, unsafe self[unchecked: end] == .carriageReturn,
            unsafe self[unchecked: end &+ 1] == .lineFeed,
            let (known, nameEnd) = fieldName(start, end)
        else { return nil }
        return FieldLine(
            known: known,
            nameStart: start,
            nameEnd: nameEnd,
            value: fieldValue(behind: nameEnd, end)
        )
    }

    /// Returns the field's name before the colon, and the index of the colon.
    @inline(__always)
    private func fieldName(_ start: Int, _ end: Int) -> (KnownField, end: Int)? {
        guard start &+ 16 <= count else { return longFieldName(start, end) }
        let colons = mask(of: .colon, from: start)
        guard colons != 0 else { return longFieldName(start, end) }
        let length = colons.trailingZeroBitCount
        guard length > 0, start &+ length < end else { return nil }
        let known = KnownField(self, from: start, length: length)
        // The known names are tokens, and most other names consist of letters and hyphens.
        if known == .other, nonLetters(from: start) & ((1 &<< UInt16(length)) &- 1) != 0 {
            guard isToken(in: start..<start &+ length) else { return nil }
        }
        return (known, start &+ length)
    }

    /// Returns a field's name of any length, at any index, and the index of the colon.
    private func longFieldName(_ start: Int, _ end: Int) -> (KnownField, end: Int)? {
        let nameEnd = endOfToken(from: start)
        guard start < nameEnd, nameEnd < end, self[nameEnd] == .colon else { return nil }
        return (KnownField(self, in: start..<nameEnd), nameEnd)
    }

    /// Returns the range of the value between a colon and the end of a line without control
    /// characters.
    @inline(__always)
    private func fieldValue(behind colon: Int, _ end: Int) -> Range<Int> {
        let start = colon &+ 2
        // Nearly all clients send one space, and none at the end.
        if start < end, unsafe self[unchecked: colon &+ 1] == .space,
            unsafe self[unchecked: start] != .space,
            unsafe self[unchecked: end &- 1] != .space
        {
            return unsafe Range(uncheckedBounds: (start, end))
        }
        return trimmed(colon + 1..<end)
    }
}
