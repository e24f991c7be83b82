package import FeedModel

/// The paths by which JSON of no known form is read: to the list of elements, and in each element
/// to the values of an item.
package struct JSONMapping: Sendable, Equatable {
    /// The path to the list; empty: the document itself.
    package var items: JSONWay
    /// The paths in an element, by the member that each makes: `id`, `title`, `url` and others.
    package var members: [String: JSONWay]
    /// The path to the feed's title, if the document has one.
    package var title: JSONWay?

    package init(items: JSONWay, members: [String: JSONWay], title: JSONWay? = nil) {
        self.items = items
        self.members = members
        self.title = title
    }
}

/// A path to a value: a JSON Pointer (RFC 6901).
package struct JSONWay: Sendable, Equatable {
    private let tokens: [ExactString]

    /// Reads a JSON Pointer; `nil`: the text is not one.
    package init?(_ text: String) {
        // The text is read by scalars: with a combining mark behind it, a slash is part of another
        // character.
        let scalars = text.unicodeScalars
        guard scalars.isEmpty || scalars.first == "/" else { return nil }
        var tokens: [ExactString] = []
        for part in scalars.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            var token = String.UnicodeScalarView()
            var rest = part
            while let tilde = rest.firstIndex(of: "~") {
                token += rest[..<tilde]
                rest = rest[tilde...].dropFirst()
                switch rest.popFirst() {
                case "0": token.append("~")
                case "1": token.append("/")
                default: return nil
                }
            }
            tokens.append(ExactString(String(token + rest)))
        }
        self.tokens = tokens
    }

    /// The first name on the path.
    package var first: ExactString? { tokens.first }

    /// Returns the value that the path leads to; `nil`: there is none.
    package func value(in value: JSONValue) -> JSONValue? {
        var value = value
        for token in tokens {
            switch value {
            case .object(let entries):
                guard let entry = entries.first(where: { $0.name == token }) else { return nil }
                value = entry.value
            case .array(let elements):
                guard let index = Int(token.string), elements.indices.contains(index) else {
                    return nil
                }
                value = elements[index]
            default: return nil
            }
        }
        return value
    }
}
