import FeedModel

/// Why a pointer did not lead to where it was to lead.
struct JSONPointerFault: Error {
    /// In words, to be put after the pointer.
    let reason: String

    static let nothing = JSONPointerFault(reason: "leads to nothing")
}

extension JSONValue {
    /// The value that a pointer leads to.
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

    /// Changes in place what a pointer's tokens lead to.
    ///
    /// Each level is taken out of its parent while it changes, so that nothing is copied that
    /// only this tree holds. When this or another change throws, the tree is left incomplete.
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

    /// Gives this object a member, or this array an element before the one at that index; `-`
    /// is past the last one (RFC 6902 §4.1).
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

    /// Takes a member or an element out.
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
    /// The members of this object, which becomes `null`.
    ///
    /// Never inlined: at its return nothing but the result holds them, so that changing them
    /// copies nothing.
    @inline(never)
    private mutating func takeEntries() -> [Entry]? {
        guard case .object(let entries) = self else { return nil }
        self = .null
        return entries
    }

    /// The elements of this array, which becomes `null`; never inlined, as ``takeEntries()``.
    @inline(never)
    private mutating func takeElements() -> [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        self = .null
        return elements
    }
}

extension [JSONValue] {
    /// The index that a token names, of an element that is there.
    fileprivate func position(of token: ExactString) throws(JSONPointerFault) -> Int {
        guard let position = token.pointerIndex, position < count else { throw .nothing }
        return position
    }
}
