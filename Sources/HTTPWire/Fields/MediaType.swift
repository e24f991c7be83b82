/// A media type (RFC 9110 §8.3.1), with its type and subtype in lower case.
package struct MediaType: Sendable, Equatable {
    /// The type, such as "text" in "text/plain".
    package var type: String
    /// The subtype, such as "plain" in "text/plain".
    package var subtype: String
    /// The values of the parameters, without quotes, by name in lower case.
    ///
    /// Of several parameters with the same name, the first counts.
    package var parameters: [String: String]

    /// The type and subtype, separated by a slash.
    package var essence: String { type + "/" + subtype }

    /// Parses a Content-Type value; `nil` if it is malformed.
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
