/// A media type (RFC 9110 §8.3.1).
package struct MediaType: Sendable, Equatable {
    /// The type and subtype, separated by a slash, in lower case.
    package let essence: String
    /// The values of the parameters, without quotes, by name in lower case.
    ///
    /// Of several parameters with the same name, the first counts.
    package let parameters: [String: String]

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
        essence = type + "/" + subtype
        self.parameters = parameters
    }
}
