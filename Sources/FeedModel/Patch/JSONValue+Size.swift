extension JSONValue {
    /// How many objects and arrays are around each other in this, itself counted.
    var nesting: Int {
        switch self {
        case .object(let entries): 1 + (entries.lazy.map(\.value.nesting).max() ?? 0)
        case .array(let elements): 1 + (elements.lazy.map(\.nesting).max() ?? 0)
        case .string, .number, .bool, .null: 0
        }
    }

    /// How many members and elements have those around what a pointer leads to, as far as it
    /// does; of arrays only the last one counts.
    func width(along pointer: JSONPointer) -> Int {
        var value = self
        var width = 1
        for (number, token) in pointer.tokens.enumerated() {
            switch value {
            case .object(let entries):
                width += entries.count
                guard let place = entries.place(of: token) else { return width }
                value = entries[place].value
            case .array(let elements):
                if number == pointer.tokens.count - 1 { width += elements.count }
                guard let index = token.pointerIndex, index < elements.count else { return width }
                value = elements[index]
            case .string, .number, .bool, .null: return width
            }
        }
        return width
    }

    /// About how many bytes its text has.
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
