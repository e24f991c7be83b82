/// A parsed request head: its bytes, and where in them things are.
///
/// A parser fills the same head again without allocating when nobody else holds it.
package struct RequestHead: Sendable {
    /// The head as sent, from the method to the empty line.
    package internal(set) var bytes: [UInt8] = []
    /// The field lines in order.
    package internal(set) var fields: [Field] = []
    /// Where among ``fields`` those are that the server reads.
    var index = FieldIndex()
    /// Methods are case-sensitive (RFC 9110 §9.1).
    package internal(set) var method = Method.get
    /// The target as sent.
    package internal(set) var target: Range<Int> = 0..<0
    /// Versions 1.2 to 1.9 are read as 1.1 (RFC 9110 §2.5).
    package internal(set) var version: Version = .http11
    /// How the body is framed.
    package internal(set) var framing: Framing = .none
    /// Whether the connection may carry another request after this one (RFC 9112 §9.3).
    package internal(set) var isPersistent = true
    /// Whether the client waits for 100 before it sends the body (RFC 9110 §10.1.1).
    package internal(set) var expectsContinue = false
    /// Whether it expects something else, which is answered with 417 (RFC 9110 §10.1.1).
    package internal(set) var hasUnknownExpectation = false

    /// A head without anything in it.
    package init() {}
}

extension RequestHead {
    /// A field line's place.
    package struct Field: Sendable {
        private let nameStart, nameEnd, valueStart, valueEnd: UInt32
        /// Which of the fields that the server reads it is.
        package let known: KnownField

        /// Notes where a field line is; no head is longer than 4 GiB.
        ///
        /// - Parameter offset: The place in the head of the byte that the line's places count from.
        @inline(__always)
        init(_ line: FieldLine, _ offset: Int) {
            known = line.known
            nameStart = UInt32(truncatingIfNeeded: line.nameStart &+ offset)
            nameEnd = UInt32(truncatingIfNeeded: line.nameEnd &+ offset)
            valueStart = UInt32(truncatingIfNeeded: line.value.lowerBound &+ offset)
            valueEnd = UInt32(truncatingIfNeeded: line.value.upperBound &+ offset)
        }

        /// The name as sent.
        package var name: Range<Int> { Int(nameStart)..<Int(nameEnd) }
        /// Without the white space around it.
        package var value: Range<Int> { Int(valueStart)..<Int(valueEnd) }
    }

    /// Where the body ends (RFC 9112 §6.3).
    package enum Framing: Sendable, Equatable {
        /// There is no body.
        case none
        /// So many bytes, at most ``RequestHead/longestBody``.
        case length(Int)
        /// Where the chunks end.
        case chunked
    }

    /// What a longer Content-Length counts as, in bytes: more than any server takes.
    package static let longestBody = 1_000_000_000_000_000

    /// The version as far as it changes anything.
    package enum Version: Sendable {
        case http10
        case http11
    }
}

extension RequestHead {
    /// A method: one of RFC 9110 §9.3 and RFC 5789, or any other token.
    package enum Method: Hashable, Sendable {
        case get
        case head
        case post
        case put
        case patch
        case delete
        case connect
        case options
        case trace
        /// RFC 10008.
        case query
        /// Any other token, whose name is ``RequestHead/methodName``.
        case other
    }

    /// Which of the fields that the server reads are there, and where: one look each.
    struct FieldIndex: Sendable {
        private var present: UInt32 = 0
        private var repeated: UInt32 = 0
        private var places = InlineArray<32, UInt8>(repeating: 0)

        /// Notes a field line; of several of the same name the first counts.
        ///
        /// - Parameters:
        ///   - field: Its name.
        ///   - place: Its number among all, at most 255.
        mutating func add(_ field: KnownField, at place: Int) {
            let bit: UInt32 = 1 << UInt32(field.rawValue)
            guard present & bit == 0 else {
                repeated |= bit
                return
            }
            present |= bit
            places[Int(field.rawValue)] = UInt8(truncatingIfNeeded: place)
        }

        /// The number of the first field line of that name.
        subscript(field: KnownField) -> Int? {
            has(field) ? Int(places[Int(field.rawValue)]) : nil
        }

        func has(_ field: KnownField) -> Bool { present >> UInt32(field.rawValue) & 1 != 0 }

        func isRepeated(_ field: KnownField) -> Bool {
            repeated >> UInt32(field.rawValue) & 1 != 0
        }

        mutating func removeAll() {
            present = 0
            repeated = 0
        }
    }
}

extension RequestHead {
    /// Whether it has no content, and nothing about it changes how the connection goes on.
    package var isPlain: Bool {
        guard case .none = framing, case .http11 = version else { return false }
        return !expectsContinue && !hasUnknownExpectation
    }

    /// The method as it stands in the request line.
    package var methodName: String {
        string(0..<(bytes.firstIndex(of: .space) ?? bytes.count))
    }
}

extension RequestHead.Method {
    // From another target, "==" finds its way by a table of witnesses, for each request.

    package var isHead: Bool { if case .head = self { true } else { false } }

    package var isOptions: Bool { if case .options = self { true } else { false } }

    /// Whether it is GET or HEAD.
    package var isRead: Bool {
        switch self {
        case .get, .head: true
        default: false
        }
    }

    /// Whether it is one that this server knows; one that it does not know gets `501`, one that
    /// a resource does not allow `405` (RFC 9110 §15.6.2, §15.5.6).
    package var isKnown: Bool { if case .other = self { false } else { true } }
}

extension RequestHead {
    /// A head made for tests and for calls without a socket, as the parser would read it.
    ///
    /// - Parameter text: A whole head, with the empty line, and nothing after it.
    /// - Throws: What the parser throws; ``RequestError/invalidRequestLine`` when the head is not
    ///   whole or more follows.
    package init(parsing text: String) throws(RequestError) {
        var parser = RequestParser()
        let bytes = Array(text.utf8)
        let (count, isComplete) = try parser.consume(bytes.span)
        guard isComplete, count == bytes.count else { throw .invalidRequestLine }
        self = parser.head
    }
}

extension RequestHead {
    /// The place of the first field of that name, nil when there is none.
    package func first(_ known: KnownField) -> Range<Int>? {
        index[known].map { fields[$0].value }
    }

    /// The first Origin field, as far as the head was read; nil when there is none.
    package var origin: [UInt8]? { first(.origin).map { Array(bytes[$0]) } }

    /// Whether a field of that name is there.
    package func has(_ known: KnownField) -> Bool { index.has(known) }

    /// Whether several fields of that name are there.
    package func isRepeated(_ known: KnownField) -> Bool { index.isRepeated(known) }

    /// The value of all fields of that name, joined by ", " (RFC 9110 §5.3).
    package func value(_ known: KnownField) -> String? {
        guard isRepeated(known) else { return first(known).map(string) }
        return joinedValue { $0.known == known }
    }

    /// Calls `body` with the value of all fields of that name, joined by ", " where there are
    /// several; no copy is made of a single one.
    ///
    /// - Returns: What `body` returns; nil when there is no such field.
    package func withValue<Result>(
        _ known: KnownField,
        _ body: (Span<UInt8>) -> Result
    ) -> Result? {
        guard let range = first(known) else { return nil }
        guard isRepeated(known) else { return body(bytes.span.extracting(range)) }
        return joinedValue { $0.known == known }.map { body(Array($0.utf8).span) }
    }

    /// The same for any name, compared without regard to case.
    package func value(named name: String) -> String? {
        let name = name.utf8.map(\.lowercased)
        return joinedValue { field in
            field.name.count == name.count
                && bytes[field.name].lazy.map(\.lowercased).elementsEqual(name)
        }
    }

    /// The text of a range; what is not UTF-8 is replaced by U+FFFD.
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
