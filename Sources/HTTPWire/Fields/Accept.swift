/// The value of Accept (RFC 9110 §12.5.1).
package struct Accept: Sendable {
    private struct Element: Sendable {
        /// Type and subtype may be "*".
        var range: MediaType
        /// In thousandths.
        var weight: Int
    }

    private let elements: [Element]

    /// Reads a field's value.
    ///
    /// An element that is malformed counts as absent; when nothing is left, everything is
    /// acceptable, as it is without the field.
    ///
    /// - Parameter value: nil: there is no such field.
    package init(_ value: String?) {
        elements = value.map { FieldScanner($0).elements().compactMap(Self.element) } ?? []
    }

    private static func element(_ scanner: FieldScanner) -> Element? {
        var scanner = scanner
        guard var range = scanner.mediaType(), scanner.isAtEnd,
            range.type != "*" || range.subtype == "*"
        else { return nil }
        var weight = 1000
        if let text = range.parameters.removeValue(forKey: "q") {
            var text = FieldScanner(text)
            guard let read = text.weight(), text.isAtEnd else { return nil }
            weight = read
        }
        return Element(range: range, weight: weight)
    }
}

extension Accept {
    /// From 0 to 1000: the weight of the most specific range that covers the type.
    package func quality(of type: MediaType) -> Int {
        guard !elements.isEmpty else { return 1000 }
        var quality = 0
        var bestSpecificity = -1
        for element in elements {
            guard let specificity = Self.specificity(of: element.range, for: type) else { continue }
            if specificity > bestSpecificity {
                bestSpecificity = specificity
                quality = element.weight
            } else if specificity == bestSpecificity {
                quality = max(quality, element.weight)
            }
        }
        return quality
    }

    /// How closely `range` describes `type`, nil when it does not cover it.
    private static func specificity(of range: MediaType, for type: MediaType) -> Int? {
        guard range.type != "*" else { return range.parameters.isEmpty ? 0 : nil }
        guard range.type == type.type else { return nil }
        guard range.subtype != "*" else { return range.parameters.isEmpty ? 1 : nil }
        guard range.subtype == type.subtype else { return nil }
        for (name, value) in range.parameters {
            guard let other = type.parameters[name],
                value.utf8.map(\.lowercased) == other.utf8.map(\.lowercased)
            else { return nil }
        }
        return 2 + range.parameters.count
    }
}
