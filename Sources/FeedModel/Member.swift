/// A member of an object: its name, and its value as JSON.
public struct Member: Sendable, Hashable {
    /// The name, its escapes resolved.
    public let name: Text

    /// The value.
    public let value: JSONText

    /// Makes a member.
    public init(name: Text, value: JSONText) {
        self.name = name
        self.value = value
    }
}
