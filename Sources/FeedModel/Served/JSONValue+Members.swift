/// Reads the members of an object, and throws an error for a missing member or for one of another
/// type.
///
/// A parameter `path` is the position of the value in its document, such as `items[3].tags`, for
/// the error.
extension JSONValue {
    /// Returns a member; throws if it is missing.
    package func needed(_ name: ExactString, at path: String = "") throws(DocumentError) -> Self {
        guard let value = self[name] else {
            let path = JSONPath.join(path, name.string)
            throw DocumentError(kind: .malformed, path: path, reason: "is missing")
        }
        return value
    }

    /// Returns a member that is a string.
    package func string(
        _ name: ExactString,
        at path: String = ""
    ) throws(DocumentError) -> ExactString {
        try needed(name, at: path).string(at: JSONPath.join(path, name.string))
    }

    /// Returns a member that is a whole number from 0; throws if it is missing.
    func neededNumber(_ name: ExactString, at path: String = "") throws(DocumentError) -> Int {
        try needed(name, at: path).number(at: JSONPath.join(path, name.string))
    }

    /// Returns a member that is a whole number from 0; `nil` if the member is absent.
    func number(_ name: ExactString, at path: String = "") throws(DocumentError) -> Int? {
        self[name] == nil ? nil : try neededNumber(name, at: path)
    }

    /// Reads each element of a member that is an array; an absent member counts as an empty array.
    ///
    /// - Parameters:
    ///   - path: The position of this value in its document.
    ///   - read: Reads an element; its second argument is the element's position.
    func elements<Element>(
        _ name: ExactString,
        at path: String,
        _ read: (JSONValue, String) throws(DocumentError) -> Element
    ) throws(DocumentError) -> [Element] {
        guard let list = self[name] else { return [] }
        let path = "\(path).\(name)"
        var elements: [Element] = []
        for (index, value) in try list.array(at: path).enumerated() {
            elements.append(try read(value, "\(path)[\(index)]"))
        }
        return elements
    }

    package func string(at path: String) throws(DocumentError) -> ExactString {
        guard case .string(let text) = self else { throw .mismatch("a string", at: path) }
        return text
    }

    private func number(at path: String) throws(DocumentError) -> Int {
        guard case .number(let digits) = self, let number = Int(digits), number >= 0 else {
            throw .mismatch("a whole number from 0", at: path)
        }
        return number
    }

    package func array(at path: String) throws(DocumentError) -> [JSONValue] {
        guard case .array(let elements) = self else { throw .mismatch("an array", at: path) }
        return elements
    }

    package func object(at path: String) throws(DocumentError) -> [Entry] {
        guard case .object(let entries) = self else { throw .mismatch("an object", at: path) }
        return entries
    }
}

extension DocumentError {
    fileprivate static func mismatch(_ expected: String, at path: String) -> DocumentError {
        DocumentError(kind: .malformed, path: path, reason: "must be \(expected)")
    }
}
