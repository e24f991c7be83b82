import FeedModel

/// The reason why a pointer could not be followed.
struct JSONPointerFault: Error {
    /// The reason as text, to be put after the pointer.
    let reason: String

    static let nothing = JSONPointerFault(reason: "leads to nothing")
}

extension JSONValue {
    /// Returns the value that a pointer leads to.
    func value(at pointer: JSONPointer) throws(JSONPointerFault) -> JSONValue {
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
        _ change: (inout JSONValue) throws(JSONPointerFault) -> Result
    ) throws(JSONPointerFault) -> Result {
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
    mutating func insert(_ value: JSONValue, at token: ExactString) throws(JSONPointerFault) {
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
            throw JSONPointerFault(reason: "leads into a value that holds no others")
        }
    }

    /// Removes and returns a member or an element.
    mutating func remove(at token: ExactString) throws(JSONPointerFault) -> JSONValue {
        let removed: JSONValue
        if var entries = takeEntries() {
            guard let position = entries.position(of: token) else { throw .nothing }
            removed = entries.remove(at: position).value
            self = .object(entries)
        } else if var elements = takeElements() {
            removed = elements.remove(at: try elements.position(of: token))
            self = .array(elements)
        } else {
            throw .nothing
        }
        return removed
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
    fileprivate func position(of token: ExactString) throws(JSONPointerFault) -> Int {
        guard let position = token.pointerIndex, position < count else { throw .nothing }
        return position
    }
}
