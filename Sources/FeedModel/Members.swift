/// The members that a publisher gave a feed or a section, in their order, without those that belong
/// to the protocol.
public struct Members: Sendable {
    /// The members; their names are unique.
    public let list: [Member]

    /// The approximate number of bytes of memory of the members, computed once, because lists of
    /// sections need it at every change of an item.
    package let memoryByteCount: Int

    /// Makes members from a list with unique names.
    public init(_ list: [Member] = []) {
        self.list = list
        memoryByteCount = list.reduce(0) {
            $0 + 64 + $1.name.string.utf8.count + $1.value.bytes.count
        }
    }

    /// The value of the member with a name; `nil` if there is none.
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

extension Members: Equatable {
    /// Returns whether both have the same names with equal values, in any order.
    public static func == (left: Members, right: Members) -> Bool {
        guard left.list.count == right.list.count else { return false }
        if left.list == right.list { return true }
        let values = right.byName
        return left.list.allSatisfy { values[$0.name] == $0.value }
    }

    /// The values by their names.
    package var byName: [ExactString: JSONText] {
        Dictionary(list.map { ($0.name, $0.value) }) { first, _ in first }
    }
}

extension Members {
    /// Returns the members after an edit: replaced members keep their position, new ones come last.
    package func applying(_ edit: Changes.MemberEdit) -> Members {
        var positions = Dictionary(zip(list.map(\.name), list.indices)) { first, _ in first }
        var members = list
        for member in edit.set {
            if let position = positions[member.name] {
                members[position] = member
            } else {
                positions[member.name] = members.count
                members.append(member)
            }
        }
        let unset = Set(edit.unset)
        return Members(members.filter { !unset.contains($0.name) })
    }
}

extension Members {
    /// Returns the edit that turns `old` into these members.
    package func edit(from old: Members) -> Changes.MemberEdit {
        if list == old.list { return Changes.MemberEdit() }
        var gone = old.byName
        let set = list.filter { gone.removeValue(forKey: $0.name) != $0.value }
        let unset = gone.isEmpty ? [] : old.list.map(\.name).filter { gone[$0] != nil }
        return Changes.MemberEdit(set: set, unset: unset)
    }
}
