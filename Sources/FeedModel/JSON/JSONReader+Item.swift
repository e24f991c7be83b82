extension JSONReader {
    /// The names of an item's members that have a meaning in the protocol, with their hashes.
    struct ItemNames {
        private static let id = Array("id".utf8)
        private static let kind = Array("kind".utf8)

        private let id: UInt64
        private let kind: UInt64

        init() {
            id = ValueHash.shared.string("id")
            kind = ValueHash.shared.string("kind")
        }

        func isID(_ name: StringToken, in source: Span<UInt8>) -> Bool {
            name.hash == id && name.equals(Self.id, in: source)
        }

        func isKind(_ name: StringToken, in source: Span<UInt8>) -> Bool {
            name.hash == kind && name.equals(Self.kind, in: source)
        }
    }

    /// Reads and copies an item, and returns the token of its id.
    ///
    /// - Parameters:
    ///   - bytes: The document.
    ///   - names: The names of members with a meaning.
    ///   - known: Finds items of an earlier version; one that is equal is used instead of a copy.
    /// - Returns: The item, and the token of its id.
    /// - Throws: The reason for the refusal, and the position.
    mutating func item(
        in bytes: ArraySlice<UInt8>,
        names: ItemNames,
        known: Snapshot.KnownItem
    ) throws(JSONFault) -> (item: FeedItem, id: StringToken) {
        let start = index
        let (hash, id) = try passItem(in: bytes, names: names)
        guard let id else { throw JSONFault(offset: start, problem: .missing("id")) }
        if let item = known(hash, id, bytes),
            capture.isSame(as: item.json.bytes[...], to: index, of: bytes.span)
        {
            return (item, id)
        }
        let json = JSONText(checked: capture.end(at: index, in: bytes), valueHash: hash)
        return (FeedItem(id: ExactString(id.string(in: bytes)), json: json), id)
    }

    /// Reads an item that may lack an id.
    mutating func itemText(
        in bytes: ArraySlice<UInt8>,
        names: ItemNames
    ) throws(JSONFault) -> (json: JSONText, id: StringToken?) {
        let (hash, id) = try passItem(in: bytes, names: names)
        let kept = capture.end(at: index, in: bytes)
        return (JSONText(checked: kept, valueHash: hash), id)
    }

    /// Reads an item that may lack an id, so that ``capture`` can end with it.
    private mutating func passItem(
        in bytes: ArraySlice<UInt8>,
        names: ItemNames
    ) throws(JSONFault) -> (hash: UInt64, id: StringToken?) {
        let source = bytes.span
        let (start, countBefore) = (index, memberCount)
        capture.begin(at: index)
        var sum: UInt64 = 0
        var id: StringToken?
        var members = try openObject(in: source, depth: 1)
        while members.isOpen {
            let name = try memberName(in: source, of: &members)
            let value: UInt64
            if names.isID(name, in: source) {
                let token = try self.id(in: source)
                value = token.hash
                id = token
            } else {
                if names.isKind(name, in: source) { try expectString(in: source) }
                value = try self.value(in: source, depth: 1)
            }
            sum &+= hashes.member(name: name.hash, value: value)
            try closeMember(in: source, of: &members)
        }
        guard memberCount - countBefore <= FeedItem.memberLimit else {
            throw JSONFault(offset: start, problem: .tooManyMembers(limit: FeedItem.memberLimit))
        }
        return (hashes.object(sum: sum), id)
    }

    /// Reads a string that must be a valid id.
    mutating func id(in source: Span<UInt8>) throws(JSONFault) -> StringToken {
        try expectString(in: source)
        let id = try string(in: source)
        let refusal: StaticString?
        if id.isEscaped {
            let characters = id.unescaped(in: source)[...]
            refusal = characters.span.refusalAsID(from: 0, to: characters.count)
        } else {
            refusal = source.refusalAsID(from: id.start, to: id.end)
        }
        if let refusal { throw JSONFault(offset: id.offset, problem: .refused(refusal)) }
        return id
    }

    /// Throws if the next value is not a string.
    func expectString(in source: Span<UInt8>) throws(JSONFault) {
        guard next(in: source) == UInt8(ascii: "\"") else { throw expected("a string") }
    }
}

extension StringToken {
    /// Returns whether the string's UTF-8 is `other`.
    func equals(_ other: [UInt8], in source: Span<UInt8>) -> Bool {
        if isEscaped { return unescaped(in: source) == other }
        guard end - start == other.count else { return false }
        for index in other.indices where source[start + index] != other[index] { return false }
        return true
    }
}
