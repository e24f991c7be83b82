import FeedFormats
import FeedModel

/// A member of an item, or what a JSON Pointer (RFC 6901) leads to in it.
package struct MemberPath: Sendable, Equatable {
    /// The item's own member.
    let name: ExactString
    /// The way from there on.
    private let rest: JSONWay

    /// Reads a member's name, or a pointer, which begins with a slash.
    ///
    /// - Returns: `nil` for what is neither, such as an empty text.
    package init?(_ text: String) {
        guard text.unicodeScalars.first == "/" else {
            guard !text.isEmpty, let rest = JSONWay("") else { return nil }
            (name, self.rest) = (ExactString(text), rest)
            return
        }
        let end = text.unicodeScalars.dropFirst().firstIndex(of: "/") ?? text.endIndex
        guard let first = JSONWay(String(text.unicodeScalars[..<end])).flatMap(\.first),
            let rest = JSONWay(String(text.unicodeScalars[end...]))
        else { return nil }
        (name, self.rest) = (first, rest)
    }

    /// The value that it leads to; `nil`: there is none.
    func value(in values: ItemValues) -> JSONValue? {
        values[name].flatMap { rest.value(in: $0) }
    }
}

/// Some members of an item, taken apart.
struct ItemValues {
    private let values: [ExactString: JSONText]

    init(_ item: FeedItem, _ names: [ExactString]) {
        values = names.isEmpty ? [:] : item.values(of: names)
    }

    subscript(name: ExactString) -> JSONValue? { values[name].map { JSONValue($0) } }
}
