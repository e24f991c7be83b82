extension JSONValue: Equatable {
    /// Returns whether the values are equal by the rules of docs/PROTOCOL.md, "Ids and values":
    /// members in any order, numbers by spelling.
    package static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left.utf8.elementsEqual(right.utf8)
        case (.string(let left), .string(let right)): left == right
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): areEqual(left, right)
        default: false
        }
    }

    /// Returns whether two objects are equal; names are unique in an object, so it is enough to
    /// find each of one object in the other.
    private static func areEqual(_ left: [Entry], _ right: [Entry]) -> Bool {
        guard left.count == right.count else { return false }
        if zip(left, right).allSatisfy({ $0.name == $1.name }) {
            return zip(left, right).allSatisfy { $0.value == $1.value }
        }
        let positions = right.positionsByName
        return left.allSatisfy { entry in
            positions[entry.name].map { entry.value == right[$0].value } ?? false
        }
    }
}

extension [JSONValue.Entry] {
    /// The positions of the members by name.
    package var positionsByName: [ExactString: Int] {
        Dictionary(zip(map(\.name), indices)) { first, _ in first }
    }

    /// Returns the position of `name`, by a linear search.
    package func position(of name: ExactString) -> Int? {
        firstIndex { $0.name == name }
    }
}
