/// The members that a publisher gave a feed or a section, in their order, without those that
/// belong to the protocol.
public struct Members: Sendable {
    /// Each name stands once.
    public let list: [Member]

    /// About the bytes that they take: counted once, since lists of sections ask for it with every
    /// change of an item.
    package let memoryByteCount: Int

    /// Takes members whose names differ.
    public init(_ list: [Member] = []) {
        self.list = list
        memoryByteCount = list.reduce(0) {
            $0 + 64 + $1.name.string.utf8.count + $1.value.bytes.count
        }
    }

    /// The value of the member `name`.
    public subscript(name: ExactString) -> JSONText? {
        list.first { $0.name == name }?.value
    }
}

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
