/// A JSON value as a tree, for what must be taken apart: JSON Patch, merge patch, edits.
///
/// Exact: a number keeps its spelling, and members keep their order.
package enum JSONValue: Sendable {
    /// A member of an object.
    package struct Entry: Sendable {
        /// Stands once in its object.
        package var name: ExactString
        package var value: JSONValue

        /// Makes a member.
        package init(name: ExactString, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    case object([Entry])
    case array([JSONValue])
    case string(ExactString)
    /// As spelled.
    case number(String)
    case bool(Bool)
    case null
}
