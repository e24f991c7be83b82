package import FeedModel

/// A JSON Pointer, the path to a value in a document (RFC 6901).
package struct JSONPointer: Sendable, Equatable {
    /// The names of members or indices of elements, the outermost first, with their escapes
    /// resolved.
    package let tokens: [ExactString]
    /// The pointer as it was given.
    let text: String

    /// Parses a pointer: empty, or tokens that begin with `/`; `~` is allowed only in `~0` and
    /// `~1`.
    package init?(_ text: String) {
        var tokens: [[UInt8]] = []
        var isAfterTilde = false
        for byte in text.utf8 {
            if isAfterTilde {
                guard byte == UInt8(ascii: "0") || byte == UInt8(ascii: "1") else { return nil }
                let isTilde = byte == UInt8(ascii: "0")
                tokens[tokens.count - 1].append(UInt8(ascii: isTilde ? "~" : "/"))
                isAfterTilde = false
            } else if byte == UInt8(ascii: "/") {
                tokens.append([])
            } else if tokens.isEmpty {
                return nil
            } else if byte == UInt8(ascii: "~") {
                isAfterTilde = true
            } else {
                tokens[tokens.count - 1].append(byte)
            }
        }
        guard !isAfterTilde else { return nil }
        self.tokens = tokens.map { ExactString(String(decoding: $0, as: UTF8.self)) }
        self.text = text
    }

    /// Returns the value that the pointer leads to; `nil`: it leads to nothing.
    package func value(in value: JSONValue) -> JSONValue? { try? value.value(at: self) }

    /// Returns whether `other` leads to a value inside the value that this pointer leads to.
    func contains(_ other: JSONPointer) -> Bool {
        tokens.count < other.tokens.count && other.tokens.starts(with: tokens)
    }
}

extension ExactString {
    /// The array index that the string stands for in a pointer: at most 18 digits without leading
    /// zeros (RFC 6901 §4); nil for any other string.
    var pointerIndex: Int? {
        let digits = string.utf8
        guard digits.count == 1 || digits.first != UInt8(ascii: "0") else { return nil }
        return Int(digits: digits)
    }
}

extension JSONValue {
    /// Returns the value that a pointer leads to.
    func value(at pointer: JSONPointer) throws(PatchFailure) -> JSONValue {
        var value = self
        for token in pointer.tokens {
            switch value {
            case .object(let entries):
                guard let position = entries.position(of: token) else { throw .nothing }
                value = entries[position].value
            case .array(let elements):
                value = elements[try elements.position(of: token)]
            case .string, .number, .bool, .null: throw .nothing
            }
        }
        return value
    }

    /// Changes the value at a pointer's tokens in place.
    ///
    /// Each level is taken out of its parent while it changes, so that storage which only this tree
    /// holds is not copied. If this function or `change` throws, the tree is left incomplete.
    mutating func change<Result>(
        at tokens: ArraySlice<ExactString>,
        _ change: (inout JSONValue) throws(PatchFailure) -> Result
    ) throws(PatchFailure) -> Result {
        guard let token = tokens.first else { return try change(&self) }
        let result: Result
        if var entries = takeEntries() {
            guard let position = entries.position(of: token) else { throw .nothing }
            result = try entries[position].value.change(at: tokens.dropFirst(), change)
            self = .object(entries)
        } else if var elements = takeElements() {
            let position = try elements.position(of: token)
            result = try elements[position].change(at: tokens.dropFirst(), change)
            self = .array(elements)
        } else {
            throw .nothing
        }
        return result
    }

    /// Sets a member of this object, or inserts an element into this array before the one at that
    /// index; `-` is the index after the last one (RFC 6902 §4.1).
    mutating func insert(_ value: JSONValue, at token: ExactString) throws(PatchFailure) {
        if var entries = takeEntries() {
            if let position = entries.position(of: token) {
                entries[position].value = value
            } else {
                entries.append(Entry(name: token, value: value))
            }
            self = .object(entries)
        } else if var elements = takeElements() {
            let position = token == "-" ? elements.count : token.pointerIndex
            guard let position, position <= elements.count else { throw .nothing }
            elements.insert(value, at: position)
            self = .array(elements)
        } else {
            throw .fault("leads into a value that holds no others")
        }
    }

    /// Removes a member or an element.
    mutating func remove(at token: ExactString) throws(PatchFailure) {
        if var entries = takeEntries() {
            guard let position = entries.position(of: token) else { throw .nothing }
            entries.remove(at: position)
            self = .object(entries)
        } else if var elements = takeElements() {
            elements.remove(at: try elements.position(of: token))
            self = .array(elements)
        } else {
            throw .nothing
        }
    }
}

extension JSONValue {
    /// Takes out the members of this object, which becomes `null`.
    ///
    /// The function is never inlined, so that after its return only the result holds the members,
    /// and changing them copies nothing.
    @inline(never)
    private mutating func takeEntries() -> [Entry]? {
        guard case .object(let entries) = self else { return nil }
        self = .null
        return entries
    }

    /// Takes out the elements of this array, which becomes `null`; never inlined, like
    /// ``takeEntries()``.
    @inline(never)
    private mutating func takeElements() -> [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        self = .null
        return elements
    }
}

extension [JSONValue] {
    /// Returns the index of the existing element that a token names.
    fileprivate func position(of token: ExactString) throws(PatchFailure) -> Int {
        guard let position = token.pointerIndex, position < count else { throw .nothing }
        return position
    }
}

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
