package import HTTPTypes

/// A parsed request head: its bytes, and where in them things are.
///
/// A parser fills the same head again without allocating when nobody else holds it.
package struct RequestHead: Sendable {
    /// The head as sent, from the method to the empty line.
    package internal(set) var bytes: [UInt8] = []
    /// The field lines in order.
    package internal(set) var fields: [Field] = []
    /// Any token; methods are case-sensitive (RFC 9110 §9.1).
    package internal(set) var method: HTTPRequest.Method = .get
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
        /// Which of the fields that the server reads it is.
        package var known: KnownField
        /// The name as sent.
        package var name: Range<Int>
        /// Without the white space around it.
        package var value: Range<Int>
    }

    /// Where the body ends (RFC 9112 §6.3).
    package enum Framing: Sendable, Equatable {
        /// There is no body.
        case none
        /// So many bytes, at most 15 digits of them.
        case length(Int)
        /// Where the chunks end.
        case chunked
    }

    /// The version as far as it changes anything.
    package enum Version: Sendable {
        case http10
        case http11
    }
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
        for field in fields where field.known == known { return field.value }
        return nil
    }

    /// Whether a field of that name is there.
    package func has(_ known: KnownField) -> Bool {
        first(known) != nil
    }

    /// The value of all fields of that name, joined by ", " (RFC 9110 §5.3).
    package func value(_ known: KnownField) -> String? {
        joinedValue { $0.known == known }
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
