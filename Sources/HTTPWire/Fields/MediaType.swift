/// A media type (RFC 9110 §8.3.1), its type and subtype in lower case.
package struct MediaType: Sendable, Equatable {
    /// "text" of "text/plain".
    package var type: String
    /// "plain" of "text/plain".
    package var subtype: String
    /// By their names in lower case, the first of each; values without quotes.
    package var parameters: [String: String]

    /// Type and subtype.
    package var essence: String { type + "/" + subtype }

    /// Reads a Content-Type's value; nil when it is malformed.
    package init?(_ value: String) {
        var scanner = FieldScanner(value)
        scanner.skipBlanks()
        guard let read = scanner.mediaType() else { return nil }
        scanner.skipBlanks()
        guard scanner.isAtEnd else { return nil }
        self = read
    }

    fileprivate init(type: String, subtype: String, parameters: [String: String]) {
        self.type = type
        self.subtype = subtype
        self.parameters = parameters
    }
}

extension FieldScanner {
    /// A media type or range up to the first byte that belongs to neither; nil when malformed.
    mutating func mediaType() -> MediaType? {
        guard let type = lowercasedToken(), skip(.slash), let subtype = lowercasedToken() else {
            return nil
        }
        var parameters: [String: String] = [:]
        while skipBetweenBlanks(.semicolon) {
            // A parameter may be missing between semicolons (RFC 9110 §5.6.6).
            guard let name = lowercasedToken() else { continue }
            guard skip(.equals), let value = word() else { return nil }
            if parameters[name] == nil { parameters[name] = value }
        }
        return MediaType(type: type, subtype: subtype, parameters: parameters)
    }
}
