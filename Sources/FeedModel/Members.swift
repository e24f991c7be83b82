/// The members that a publisher gave a feed or a section, in their order, without those that belong
/// to the protocol.
public struct Members: Sendable {
    /// The members; their names are unique.
    public let list: [Member]

    /// The approximate number of bytes that they take; it is computed once, because lists of
    /// sections need it at every change of an item.
    package let memoryByteCount: Int

    /// Makes members from a list with unique names.
    public init(_ list: [Member] = []) {
        self.list = list
        memoryByteCount = list.reduce(0) {
            $0 + 64 + $1.name.string.utf8.count + $1.value.bytes.count
        }
    }

    /// Returns the value of the member `name`; nil if there is none.
    public subscript(name: ExactString) -> JSONText? {
        list.first { $0.name == name }?.value
    }
}

/// A member of an object: its name, and its value as JSON.
public struct Member: Sendable, Hashable {
    /// The name with its escapes resolved.
    public let name: ExactString

    /// The value.
    public let value: JSONText

    /// Makes a member.
    public init(name: ExactString, value: JSONText) {
        self.name = name
        self.value = value
    }
}
