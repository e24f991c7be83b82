/// The range of a valid string in a document, with its hash.
struct StringToken {
    /// The index of the first byte inside the quotes.
    let start: Int
    /// The index of the closing quote.
    let end: Int
    /// The hash of the characters, independent of their escapes.
    let hash: UInt64
    let isEscaped: Bool

    /// The index of the opening quote, which errors point to.
    var offset: Int { start - 1 }
}

extension StringToken {
    /// Makes the token, without a hash, of the string whose quotes are at the ends of `range`.
    init(quoted range: Range<Int>, in bytes: ArraySlice<UInt8>) {
        start = range.lowerBound + 1
        end = range.upperBound - 1
        hash = 0
        isEscaped = bytes[range].contains(UInt8(ascii: "\\"))
    }

    /// Returns the string with its escapes resolved.
    func string(in bytes: ArraySlice<UInt8>) -> String {
        if isEscaped { return String(decoding: unescaped(in: bytes.span), as: UTF8.self) }
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    /// Returns whether the string equals `text`.
    func equals(_ text: ExactString, in bytes: ArraySlice<UInt8>) -> Bool {
        if isEscaped { return ExactString(string(in: bytes)) == text }
        let source = bytes.span
        return text.string.withUTF8Span { source.extracting(start..<end).isEqual(to: $0) }
    }

    /// Returns whether two strings of a document are equal.
    func equals(_ other: StringToken, in source: Span<UInt8>) -> Bool {
        if isEscaped || other.isEscaped {
            return unescaped(in: source) == other.unescaped(in: source)
        }
        let characters = source.extracting(start..<end)
        return characters.isEqual(to: source.extracting(other.start..<other.end))
    }

    /// Returns the UTF-8 of the string with its escapes resolved (RFC 8259 §7).
    func unescaped(in source: Span<UInt8>) -> [UInt8] {
        [UInt8](capacity: end - start) { bytes in
            var index = start
            while index < end {
                var next = index
                if source[index] == UInt8(ascii: "\\"), let scalar = try? source.escape(at: &next) {
                    for position in 0..<scalar.count { bytes.append(scalar.utf8.byte(position)) }
                    index = next
                } else {
                    bytes.append(source[index])
                    index += 1
                }
            }
        }
    }
}

/// Computes the hash of a string that is read in pieces; the hash equals that of all bytes at once.
struct StringHash {
    /// The number of bytes so far.
    private(set) var count: Int
    private var state: UInt64
    /// The bytes that do not fill a word yet, the first byte lowest; zeros above them.
    private var rest: UInt64 = 0
    private var restCount = 0

    /// Continues from the state after the first `count` bytes, a multiple of eight.
    init(state: UInt64, count: Int) {
        assert(count % 8 == 0)
        self.state = state
        self.count = count
    }

    /// Adds `byteCount` bytes, at most eight, the first byte lowest and zeros above them.
    @inline(__always)
    mutating func add(_ bytes: UInt64, count byteCount: Int) {
        rest |= bytes &<< UInt64(truncatingIfNeeded: restCount &* 8)
        count += byteCount
        restCount += byteCount
        guard restCount >= 8 else { return }
        state = ValueHash.shared.adding(rest, to: state)
        restCount -= 8
        rest = bytes >> UInt64(truncatingIfNeeded: (byteCount &- restCount) &* 8)
    }

    /// Returns the hash of all bytes.
    func end() -> UInt64 {
        ValueHash.shared.ending(state, tail: rest, length: count)
    }
}

/// A set of the strings of a document that were read, with lookups in constant time.
///
/// The set is a table with open addressing by the tokens' keyed hashes; tokens with equal hashes
/// are compared.
struct TokenTable {
    private(set) var tokens: [StringToken] = []
    /// The numbers of tokens from 1, and 0 for a free slot; the number of slots is a power of two.
    private var slots = [Int32](repeating: 0, count: 64)

    /// Adds a token, unless an equal one was added before, which is then returned.
    mutating func insert(_ token: StringToken, in source: Span<UInt8>) -> StringToken? {
        if tokens.count * 2 >= slots.count { grow() }
        var slot = firstSlot(of: token)
        while slots[slot] != 0 {
            let other = tokens[Int(slots[slot]) - 1]
            if other.hash == token.hash, other.equals(token, in: source) { return other }
            slot = (slot + 1) & (slots.count - 1)
        }
        tokens.append(token)
        slots[slot] = Int32(tokens.count)
        return nil
    }

    private func firstSlot(of token: StringToken) -> Int {
        Int(truncatingIfNeeded: token.hash) & (slots.count - 1)
    }

    private mutating func grow() {
        slots = [Int32](repeating: 0, count: slots.count * 4)
        for number in tokens.indices {
            var slot = firstSlot(of: tokens[number])
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Int32(number + 1)
        }
    }
}

/// The names of the members read so far in all open objects, to find a name that occurs twice in
/// its object.
///
/// The names are on a stack, like the objects. Only an object with more than `countWithoutTable`
/// members has a table of its own.
struct MemberNames {
    /// An open object with the members read so far.
    struct Object {
        /// The position of the object's first name on the stack.
        fileprivate let start: Int
        /// A bit for each of 64 classes of hashes: set if a name of that class was read.
        fileprivate var classes: UInt64
        fileprivate var hasTable: Bool

        /// Whether no member was read so far.
        var isEmpty: Bool { classes == 0 }
    }

    /// The names of all open objects without a table.
    private var names: [StringToken] = []
    /// The tables of open objects with too many names for a linear search, the innermost last.
    private var tables: [TokenTable] = []

    private static let countWithoutTable = 16
}

extension MemberNames {
    func open() -> Object { Object(start: names.count, classes: 0, hasTable: false) }

    /// Adds a name to the innermost object, and returns whether it is new in the object.
    @inline(__always)
    mutating func insert(
        _ name: StringToken,
        to object: inout Object,
        in source: Span<UInt8>
    ) -> Bool {
        let classBit: UInt64 = 1 &<< (name.hash >> 58)
        let isOfNewClass = object.classes & classBit == 0
        object.classes |= classBit
        guard isOfNewClass, !object.hasTable, names.count - object.start < Self.countWithoutTable
        else {
            return insertSlowly(name, to: &object, in: source)
        }
        names.append(name)
        return true
    }

    /// Removes the names of the innermost object.
    mutating func close(_ object: Object) {
        names.removeLast(names.count - object.start)
        if object.hasTable { tables.removeLast() }
    }

    private mutating func insertSlowly(
        _ name: StringToken,
        to object: inout Object,
        in source: Span<UInt8>
    ) -> Bool {
        if !object.hasTable {
            for position in object.start..<names.count
            where names[position].hash == name.hash && names[position].equals(name, in: source) {
                return false
            }
            guard names.count - object.start == Self.countWithoutTable else {
                names.append(name)
                return true
            }
            makeTable(of: &object, in: source)
        }
        return tables[tables.count - 1].insert(name, in: source) == nil
    }

    private mutating func makeTable(of object: inout Object, in source: Span<UInt8>) {
        var table = TokenTable()
        for position in object.start..<names.count { _ = table.insert(names[position], in: source) }
        tables.append(table)
        object.hasTable = true
        names.removeLast(names.count - object.start)
    }
}
