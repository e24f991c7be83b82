/// A JSON value as a tree, for JSON Patch, merge patch and edits.
///
/// It is exact: numbers keep their spelling, and members keep their order.
package enum JSONValue: Sendable {
    /// A member of an object.
    package struct Entry: Sendable {
        /// The name, which is unique in its object.
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
    /// A number as it was spelled.
    case number(String)
    case bool(Bool)
    case null
}
