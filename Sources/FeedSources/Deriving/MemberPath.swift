import FeedDiff
import FeedModel

/// A path to a value in an item: the name of a member, or a JSON Pointer (RFC 6901).
package struct MemberPath: Sendable, Equatable {
    /// The item's own member.
    let name: ExactString
    /// The path within the value of the member ``name``.
    private let rest: JSONPointer

    /// Reads a member's name, or a pointer, which begins with a slash; `nil`: the text is neither,
    /// as an empty one.
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
    ///
    /// - Parameter values: The values of the item's members; those not among them are missing.
    func value(in values: [ExactString: JSONText]) -> JSONValue? {
        values[name].flatMap { rest.value(in: JSONValue($0)) }
    }
}
