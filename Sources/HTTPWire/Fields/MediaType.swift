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
        guard let type = scanner.lowercasedToken(), scanner.skip(.slash),
            let subtype = scanner.lowercasedToken()
        else { return nil }
        var parameters: [String: String] = [:]
        while scanner.skipBetweenBlanks(.semicolon) {
            // A parameter may be missing between semicolons (RFC 9110 §5.6.6).
            guard let name = scanner.lowercasedToken() else { continue }
            guard scanner.skip(.equals), let value = scanner.word() else { return nil }
            if parameters[name] == nil { parameters[name] = value }
        }
        scanner.skipBlanks()
        guard scanner.isAtEnd else { return nil }
        (self.type, self.subtype, self.parameters) = (type, subtype, parameters)
    }
}
