/// The names of the members read so far in all open objects, to find a name that occurs twice in
/// its object.
///
/// They form a stack, like the objects: only an object with very many members has storage of its
/// own.
struct MemberNames {
    /// An open object with the members read so far.
    struct Object {
        /// Whether another member follows.
        fileprivate(set) var isOpen: Bool
        /// The position of the object's first name on the stack.
        fileprivate let start: Int
        /// A bit for each of 64 classes of hashes: set if a name of that class was read.
        fileprivate var classes: UInt64 = 0
        fileprivate var hasTable = false
    }

    /// The names of all open objects without a table; only the first `count` are valid.
    private var names: [StringToken] = []
    private var count = 0
    /// The tables of open objects with too many names for a linear search, the innermost last.
    private var tables: [TokenTable] = []

    private static let countWithoutTable = 16
}

extension MemberNames {
    func open(hasMembers: Bool) -> Object {
        Object(isOpen: hasMembers, start: count)
    }

    /// Adds a name to the innermost object.
    ///
    /// - Returns: Whether the name is new in the object.
    @inline(__always)
    mutating func insert(
        _ name: StringToken,
        to object: inout Object,
        in source: Span<UInt8>
    ) -> Bool {
        let mark: UInt64 = 1 &<< (name.hash >> 58)
        let isOfNewClass = object.classes & mark == 0
        object.classes |= mark
        if !isOfNewClass || object.hasTable || count - object.start == Self.countWithoutTable {
            return insertSlowly(name, to: &object, in: source)
        }
        push(name)
        return true
    }

    /// Removes the names of the innermost object.
    mutating func close(_ object: inout Object) {
        object.isOpen = false
        count = object.start
        if object.hasTable { tables.removeLast() }
    }

    private mutating func insertSlowly(
        _ name: StringToken,
        to object: inout Object,
        in source: Span<UInt8>
    ) -> Bool {
        if !object.hasTable {
            for position in object.start..<count
            where names[position].hash == name.hash && names[position].equals(name, in: source) {
                return false
            }
            guard count - object.start == Self.countWithoutTable else {
                push(name)
                return true
            }
            makeTable(of: &object, in: source)
        }
        return tables[tables.count - 1].insert(name, in: source) == nil
    }

    private mutating func makeTable(of object: inout Object, in source: Span<UInt8>) {
        var table = TokenTable()
        for position in object.start..<count { _ = table.insert(names[position], in: source) }
        tables.append(table)
        object.hasTable = true
        count = object.start
    }

    @inline(__always)
    private mutating func push(_ name: StringToken) {
        if count < names.count {
            names[count] = name
        } else {
            names.append(name)
        }
        count += 1
    }
}
