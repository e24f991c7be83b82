package import FeedModel

/// How to read JSON of no known form: where its elements are, and where in each what a feed needs
/// is.
package struct JSONMapping: Sendable, Equatable {
    /// The way to the list; empty: the document itself.
    package var items: JSONWay
    /// The ways in an element, by the member that each makes: `id`, `title`, `url` …
    package var members: [String: JSONWay]
    /// The way to the feed's title, if the document has one.
    package var title: JSONWay?

    package init(items: JSONWay, members: [String: JSONWay], title: JSONWay? = nil) {
        self.items = items
        self.members = members
        self.title = title
    }
}

/// A way to a value (RFC 6901).
package struct JSONWay: Sendable, Equatable {
    private let tokens: [ExactString]

    /// Reads a JSON Pointer; `nil` when it is none.
    package init?(_ text: String) {
        // By scalars: with a mark behind it, a slash is part of another character.
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

    /// The first of the names on it.
    package var first: ExactString? { tokens.first }

    /// The value that it leads to.
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
