/// The preferences in a Prefer field (RFC 7240).
package struct Preferences: Sendable {
    private var values: [String: String] = [:]

    private static let countLimit = 32

    /// Parses a field's value; `nil` stands for no field.
    ///
    /// If a preference is repeated, the first one counts (RFC 7240 §2). A malformed preference and
    /// parameters are ignored.
    package init(_ value: String?) {
        guard let value else { return }
        for element in FieldScanner(value).elements(atMost: Self.countLimit) {
            guard let (name, value) = Self.preference(element), values[name] == nil else {
                continue
            }
            values[name] = value
        }
    }

    /// Returns the value of a preference by its name in lower case: empty if it has no value, `nil`
    /// if the preference is absent.
    package subscript(name: String) -> String? { values[name] }

    /// Parses an element of the list: a preference with its parameters; `nil` if it is malformed.
    private static func preference(_ scanner: FieldScanner) -> (name: String, value: String)? {
        var scanner = scanner
        guard let first = scanner.preference() else { return nil }
        while scanner.skipBetweenBlanks(.semicolon) {
            guard let next = scanner.next, next != .semicolon else { continue }
            guard scanner.preference() != nil else { return nil }
        }
        return scanner.isAtEnd ? first : nil
    }
}

extension FieldScanner {
    /// Takes a name and a value; a missing value is empty, because RFC 7240 §2 treats both alike.
    fileprivate mutating func preference() -> (name: String, value: String)? {
        guard let name = lowercasedToken() else { return nil }
        var rest = self
        guard rest.skipBetweenBlanks(.equals) else { return (name, "") }
        guard let value = rest.word() else { return nil }
        self = rest
        return (name, value)
    }
}
