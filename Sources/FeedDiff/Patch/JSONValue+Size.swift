import FeedModel

extension JSONValue {
    /// The number of nested objects and arrays, including the value itself.
    var nesting: Int {
        switch self {
        case .object(let entries): 1 + (entries.lazy.map(\.value.nesting).max() ?? 0)
        case .array(let elements): 1 + (elements.lazy.map(\.nesting).max() ?? 0)
        case .string, .number, .bool, .null: 0
        }
    }

    /// Returns the approximate work of following a pointer, as far as it leads, and of inserting a
    /// value there.
    ///
    /// Each eight bytes of names that are compared count as one step, and so do each eight elements
    /// of the last array, because its elements shift.
    func work(along pointer: JSONPointer) -> Int {
        var value = self
        var work = 1
        for (number, token) in pointer.tokens.enumerated() {
            switch value {
            case .object(let entries):
                work += entries.count * (1 + token.string.utf8.count / 8)
                guard let position = entries.position(of: token) else { return work }
                value = entries[position].value
            case .array(let elements):
                if number == pointer.tokens.count - 1 { work += elements.count / 8 }
                guard let index = token.pointerIndex, index < elements.count else { return work }
                value = elements[index]
            case .string, .number, .bool, .null: return work
            }
        }
        return work
    }

    /// The number of values in the tree, including the value itself.
    var valueCount: Int {
        switch self {
        case .object(let entries): entries.reduce(1) { $0 + $1.value.valueCount }
        case .array(let elements): elements.reduce(1) { $0 + $1.valueCount }
        case .string, .number, .bool, .null: 1
        }
    }

    /// The approximate number of bytes of the value's text.
    var weight: Int {
        switch self {
        case .object(let entries):
            entries.reduce(2) { $0 + $1.name.string.utf8.count + 4 + $1.value.weight }
        case .array(let elements): elements.reduce(2) { $0 + 1 + $1.weight }
        case .string(let text): text.string.utf8.count + 2
        case .number(let spelling): spelling.utf8.count
        case .bool, .null: 5
        }
    }
}
