import FeedModel

/// Applies a JSON Patch to a snapshot item by item: the parts that an operation does not touch are
/// not parsed.
///
/// After every operation the snapshot is a valid feed. Operations that would make an invalid feed
/// in between, such as an item without an id, those that read or replace a whole section or list,
/// or change a section's id, and the addition of a section without `items` throw
/// ``PatchFailure/needsDocument``: the caller then applies the patch to the parsed document
/// (``DocumentPatch``).
struct SnapshotPatch {
    /// The part of the feed that a pointer's first tokens lead to.
    enum Target {
        case feedMember(ExactString)
        case section(Int)
        case sectionMember(Int, ExactString)
        case item(ItemPosition)
    }

    /// The snapshot after the operations that were applied so far.
    var snapshot: Snapshot

    /// The number of bytes that may still be parsed.
    ///
    /// Beyond it, parsing the whole document once is cheaper.
    private var byteCountLeft: Int

    /// Prepares a patch of a feed, of which at most `byteLimit` bytes may be parsed.
    init(_ snapshot: Snapshot, byteLimit: Int) {
        self.snapshot = snapshot.indexed()
        byteCountLeft = min(1 << 16 + 2 * snapshot.itemByteCount, byteLimit)
    }

    /// Counts bytes that are parsed or written.
    private mutating func spend(_ byteCount: Int) throws(PatchFailure) {
        byteCountLeft -= byteCount
        guard byteCountLeft >= 0 else { throw .needsDocument }
    }
}

extension SnapshotPatch: PatchTarget {
    mutating func value(at pointer: JSONPointer) throws(PatchFailure) -> JSONValue {
        if pointer.tokens.count == 3, pointer.tokens[0] == "sections", pointer.tokens[2] == "id" {
            // A patch tests the id before it names the section by its index.
            let count = snapshot.sections.count
            let section = try index(pointer.tokens[1], count: count, pointer, isNew: false)
            return .string(snapshot.sections[section].id)
        }
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
        try change(target, at: rest.dropLast(), pointer) { parent throws(PatchFailure) in
            try parent.insert(value, at: last)
        }
    }

    mutating func replace(_ value: JSONValue, at pointer: JSONPointer) throws(PatchFailure) {
        let (target, rest) = try find(pointer, isNew: false)
        try change(target, at: rest, pointer) { $0 = value }
    }

    mutating func remove(at pointer: JSONPointer) throws(PatchFailure) {
        let (target, rest) = try find(pointer, isNew: false)
        guard let last = rest.last else { return try remove(target, pointer) }
        try change(target, at: rest.dropLast(), pointer) { parent throws(PatchFailure) in
            try parent.remove(at: last)
        }
    }

    /// Moves a whole item or section (RFC 6902 §4.4), and returns whether the pointers name such a
    /// move; if not, nothing is changed.
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
        case .feedMember, .sectionMember: return false
        }
        return true
    }
}

/// Applies operations to values.
extension SnapshotPatch {
    private mutating func value(
        of target: Target,
        _ pointer: JSONPointer
    ) throws(PatchFailure) -> JSONValue {
        let text: JSONText?
        switch target {
        case .feedMember(let name): text = try lookUp(name, in: snapshot.members)
        case .section: throw .needsDocument
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

    /// Changes a member or an item, or a value inside it.
    private mutating func change(
        _ target: Target,
        at rest: ArraySlice<ExactString>,
        _ pointer: JSONPointer,
        _ change: (inout JSONValue) throws(PatchFailure) -> Void
    ) throws(PatchFailure) {
        var value = try value(of: target, pointer)
        try value.change(at: rest, pointer, change)
        if case .item(let position) = target {
            try replaceItem(at: position, with: value)
        } else {
            try put(value, at: target)
        }
    }

    /// Adds a value, or replaces the value of a member.
    private mutating func put(_ value: JSONValue, at target: Target) throws(PatchFailure) {
        switch target {
        case .feedMember(let name):
            let edit = Changes.MemberEdit(set: [try member(name, value, by: .feed)])
            snapshot.members = try applying(edit, to: snapshot.members)
        case .sectionMember(let position, let name):
            let member = try member(name, value, by: .section)
            let members = snapshot.sections[position].members
            let changed = try applying(.init(set: [member]), to: members)
            snapshot.setMembers(changed, ofSection: position)
        case .item(let position):
            let item = try item(value)
            guard snapshot.position(ofItem: item.id) == nil else { throw .needsDocument }
            snapshot.insert([item], at: position)
        case .section(let position): try insert(try section(value), at: position)
        }
    }

    private mutating func insert(_ section: FeedSection, at position: Int) throws(PatchFailure) {
        guard snapshot.position(ofSection: section.id) == nil,
            section.items.allSatisfy({ snapshot.position(ofItem: $0.id) == nil })
        else { throw .needsDocument }
        snapshot.insert(section, at: position)
    }

    private mutating func remove(
        _ target: Target,
        _ pointer: JSONPointer
    ) throws(PatchFailure) {
        let nothing = PatchFailure.nothing.named(pointer)
        switch target {
        case .feedMember(let name):
            guard snapshot.members[name] != nil else { throw nothing }
            snapshot.members = try applying(.init(unset: [name]), to: snapshot.members)
        case .sectionMember(let position, let name):
            let members = snapshot.sections[position].members
            guard members[name] != nil else { throw nothing }
            let changed = try applying(.init(unset: [name]), to: members)
            snapshot.setMembers(changed, ofSection: position)
        case .item(let position): snapshot.removeItem(at: position)
        case .section(let position): snapshot.removeSection(at: position)
        }
    }

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

    private mutating func replaceItem(
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
        let text = value.text
        try spend(text.bytes.count)
        guard rules.refusal(of: JSONValue.Entry(name: name, value: value)) == nil else {
            throw .needsDocument
        }
        return Member(name: name, value: text)
    }

    /// Parses a section as a feed's document has it: with `items`, and without `count`, because
    /// later operations may name either.
    private mutating func section(_ value: JSONValue) throws(PatchFailure) -> FeedSection {
        guard value["items"] != nil, value["count"] == nil else { throw .needsDocument }
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

/// Resolves pointers.
extension SnapshotPatch {
    /// Returns the target that a pointer leads to or through, and the tokens that lead on inside
    /// it.
    ///
    /// - Parameter isNew: Whether a value is to be put there.
    /// - Throws: A fault if the pointer leads to no value, and ``PatchFailure/needsDocument`` if it
    ///   leads to the document, a list of it, or a section's id.
    private func find(
        _ pointer: JSONPointer,
        isNew: Bool
    ) throws(PatchFailure) -> (target: Target, rest: ArraySlice<ExactString>) {
        let tokens = pointer.tokens
        guard let first = tokens.first else { throw .needsDocument }
        guard first == "sections" else {
            try checkIsOwnMember(first, pointer, isNew: isNew)
            return (.feedMember(first), tokens.dropFirst())
        }
        guard tokens.count > 1 else { throw .needsDocument }
        let count = snapshot.sections.count
        let section = try index(tokens[1], count: count, pointer, isNew: isNew && tokens.count == 2)
        guard tokens.count > 2 else { return (.section(section), []) }
        guard tokens[2] == "items" else {
            guard !MemberRules.section.reserved.contains(tokens[2]) else {
                if tokens[2] == "id" || isNew && tokens.count == 3 { throw .needsDocument }
                throw PatchFailure.nothing.named(pointer)
            }
            return (.sectionMember(section, tokens[2]), tokens.dropFirst(3))
        }
        guard tokens.count > 3 else { throw .needsDocument }
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

    /// Returns the index that a token names; with `isNew`, the index after the last element is
    /// allowed too.
    private func index(
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
