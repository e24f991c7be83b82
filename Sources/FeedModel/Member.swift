/// A member of an object: its name, and its value as JSON.
public struct Member: Sendable, Hashable {
    /// The name, its escapes resolved.
    public let name: ExactString

    /// The value.
    public let value: JSONText

    /// Makes a member.
    public init(name: ExactString, value: JSONText) {
        self.name = name
        self.value = value
    }
}
