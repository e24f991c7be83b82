extension FeedItem: Equatable {
    /// Returns whether both have the same id and equal values.
    public static func == (left: FeedItem, right: FeedItem) -> Bool {
        left === right || left.id == right.id && left.json == right.json
    }
}

extension FeedItem {
    /// The members of the item's object in their order, including `id`.
    package var members: Members {
        let bytes = json.bytes[...]
        var list: [Member] = []
        forEachMember { name, value, hash in
            let text = JSONText(checked: Array(bytes[value]), valueHash: hash)
            list.append(Member(name: ExactString(name.string(in: bytes)), value: text))
        }
        return Members(list)
    }

    /// Returns the values of some members.
    package func values(of names: [ExactString]) -> [ExactString: JSONText] {
        let bytes = json.bytes[...]
        let index = NameIndex(names)
        var found: [ExactString: JSONText] = [:]
        forEachMember { name, value, hash in
            guard let place = index.place(of: name, in: bytes) else { return }
            found[names[place]] = JSONText(checked: Array(bytes[value]), valueHash: hash)
        }
        return found
    }

    /// Whether the item has at most ``memberLimit`` members.
    package var isWithinMemberLimit: Bool {
        // The shortest member has five bytes with its comma.
        guard json.bytes.count > 5 * FeedItem.memberLimit else { return true }
        return (try? FeedItem(parsing: json.bytes)) != nil
    }

    /// Returns the item after an edit: replaced members keep their position, new ones come last,
    /// and the other bytes do not change.
    ///
    /// The member `id` is never changed by the edit.
    package func applying(_ edit: Changes.MemberEdit) -> FeedItem {
        let bytes = json.bytes[...]
        let unset = NameIndex(edit.unset.filter { $0 != "id" })
        var last: [ExactString: Int] = [:]
        for (place, member) in edit.set.enumerated() where member.name != "id" {
            last[member.name] = place
        }
        let set = edit.set.indices.filter { last[edit.set[$0].name] == $0 }
        let setNames = NameIndex(set.map { edit.set[$0].name })
        var isFound = Array(repeating: false, count: set.count)
        var writer = ItemWriter(byteCount: bytes.count)
        forEachMember { name, value, hash in
            guard unset.place(of: name, in: bytes) == nil else { return }
            let spelling = bytes[name.start - 1...name.end]
            if let place = setNames.place(of: name, in: bytes) {
                isFound[place] = true
                let new = edit.set[set[place]].value
                writer.add(spelling, name.hash, new.bytes[...], new.valueHash)
            } else {
                writer.add(spelling, name.hash, bytes[value], hash)
            }
        }
        let gone = Set(edit.unset)
        for (place, isFound) in isFound.enumerated() where !isFound {
            let member = edit.set[set[place]]
            guard !gone.contains(member.name) else { continue }
            writer.add(member)
        }
        return FeedItem(id: id, json: writer.finish())
    }

    /// Returns this item with another id; the other bytes do not change.
    package func renamed(_ id: ExactString) -> FeedItem {
        let bytes = json.bytes[...]
        let own = NameIndex(["id"])
        let value = JSONText(string: id.string)
        var writer = ItemWriter(byteCount: bytes.count + value.bytes.count)
        forEachMember { name, place, hash in
            let spelling = bytes[name.start - 1...name.end]
            if own.place(of: name, in: bytes) != nil {
                writer.add(spelling, name.hash, value.bytes[...], value.valueHash)
            } else {
                writer.add(spelling, name.hash, bytes[place], hash)
            }
        }
        return FeedItem(id: id, json: writer.finish())
    }

    /// Calls `body` for each member with its name, the range of its value, and the value's hash.
    func forEachMember(_ body: (StringToken, Range<Int>, UInt64) -> Void) {
        var reader = JSONReader(depthLimit: .max)
        do throws(JSONFault) {
            try reader.forEachMember(in: json.bytes[...], body)
        } catch {
            preconditionFailure("an item that is not JSON: \(error)")
        }
    }
}

extension JSONReader {
    fileprivate mutating func forEachMember(
        in bytes: ArraySlice<UInt8>,
        _ body: (StringToken, Range<Int>, UInt64) -> Void
    ) throws(JSONFault) {
        let source = bytes.span
        var members = try openObject(in: source, depth: 1)
        while members.isOpen {
            let name = try memberName(in: source, of: &members)
            let start = index
            let hash = try value(in: source, depth: 1)
            body(name, start..<index, hash)
            try closeMember(in: source, of: &members)
        }
    }
}

/// An index of a few names that finds an item's members among them.
private struct NameIndex {
    private let names: [ExactString]
    private var places: [UInt64: [Int]] = [:]

    init(_ names: [ExactString]) {
        self.names = names
        for (place, name) in names.enumerated() {
            places[ValueHash.shared.string(name), default: []].append(place)
        }
    }

    func place(of name: StringToken, in bytes: ArraySlice<UInt8>) -> Int? {
        guard !places.isEmpty else { return nil }
        return places[name.hash]?.first { name.equals(names[$0], in: bytes) }
    }
}

/// Writes an item from its members.
private struct ItemWriter {
    private var bytes = [UInt8(ascii: "{")]
    private var sum: UInt64 = 0

    init(byteCount: Int) {
        bytes.reserveCapacity(byteCount)
    }

    mutating func add(
        _ spelling: ArraySlice<UInt8>,
        _ nameHash: UInt64,
        _ value: ArraySlice<UInt8>,
        _ valueHash: UInt64
    ) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        bytes.append(contentsOf: spelling)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(contentsOf: value)
        sum &+= ValueHash.shared.member(name: nameHash, value: valueHash)
    }

    mutating func add(_ member: Member) {
        var spelling: [UInt8] = []
        spelling.append(jsonString: member.name.string)
        let hash = ValueHash.shared.string(member.name)
        add(spelling[...], hash, member.value.bytes[...], member.value.valueHash)
    }

    consuming func finish() -> JSONText {
        bytes.append(UInt8(ascii: "}"))
        return JSONText(checked: bytes, valueHash: ValueHash.shared.object(sum: sum))
    }
}
