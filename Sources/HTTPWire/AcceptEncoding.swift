/// The value of Accept-Encoding (RFC 9110 §12.5.3).
package struct AcceptEncoding: Sendable, Equatable {
    private struct Element: Sendable, Equatable {
        /// In lower case; "*" for all that are not named.
        var coding: String
        /// In thousandths.
        var weight: Int
    }

    /// nil: there is no such field.
    private let elements: [Element]?

    /// Reads a field's value.
    ///
    /// An element that is malformed counts as absent; of two for the same coding the first counts.
    ///
    /// - Parameter value: nil: there is no such field.
    package init(_ value: String?) {
        elements = value.map { FieldScanner($0).elements().compactMap(Self.element) }
    }

    private static func element(_ scanner: FieldScanner) -> Element? {
        var scanner = scanner
        guard let coding = scanner.lowercasedToken() else { return nil }
        var weight = 1000
        if !scanner.isAtEnd {
            guard scanner.skipBetweenBlanks(.semicolon), scanner.lowercasedToken() == "q",
                scanner.skip(.equals), let read = scanner.weight(), scanner.isAtEnd
            else { return nil }
            weight = read
        }
        return Element(coding: canonical(coding), weight: weight)
    }

    /// RFC 9110 §8.4.1: two codings have a second name.
    private static func canonical(_ coding: String) -> String {
        switch coding {
        case "x-gzip": "gzip"
        case "x-compress": "compress"
        default: coding
        }
    }
}

extension AcceptEncoding {
    /// From 0 to 1000 (thousandths), by the rules for `*` and `identity`.
    ///
    /// Without the field every coding is acceptable (1000). `identity` is acceptable unless it is
    /// excluded; where nothing is said of it, it comes after all codings that are named (1).
    ///
    /// - Parameter coding: In lower case.
    /// - Returns: 0 when the coding is not acceptable.
    package func quality(of coding: String) -> Int {
        guard let elements else { return 1000 }
        let coding = Self.canonical(coding)
        if let named = elements.first(where: { $0.coding == coding }) { return named.weight }
        if let other = elements.first(where: { $0.coding == "*" }) { return other.weight }
        return coding == "identity" ? 1 : 0
    }

    /// The best of `codings` in the order of the server's preference.
    ///
    /// `identity` may be chosen though it is not among `codings`. It is what a request without the
    /// field gets: a client that can decode says so.
    ///
    /// - Parameter codings: In lower case; the first of those with the highest quality is chosen.
    /// - Returns: nil when none, not even identity, is acceptable.
    package func preferred(of codings: [String]) -> String? {
        guard elements != nil else { return "identity" }
        var best: String?
        var bestQuality = 0
        for coding in codings + ["identity"] {
            let quality = quality(of: coding)
            guard quality > bestQuality else { continue }
            best = coding
            bestQuality = quality
        }
        return best
    }
}
