import FeedModel

/// Lists of items and sections, and the whole document, as far as they need not be taken apart.
extension SnapshotPatch {
    /// What a pointer leads to that has items in it.
    private enum Whole {
        case document
        case sections
        case section(Int)
        case items(Int)

        /// - Returns: `nil` where a pointer leads to something else, or to nothing.
        init?(_ tokens: [ExactString], in snapshot: Snapshot) {
            guard let first = tokens.first else {
                self = .document
                return
            }
            guard first == "sections" else { return nil }
            guard tokens.count > 1 else {
                self = .sections
                return
            }
            guard let section = tokens[1].pointerIndex, section < snapshot.sections.count,
                tokens.count == 2 || tokens.count == 3 && tokens[2] == "items"
            else { return nil }
            self = tokens.count == 2 ? .section(section) : .items(section)
        }
    }

    /// Whether a pointer leads to a value (RFC 6902 §4.6).
    ///
    /// Lists are compared as far as they are the same, which takes no longer than the value is.
    mutating func isEqual(_ value: JSONValue, at pointer: JSONPointer) throws(PatchStop) -> Bool {
        let whole = Whole(pointer.tokens, in: snapshot)
        switch whole {
        case .document, .sections:
            guard unusualSections.isEmpty else { throw .needsDocument }
        case .section(let position), .items(let position): try checkIsUsual(position)
        case nil: break
        }
        return switch whole {
        case .document: try isDocument(value)
        case .sections: try areSections(value)
        case .section(let position): try isSection(value, snapshot.sections[position])
        case .items(let position): try areItems(value, snapshot.sections[position].items)
        case nil: try self.value(at: pointer) == value
        }
    }

    private mutating func isDocument(_ value: JSONValue) throws(PatchStop) -> Bool {
        guard case .object(let entries) = value, let position = entries.position(of: "sections"),
            try areMembers(entries, snapshot.members, others: 1)
        else { return false }
        return try areSections(entries[position].value)
    }

    private mutating func areSections(_ value: JSONValue) throws(PatchStop) -> Bool {
        guard case .array(let elements) = value, elements.count == snapshot.sections.count
        else { return false }
        for (element, section) in zip(elements, snapshot.sections) {
            guard try isSection(element, section) else { return false }
        }
        return true
    }

    private mutating func isSection(
        _ value: JSONValue,
        _ section: FeedSection
    ) throws(PatchStop) -> Bool {
        guard case .object(let entries) = value, let id = entries.position(of: "id"),
            entries[id].value == .string(section.id), let items = entries.position(of: "items"),
            try areMembers(entries, section.members, others: 2)
        else { return false }
        return try areItems(entries[items].value, section.items)
    }

    /// Whether an object has some members, and so many others.
    private mutating func areMembers(
        _ entries: [JSONValue.Entry],
        _ members: Members,
        others: Int
    ) throws(PatchStop) -> Bool {
        guard entries.count == members.list.count + others else { return false }
        let positions = entries.positionsByName
        for member in members.list {
            guard let position = positions[member.name] else { return false }
            try spend(member.value.bytes.count)
            guard entries[position].value == JSONValue(member.value) else { return false }
        }
        return true
    }

    private mutating func areItems(
        _ value: JSONValue,
        _ items: ItemList
    ) throws(PatchStop) -> Bool {
        guard case .array(let elements) = value, elements.count == items.count
        else { return false }
        for (element, item) in zip(elements, items) {
            try spend(item.json.bytes.count)
            guard element == JSONValue(item.json) else { return false }
        }
        return true
    }

    /// Puts a value in the place of what has items in it (RFC 6902 §4.3).
    ///
    /// - Returns: Whether this was such a place; else nothing was done.
    mutating func replaceWhole(
        _ value: JSONValue,
        at pointer: JSONPointer
    ) throws(PatchStop) -> Bool {
        switch Whole(pointer.tokens, in: snapshot) {
        case .document:
            snapshot = try feed(value)
            unusualSections = []
        case .sections:
            let list = JSONValue.Entry(name: "sections", value: value)
            let sections = try feed(.object([list]))
            snapshot = Snapshot(members: snapshot.members, sections: sections.sections).indexed()
            unusualSections = []
        case .items(let position):
            try checkIsUsual(position)
            let section = snapshot.sections[position]
            let items = JSONValue.Entry(name: "items", value: value)
            let id = JSONValue.Entry(name: "id", value: .string(section.id))
            var made = try self.section(.object([id, items]))
            made.members = section.members
            try replaceSection(at: position, with: made)
        case .section, nil: return false
        }
        return true
    }

    /// What a `PUT` would make of a document; what is to be collated is left to the whole one, and
    /// what has other members than feeds are written with: later operations may name them.
    private mutating func feed(_ value: JSONValue) throws(PatchStop) -> Snapshot {
        guard snapshot.members["collate"] == nil, value.isWrittenAsFeed else {
            throw .needsDocument
        }
        do {
            let document = try FeedDocument(value)
            guard document.collate == nil else { throw PatchStop.needsDocument }
            return document.snapshot.indexed()
        } catch {
            throw .needsDocument
        }
    }
}

extension JSONValue {
    /// Whether it has the members of a feed's document, and of the protocol's own no others.
    fileprivate var isWrittenAsFeed: Bool {
        guard case .object(let entries) = self, let position = entries.position(of: "sections"),
            case .array(let sections) = entries[position].value
        else { return false }
        let others = entries.lazy.map(\.name).filter { $0 != "sections" }
        return others.allSatisfy { !ReservedMembers.feed.contains($0) }
            && sections.allSatisfy(\.isWrittenAsSection)
    }

    /// Whether it has the members of a section in a feed's document, `items` among them.
    var isWrittenAsSection: Bool {
        guard case .object(let entries) = self else { return false }
        return entries.position(of: "items") != nil && entries.position(of: "count") == nil
    }
}
