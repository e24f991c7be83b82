/// The members of a served document that belong to the protocol (`kind`, `token`, `count` and so
/// on), as opposed to those of the feed.
struct Envelope {
    private var members: [ExactString: JSONValue] = [:]

    /// The most nested objects and arrays: enough for items and the levels around them.
    static let depthLimit = 80

    static let names: Set<ExactString> = [
        "kind", "feed", "token", "since", "reason", "count", "order", "total", "changes",
    ]

    subscript(name: ExactString) -> JSONValue? {
        get { members[name] }
        set { members[name] = newValue }
    }

    func value(_ name: ExactString) throws(DocumentError) -> JSONValue {
        guard let value = members[name] else {
            throw DocumentError(kind: .malformed, path: name.string, reason: "is missing")
        }
        return value
    }

    func text(_ name: ExactString) throws(DocumentError) -> String {
        try value(name).string(at: name.string).string
    }

    func token(_ name: ExactString) throws(DocumentError) -> Token {
        guard let token = Token(try text(name)) else {
            throw DocumentError(kind: .malformed, path: name.string, reason: "is no token")
        }
        return token
    }

    /// Returns the number that is the member's value; `nil` if the member is absent.
    func number(_ name: ExactString) throws(DocumentError) -> Int? {
        guard let value = members[name] else { return nil }
        return try value.number(at: name.string)
    }

    func neededNumber(_ name: ExactString) throws(DocumentError) -> Int {
        try value(name).number(at: name.string)
    }

    /// Returns the checksum of the items' order, which is written as eight hexadecimal digits.
    func order() throws(DocumentError) -> UInt32 {
        let text = try text("order")
        // `UInt32(_:radix:)` would accept a sign.
        guard let order = UInt32(text, radix: 16), order.hexadecimal == text.lowercased() else {
            throw DocumentError(kind: .malformed, path: "order", reason: "is no check")
        }
        return order
    }
}

/// Parsing of a server's documents; `path` is the position of the value in its document, for
/// errors.
extension JSONValue {
    func string(at path: String) throws(DocumentError) -> ExactString {
        guard case .string(let text) = self else { throw .unlike("a string", at: path) }
        return text
    }

    func number(at path: String) throws(DocumentError) -> Int {
        guard case .number(let digits) = self, let number = Int(digits), number >= 0 else {
            throw .unlike("a whole number from 0", at: path)
        }
        return number
    }

    func list(at path: String) throws(DocumentError) -> [JSONValue] {
        guard case .array(let elements) = self else { throw .unlike("an array", at: path) }
        return elements
    }

    func object(at path: String) throws(DocumentError) -> [Entry] {
        guard case .object(let entries) = self else { throw .unlike("an object", at: path) }
        return entries
    }
}

extension DocumentError {
    fileprivate static func unlike(_ noun: String, at path: String) -> DocumentError {
        DocumentError(kind: .malformed, path: path, reason: "is not \(noun)")
    }
}
