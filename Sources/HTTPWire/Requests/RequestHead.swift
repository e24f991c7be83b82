/// A parsed request head: its bytes, and the ranges of its parts.
///
/// A parser that has the only reference to a head's storage reuses it for the next head, without an
/// allocation.
package struct RequestHead: Sendable {
    /// The head as sent, from the method to the empty line.
    package internal(set) var bytes: [UInt8] = []
    /// The field lines in order.
    package internal(set) var fields: [Field] = []
    /// The set of present fields among the cases of ``KnownField``; a bit's number is the raw value
    /// of the case.
    private var present: UInt32 = 0
    /// The set of these fields that are present several times.
    private var repeated: UInt32 = 0
    /// The method, which is case-sensitive (RFC 9110 §9.1).
    package internal(set) var method = Method.get
    /// The range of the target as sent.
    package internal(set) var target: Range<Int> = 0..<0
    /// The ranges of the target's parts.
    package internal(set) var targetParts = RequestTarget()
    /// The version; versions 1.2 to 1.9 are read as 1.1 (RFC 9110 §2.5).
    package internal(set) var version: Version = .http11
    /// The framing of the body.
    package internal(set) var framing: Framing = .none
    /// Whether the connection may carry another request after this one (RFC 9112 §9.3).
    package internal(set) var isPersistent = true
    /// Whether the client waits for 100 before it sends the body (RFC 9110 §10.1.1).
    package internal(set) var expectsContinue = false
    /// Whether the request has another expectation, which is answered with 417 (RFC 9110 §10.1.1).
    package internal(set) var hasUnknownExpectation = false

    /// Makes an empty head.
    package init() {}
}

extension RequestHead {
    /// The ranges of a field line's parts.
    package struct Field: Sendable {
        /// The field's name, if the server reads the field; otherwise `other`.
        package let known: KnownField
        /// The range of the name as sent.
        package let name: Range<Int>
        /// The range of the value, without the white space around it.
        package let value: Range<Int>
    }

    /// The way in which the end of the body is found (RFC 9112 §6.3).
    package enum Framing: Sendable, Equatable {
        /// There is no body.
        case none
        /// The body has this number of bytes, at most ``RequestHead/longestBody``.
        case length(Int)
        /// The body ends with its last chunk.
        case chunked
    }

    /// The longest Content-Length in bytes, more than any server accepts; longer ones are read as
    /// this one.
    package static let longestBody = 1_000_000_000_000_000

    /// The HTTP version, as far as it changes the server's behaviour.
    package enum Version: Sendable {
        case http10
        case http11
    }
}

extension RequestHead {
    /// A method: one of RFC 9110 §9.3 and RFC 5789, or any other token.
    package enum Method: UInt8, Sendable, CaseIterable {
        case get
        case head
        case post
        case put
        case patch
        case delete
        case connect
        case options
        case trace
        /// QUERY (RFC 10008).
        case query
        /// Any other token, whose name is ``RequestHead/methodName``.
        case other
    }

    /// Adds a field line.
    mutating func add(_ field: Field) {
        let bit: UInt32 = 1 << UInt32(field.known.rawValue)
        if present & bit != 0 {
            repeated |= bit
        } else if field.known != .other {
            present |= bit
        }
        fields.append(field)
    }

    /// Prepares for the next head, whose request line and end set the other parts.
    mutating func reset(keepingStorage: Bool) {
        bytes.removeAll(keepingCapacity: keepingStorage)
        fields.removeAll(keepingCapacity: keepingStorage)
        (present, repeated) = (0, 0)
        framing = .none
        (expectsContinue, hasUnknownExpectation) = (false, false)
    }
}

extension RequestHead {
    /// The method's name in the request line.
    package var methodName: String {
        string(0..<(bytes.firstIndex(of: .space) ?? bytes.count))
    }
}

extension RequestHead.Method {
    // Patterns are matched in place of `==`, which would call through a witness table of another
    // target for each request.

    package var isHead: Bool { if case .head = self { true } else { false } }

    package var isOptions: Bool { if case .options = self { true } else { false } }

    /// Whether the method is GET or HEAD.
    package var isRead: Bool {
        switch self {
        case .get, .head: true
        default: false
        }
    }

    /// Whether the server knows the method; an unknown method gets `501`, a method that a resource
    /// does not allow gets `405` (RFC 9110 §15.6.2, §15.5.6).
    package var isKnown: Bool { if case .other = self { false } else { true } }
}

extension RequestHead {
    /// Returns the range of the first value of a field; `nil` if there is none.
    package func first(_ known: KnownField) -> Range<Int>? {
        guard has(known) else { return nil }
        return fields.first { $0.known == known }?.value
    }

    /// The value of the first Origin field in the part of the head that was read; `nil` if there is
    /// none.
    package var origin: [UInt8]? { first(.origin).map { Array(bytes[$0]) } }

    /// Returns whether a field of that name is present.
    package func has(_ known: KnownField) -> Bool { present >> UInt32(known.rawValue) & 1 != 0 }

    /// Returns whether several fields of that name are present.
    package func isRepeated(_ known: KnownField) -> Bool {
        repeated >> UInt32(known.rawValue) & 1 != 0
    }

    /// Returns the values of all fields of that name, joined by ", " (RFC 9110 §5.3); `nil` if
    /// there is no such field.
    package func value(_ known: KnownField) -> String? {
        guard isRepeated(known) else { return first(known).map(string) }
        return joinedValue { $0.known == known }
    }

    /// Calls `body` with the values of all fields of that name, joined by ", ", if there is such a
    /// field; a single value is not copied.
    package func withValue<Result>(
        _ known: KnownField,
        _ body: (Span<UInt8>) -> Result
    ) -> Result? {
        guard let range = first(known) else { return nil }
        guard isRepeated(known) else { return body(bytes.span.extracting(range)) }
        return joinedValue { $0.known == known }.map { body(Array($0.utf8).span) }
    }

    /// Returns the values of all fields with a name in any case, joined by ", "; `nil` if there is
    /// no such field.
    package func value(named name: String) -> String? {
        let name = name.utf8.map(\.lowercased)
        return joinedValue { field in
            field.name.count == name.count
                && bytes[field.name].lazy.map(\.lowercased).elementsEqual(name)
        }
    }

    /// Returns the text of a range; invalid UTF-8 is replaced by U+FFFD.
    package func string(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    private func joinedValue(where isWanted: (Field) -> Bool) -> String? {
        var joined: String?
        for field in fields where isWanted(field) {
            joined = joined.map { $0 + ", " + string(field.value) } ?? string(field.value)
        }
        return joined
    }
}

extension RequestHead {
    /// The id of the trace that the request belongs to: 32 lower-case hexadecimal digits (W3C Trace
    /// Context, Level 1 §3.2); `nil` if the field is absent or malformed.
    package var traceID: ArraySlice<UInt8>? {
        guard let range = first(.traceparent) else { return nil }
        let value = bytes[range]
        let start = value.startIndex
        // The form is: version "-" trace-id "-" parent-id "-" flags; a later version may append
        // more.
        guard value.count >= 55,
            value.count == 55 || value[start] != UInt8(ascii: "0")
                || value[start + 1] != UInt8(ascii: "0"),
            value.count == 55 || value[start + 55] == UInt8(ascii: "-")
        else { return nil }
        let (version, trace) = (value[start..<start + 2], value[start + 3..<start + 35])
        let (parent, flags) = (value[start + 36..<start + 52], value[start + 53..<start + 55])
        let dashes = [2, 35, 52].allSatisfy { value[start + $0] == UInt8(ascii: "-") }
        guard dashes, [version, trace, parent, flags].allSatisfy(\.isLowerHexadecimal),
            !version.allSatisfy({ $0 == UInt8(ascii: "f") }),
            trace.contains(where: { $0 != UInt8(ascii: "0") }),
            parent.contains(where: { $0 != UInt8(ascii: "0") })
        else { return nil }
        return trace
    }
}

extension ArraySlice<UInt8> {
    fileprivate var isLowerHexadecimal: Bool {
        allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
    }
}
