import FeedModel

/// Applies a JSON Patch to a snapshot item by item: the parts that an operation does not touch are
/// not parsed.
///
/// After every operation the snapshot is a valid feed. Operations that would make an invalid feed
/// in between, such as an item without an id, and some operations on whole lists throw
/// ``PatchFailure/needsDocument``: the caller then applies the patch to the parsed document
/// (``DocumentPatch``).
struct SnapshotPatch {
    /// The part of the feed that a pointer's first tokens lead to.
    enum Target {
        case document
        case sections
        case items(section: Int)
        case feedMember(ExactString)
        case section(Int)
        case sectionID(Int)
        case sectionMember(Int, ExactString)
        case item(ItemPosition)
    }

    /// The snapshot after the operations that were applied so far.
    var snapshot: Snapshot

    /// The ids of inserted sections whose JSON a feed's document would not have: without `items`,
    /// or with `count`.
    ///
    /// Operations on such a section need a ``DocumentPatch``.
    var unusualSections: Set<ExactString> = []

    /// The number of bytes that may still be parsed.
    ///
    /// Beyond it, parsing the whole document once is cheaper.
    private var byteCountLeft: Int

    /// Prepares a patch of a feed.
    ///
    /// - Parameters:
    ///   - snapshot: The feed.
    ///   - byteLimit: The most bytes of the feed that may be parsed.
    init(_ snapshot: Snapshot, byteLimit: Int) {
        self.snapshot = snapshot.indexed()
        byteCountLeft = min(1 << 16 + 2 * snapshot.itemByteCount, byteLimit)
    }

    /// Counts bytes that are parsed or written.
    mutating func spend(_ byteCount: Int) throws(PatchFailure) {
        byteCountLeft -= byteCount
        guard byteCountLeft >= 0 else { throw .needsDocument }
    }
}

extension SnapshotPatch: PatchTarget {
    mutating func value(at pointer: JSONPointer) throws(PatchFailure) -> JSONValue {
        let (target, rest) = try find(pointer, isNew: false)
        var value = try value(of: target, pointer)
        return try value.change(at: rest, pointer) { $0 }
    }

    mutating func put(_ value: JSONValue, at pointer: JSONPointer) throws(PatchFailure) {
        let (target, rest) = try find(pointer, isNew: true)
        guard let last = rest.last else {
            try put(value, at: target)
            return
        }
        _ = try change(target, at: rest.dropLast(), pointer) { parent throws(PatchFailure) in
            try parent.insert(value, at: last)
        }
    }

    mutating func replace(_ value: JSONValue, at pointer: JSONPointer) throws(PatchFailure) {
        let (target, rest) = try find(pointer, isNew: false)
        guard rest.isEmpty else {
            _ = try change(target, at: rest, pointer) { $0 = value }
            return
        }
        switch target {
        case .section(let position): try replaceSection(at: position, with: value)
        case .item(let position): try replaceItem(at: position, with: value)
        case .feedMember, .sectionID, .sectionMember:
            _ = try self.value(of: target, pointer)
            try put(value, at: target)
        case .document, .sections, .items: try put(value, at: target)
        }
    }

    mutating func remove(at pointer: JSONPointer) throws(PatchFailure) -> JSONValue {
        let (target, rest) = try find(pointer, isNew: false)
        if let last = rest.last {
            return try change(target, at: rest.dropLast(), pointer) { parent throws(PatchFailure) in
                try parent.remove(at: last)
            }
        }
        let value = try value(of: target, pointer)
        try discard(target, pointer)
        return value
    }

    mutating func discard(at pointer: JSONPointer) throws(PatchFailure) {
        let (target, rest) = try find(pointer, isNew: false)
        guard rest.isEmpty else {
            _ = try remove(at: pointer)
            return
        }
        try discard(target, pointer)
    }

    /// Moves a whole item or section (RFC 6902 §4.4).
    ///
    /// - Returns: Whether the pointers name such a move; if not, nothing is changed.
    mutating func moveWhole(
        from: JSONPointer,
        to pointer: JSONPointer
    ) throws(PatchFailure) -> Bool {
        let source = try find(from, isNew: false)
        guard source.rest.isEmpty else { return false }
        switch source.target {
        case .item(let position):
            guard pointer.tokens.count == 4 else { return false }
            let item = snapshot.removeItem(at: position)
            // The target index counts the elements without the moved one.
            guard case .item(let target) = try find(pointer, isNew: true).target else {
                throw .needsDocument
            }
            snapshot.insert([item], at: target)
        case .section(let position):
            guard pointer.tokens.count == 2, pointer.tokens[0] == "sections" else { return false }
            let count = snapshot.sections.count - 1
            let target = try index(pointer.tokens[1], count: count, pointer, isNew: true)
            snapshot.moveSection(at: position, to: target)
        case .document, .sections, .items, .feedMember, .sectionID, .sectionMember: return false
        }
        return true
    }
}

/// Applies operations to values.
extension SnapshotPatch {
    mutating func value(
        of target: Target,
        _ pointer: JSONPointer
    ) throws(PatchFailure) -> JSONValue {
        let text: JSONText?
        switch target {
        case .feedMember(let name): text = try lookUp(name, in: snapshot.members)
        case .document, .sections, .items, .section: throw .needsDocument
        case .sectionID(let position):
            text = JSONText(string: snapshot.sections[position].id.string)
        case .sectionMember(let position, let name):
            text = try lookUp(name, in: snapshot.sections[position].members)
        case .item(let position): text = snapshot.sections[position].json
        }
        guard let text else { throw PatchFailure.nothing.named(pointer) }
        try spend(text.bytes.count)
        return JSONValue(text)
    }

    /// Looks up a member by a linear search.
    private mutating func lookUp(
        _ name: ExactString,
        in members: Members
    ) throws(PatchFailure) -> JSONText? {
        try spend(8 * members.list.count)
        return members[name]
    }

    /// Changes a value inside a member or an item.
    mutating func change<Result>(
        _ target: Target,
        at rest: ArraySlice<ExactString>,
        _ pointer: JSONPointer,
        _ change: (inout JSONValue) throws(PatchFailure) -> Result
    ) throws(PatchFailure) -> Result {
        var value = try value(of: target, pointer)
        let result = try value.change(at: rest, pointer, change)
        if case .item(let position) = target {
            try replaceItem(at: position, with: value)
        } else {
            try put(value, at: target)
        }
        return result
    }

    /// Adds a value, or replaces the value of a member.
    mutating func put(_ value: JSONValue, at target: Target) throws(PatchFailure) {
        switch target {
        case .document:
            snapshot = try feed(value)
            unusualSections = []
        case .sections:
            let list = JSONValue.Entry(name: "sections", value: value)
            let sections = try feed(.object([list]))
            snapshot = Snapshot(members: snapshot.members, sections: sections.sections).indexed()
            unusualSections = []
        case .items(let position):
            let section = snapshot.sections[position]
            let items = JSONValue.Entry(name: "items", value: value)
            let id = JSONValue.Entry(name: "id", value: .string(section.id))
            var made = try self.section(.object([id, items]))
            made.members = section.members
            try replaceSection(at: position, with: made)
        case .feedMember(let name):
            let edit = Changes.MemberEdit(set: [try member(name, value, by: .feed)])
            snapshot.members = try applying(edit, to: snapshot.members)
        case .sectionID(let position): try rename(position, value)
        case .sectionMember(let position, let name):
            let member = try member(name, value, by: .section)
            let members = snapshot.sections[position].members
            let changed = try applying(.init(set: [member]), to: members)
            snapshot.setMembers(changed, ofSection: position)
        case .item(let position):
            let item = try item(value)
            guard snapshot.position(ofItem: item.id) == nil else { throw .needsDocument }
            snapshot.insert([item], at: position)
        case .section(let position):
            try insert(try section(value), at: position)
            noteUnusualSection(of: value, at: position)
        }
    }

    private mutating func insert(_ section: FeedSection, at position: Int) throws(PatchFailure) {
        guard snapshot.position(ofSection: section.id) == nil,
            section.items.allSatisfy({ snapshot.position(ofItem: $0.id) == nil })
        else { throw .needsDocument }
        snapshot.insert(section, at: position)
    }

    mutating func replaceSection(at position: Int, with value: JSONValue) throws(PatchFailure) {
        try replaceSection(at: position, with: section(value))
        noteUnusualSection(of: value, at: position)
    }

    /// Records an inserted section, if its JSON is none that a feed's document would have.
    private mutating func noteUnusualSection(of value: JSONValue, at position: Int) {
        guard !value.isWrittenAsSection else { return }
        unusualSections.insert(snapshot.sections[position].id)
    }

    private mutating func takeOutSection(at position: Int) {
        if !unusualSections.isEmpty { unusualSections.remove(snapshot.sections[position].id) }
        snapshot.removeSection(at: position)
    }

    mutating func replaceSection(at position: Int, with section: FeedSection) throws(PatchFailure) {
        try spend(SnapshotPatch.indexByteCount * snapshot.sections[position].items.count)
        takeOutSection(at: position)
        try insert(section, at: position)
    }

    mutating func discard(_ target: Target, _ pointer: JSONPointer) throws(PatchFailure) {
        let nothing = PatchFailure.nothing.named(pointer)
        switch target {
        case .feedMember(let name):
            guard snapshot.members[name] != nil else { throw nothing }
            snapshot.members = try applying(.init(unset: [name]), to: snapshot.members)
        case .document, .sections, .items, .sectionID: throw .needsDocument
        case .sectionMember(let position, let name):
            let members = snapshot.sections[position].members
            guard members[name] != nil else { throw nothing }
            let changed = try applying(.init(unset: [name]), to: members)
            snapshot.setMembers(changed, ofSection: position)
        case .item(let position): snapshot.removeItem(at: position)
        case .section(let position): takeOutSection(at: position)
        }
    }

    /// Changes a section's id, which is also part of the index entries of its items.
    private mutating func rename(_ section: Int, _ value: JSONValue) throws(PatchFailure) {
        guard case .string(let id) = value, id.refusalAsID == nil else { throw .needsDocument }
        let found = snapshot.position(ofSection: id)
        guard found == nil else {
            if found == section { return }
            throw .needsDocument
        }
        try spend(SnapshotPatch.indexByteCount * snapshot.sections[section].items.count)
        snapshot.renameSection(at: section, to: id)
    }

    /// The number of bytes that can be read in about the time of indexing one item.
    private static let indexByteCount = 32

    /// Returns the members after an edit, which copies all of them.
    private mutating func applying(
        _ edit: Changes.MemberEdit,
        to members: Members
    ) throws(PatchFailure) -> Members {
        try spend(64 * members.list.count)
        let changed = members.applying(edit)
        guard changed.list.count <= FeedItem.memberLimit else { throw .needsDocument }
        return changed
    }

    mutating func replaceItem(
        at position: ItemPosition,
        with value: JSONValue
    ) throws(PatchFailure) {
        let item = try item(value)
        let found = snapshot.position(ofItem: item.id)
        guard found == nil || found == position else { throw .needsDocument }
        snapshot.replaceItem(at: position, with: item)
    }
}

/// Parses values as a `PUT` does. A value that a `PUT` refuses may become valid by a later
/// operation, so the whole patch then needs a ``DocumentPatch``.
extension SnapshotPatch {
    private mutating func item(_ value: JSONValue) throws(PatchFailure) -> FeedItem {
        let bytes = value.bytes
        try spend(bytes.count)
        do {
            return try FeedItem(parsing: bytes)
        } catch {
            throw .needsDocument
        }
    }

    private mutating func member(
        _ name: ExactString,
        _ value: JSONValue,
        by rules: MemberRules
    ) throws(PatchFailure) -> Member {
        let bytes = value.bytes
        try spend(bytes.count)
        do {
            let text = try JSONText(parsing: bytes)
            guard !rules.isText(name) || text.stringValue != nil,
                !rules.isNumber(name) || text.isWholeNumber
            else { throw PatchFailure.needsDocument }
            return Member(name: name, value: text)
        } catch {
            throw .needsDocument
        }
    }

    mutating func section(_ value: JSONValue) throws(PatchFailure) -> FeedSection {
        let list = JSONValue.Entry(name: "sections", value: .array([value]))
        do {
            let document = try Snapshot(publishing: .object([list]))
            try spend(document.itemByteCount)
            return document.sections[0]
        } catch {
            throw .needsDocument
        }
    }
}

extension JSONValue {
    /// Changes the value that the last tokens of a pointer lead to; a fault names the whole
    /// pointer.
    mutating func change<Result>(
        at tokens: ArraySlice<ExactString>,
        _ pointer: JSONPointer,
        _ change: (inout JSONValue) throws(PatchFailure) -> Result
    ) throws(PatchFailure) -> Result {
        do throws(PatchFailure) {
            return try self.change(at: tokens, change)
        } catch {
            throw error.named(pointer)
        }
    }
}

/// Applies operations to lists of items and sections, and to the document, that parse no more than
/// needed.
extension SnapshotPatch {
    /// Returns whether a pointer leads to a value that equals the given one (RFC 6902 §4.6).
    ///
    /// Lists are compared up to the first difference, so the time is bounded by the size of the
    /// given value.
    mutating func isEqual(
        _ value: JSONValue,
        at pointer: JSONPointer
    ) throws(PatchFailure) -> Bool {
        let (target, rest) = try find(pointer, isNew: false)
        switch target {
        case .document:
            guard unusualSections.isEmpty else { throw .needsDocument }
            return try isDocument(value)
        case .sections:
            guard unusualSections.isEmpty else { throw .needsDocument }
            return try areSections(value)
        case .section(let position):
            try checkIsUsual(position)
            return try isSection(value, snapshot.sections[position])
        case .items(let position): return try areItems(value, snapshot.sections[position].items)
        case .feedMember, .sectionID, .sectionMember, .item:
            var present = try self.value(of: target, pointer)
            return try present.change(at: rest, pointer) { $0 } == value
        }
    }

    private mutating func isDocument(_ value: JSONValue) throws(PatchFailure) -> Bool {
        guard case .object(let entries) = value, let position = entries.position(of: "sections"),
            try areMembers(entries, snapshot.members, others: 1)
        else { return false }
        return try areSections(entries[position].value)
    }

    private mutating func areSections(_ value: JSONValue) throws(PatchFailure) -> Bool {
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
    ) throws(PatchFailure) -> Bool {
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
    ) throws(PatchFailure) -> Bool {
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
    ) throws(PatchFailure) -> Bool {
        guard case .array(let elements) = value, elements.count == items.count
        else { return false }
        for (element, item) in zip(elements, items) {
            try spend(item.json.bytes.count)
            guard element == JSONValue(item.json) else { return false }
        }
        return true
    }

    /// Returns the snapshot that a `PUT` would make of a document.
    ///
    /// Documents that are to be collated need a ``DocumentPatch``, and so do documents with members
    /// that belong to the protocol, because later operations may name these.
    private mutating func feed(_ value: JSONValue) throws(PatchFailure) -> Snapshot {
        guard snapshot.members["collate"] == nil, value.isWrittenAsFeed else {
            throw .needsDocument
        }
        do {
            let document = try Snapshot(publishing: value)
            guard document.collate == nil else { throw PatchFailure.needsDocument }
            return document.indexed()
        } catch {
            throw .needsDocument
        }
    }
}

extension JSONValue {
    /// Whether the value has the members of a feed's document, and no other members that belong to
    /// the protocol.
    fileprivate var isWrittenAsFeed: Bool {
        guard let entries, let sections = self["sections"]?.elements else { return false }
        let others = entries.lazy.map(\.name).filter { $0 != "sections" }
        return others.allSatisfy { !MemberRules.feed.reserved.contains($0) }
            && sections.allSatisfy(\.isWrittenAsSection)
    }

    /// Whether the value has the members of a section in a feed's document, including `items`.
    var isWrittenAsSection: Bool {
        guard case .object(let entries) = self else { return false }
        return entries.position(of: "items") != nil && entries.position(of: "count") == nil
    }
}

/// Resolves pointers.
extension SnapshotPatch {
    /// Returns the target that a pointer leads to or through, and the tokens that lead on inside
    /// it.
    ///
    /// - Parameters:
    ///   - pointer: The pointer of an operation.
    ///   - isNew: Whether a value is to be put there.
    /// - Returns: The target, and the remaining tokens.
    /// - Throws: A fault if the pointer leads to no value.
    func find(
        _ pointer: JSONPointer,
        isNew: Bool
    ) throws(PatchFailure) -> (target: Target, rest: ArraySlice<ExactString>) {
        let tokens = pointer.tokens
        guard let first = tokens.first else { return (.document, []) }
        guard first == "sections" else {
            try checkIsOwnMember(first, pointer, isNew: isNew)
            return (.feedMember(first), tokens.dropFirst())
        }
        guard tokens.count > 1 else { return (.sections, []) }
        let count = snapshot.sections.count
        let section = try index(tokens[1], count: count, pointer, isNew: isNew && tokens.count == 2)
        guard tokens.count > 2 else { return (.section(section), []) }
        try checkIsUsual(section)
        if tokens[2] == "id" { return (.sectionID(section), tokens.dropFirst(3)) }
        guard tokens[2] == "items" else {
            guard !MemberRules.section.reserved.contains(tokens[2]) else {
                if isNew, tokens.count == 3 { throw .needsDocument }
                throw PatchFailure.nothing.named(pointer)
            }
            return (.sectionMember(section, tokens[2]), tokens.dropFirst(3))
        }
        guard tokens.count > 3 else { return (.items(section: section), []) }
        let row = try index(
            tokens[3],
            count: snapshot.sections[section].items.count,
            pointer,
            isNew: isNew && tokens.count == 4
        )
        return (.item(ItemPosition(section: section, index: row)), tokens.dropFirst(4))
    }

    /// Throws ``PatchFailure/needsDocument`` for a member of a feed that belongs to the protocol.
    private func checkIsOwnMember(
        _ name: ExactString,
        _ pointer: JSONPointer,
        isNew: Bool
    ) throws(PatchFailure) {
        guard MemberRules.feed.reserved.contains(name) || name == "collate" else { return }
        // The document has no members that belong to the protocol, unless an operation adds one.
        if snapshot.members[name] == nil, !isNew || pointer.tokens.count > 1 {
            throw PatchFailure.nothing.named(pointer)
        }
        throw .needsDocument
    }

    /// Throws ``PatchFailure/needsDocument`` for a section in ``unusualSections``.
    func checkIsUsual(_ section: Int) throws(PatchFailure) {
        guard !unusualSections.isEmpty else { return }
        guard !unusualSections.contains(snapshot.sections[section].id) else {
            throw .needsDocument
        }
    }

    /// Returns the index that a token names; with `isNew`, the index after the last element is
    /// allowed too.
    func index(
        _ token: ExactString,
        count: Int,
        _ pointer: JSONPointer,
        isNew: Bool
    ) throws(PatchFailure) -> Int {
        if isNew, token == "-" { return count }
        guard let index = token.pointerIndex, index < count + (isNew ? 1 : 0) else {
            throw PatchFailure.nothing.named(pointer)
        }
        return index
    }
}
