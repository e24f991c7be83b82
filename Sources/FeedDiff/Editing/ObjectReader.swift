import FeedModel

/// Takes the members of an object in a request one by one, and refuses those that were not taken.
struct ObjectReader {
    /// The position of the object; empty for the document itself.
    let path: String

    /// The members that were not taken yet.
    private(set) var entries: [JSONValue.Entry]

    init(_ value: JSONValue, path: String) throws(DocumentError) {
        guard case .object(let entries) = value else {
            throw DocumentError(kind: .malformed, path: path, reason: "must be an object")
        }
        self.path = path
        self.entries = entries
    }

    /// Returns the position of a member.
    func path(of name: ExactString) -> String {
        JSONPath.join(path, member: name.string)
    }

    /// Returns an error about a member, or about the object itself.
    func refusal(of name: ExactString?, _ reason: String) -> DocumentError {
        DocumentError(kind: .malformed, path: name.map(path(of:)) ?? path, reason: reason)
    }

    /// Takes a member, if it is present.
    mutating func take(_ name: ExactString) -> JSONValue? {
        entries.firstIndex { $0.name == name }.map { entries.remove(at: $0).value }
    }

    /// Takes a member; throws if it is missing.
    mutating func required(_ name: ExactString) throws(DocumentError) -> JSONValue {
        guard let value = take(name) else { throw refusal(of: name, "is missing") }
        return value
    }

    /// Takes a string, if it is present.
    mutating func text(_ name: ExactString) throws(DocumentError) -> ExactString? {
        guard let value = take(name) else { return nil }
        guard case .string(let text) = value else { throw refusal(of: name, "must be a string") }
        return text
    }

    /// Takes a string; throws if it is missing.
    mutating func requiredText(_ name: ExactString) throws(DocumentError) -> ExactString {
        guard let text = try text(name) else { throw refusal(of: name, "is missing") }
        return text
    }

    /// Throws if a member was not taken.
    func finish() throws(DocumentError) {
        guard let rest = entries.first else { return }
        throw refusal(of: rest.name, "is no member that this can have")
    }
}
