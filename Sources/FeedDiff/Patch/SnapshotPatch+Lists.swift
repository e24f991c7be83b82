import FeedModel

/// Operations on lists of items and sections, and on the whole document, without parsing more than
/// needed.
extension SnapshotPatch {
    /// A part of the document that contains items.
    private enum Whole {
        case document
        case sections
        case section(Int)
        case items(Int)

        /// - Returns: `nil` if the pointer leads to another part, or to none.
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

    /// Returns whether a pointer leads to a value that equals the given one (RFC 6902 §4.6).
    ///
    /// Lists are compared up to the first difference, so the time is bounded by the size of the
    /// given value.
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

    /// Returns whether an object has exactly the given members and `others` more.
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

    /// Replaces a part that contains items with a value (RFC 6902 §4.3).
    ///
    /// - Returns: Whether the pointer leads to such a part; if not, nothing is changed.
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

    /// Returns the snapshot that a `PUT` would make of a document.
    ///
    /// Two kinds of document are left to ``DocumentPatch``: those that are to be collated, and
    /// those with members that a feed is not written with, because later operations may name them.
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
    /// Whether the value has the members of a feed's document, and no others of the protocol's own.
    fileprivate var isWrittenAsFeed: Bool {
        guard case .object(let entries) = self, let position = entries.position(of: "sections"),
            case .array(let sections) = entries[position].value
        else { return false }
        let others = entries.lazy.map(\.name).filter { $0 != "sections" }
        return others.allSatisfy { !ReservedMembers.feed.contains($0) }
            && sections.allSatisfy(\.isWrittenAsSection)
    }

    /// Whether the value has the members of a section in a feed's document, including `items`.
    var isWrittenAsSection: Bool {
        guard case .object(let entries) = self else { return false }
        return entries.position(of: "items") != nil && entries.position(of: "count") == nil
    }
}
