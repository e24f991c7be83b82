import FeedDiff
import FeedModel

/// A path to a value in an item: the name of a member, or a JSON Pointer (RFC 6901).
package struct MemberPath: Sendable, Equatable {
    /// The item's own member.
    let name: ExactString
    /// The path within the value of the member ``name``.
    private let rest: JSONPointer

    /// Reads a member's name, or a pointer, which begins with a slash.
    ///
    /// - Returns: `nil` for a text that is neither, such as an empty one.
    package init?(_ text: String) {
        guard text.unicodeScalars.first == "/" else {
            guard !text.isEmpty, let rest = JSONPointer("") else { return nil }
            (name, self.rest) = (ExactString(text), rest)
            return
        }
        let end = text.unicodeScalars.dropFirst().firstIndex(of: "/") ?? text.endIndex
        guard let first = JSONPointer(String(text.unicodeScalars[..<end])).flatMap(\.tokens.first),
            let rest = JSONPointer(String(text.unicodeScalars[end...]))
        else { return nil }
        (name, self.rest) = (first, rest)
    }

    /// Returns the value that the path leads to; `nil`: there is none.
    func value(in values: ItemValues) -> JSONValue? {
        values[name].flatMap { rest.value(in: $0) }
    }
}

/// The values of some members of an item.
struct ItemValues {
    private let values: [ExactString: JSONText]

    init(_ item: FeedItem, _ names: [ExactString]) {
        values = names.isEmpty ? [:] : item.values(of: names)
    }

    subscript(name: ExactString) -> JSONValue? { values[name].map { JSONValue($0) } }
}
