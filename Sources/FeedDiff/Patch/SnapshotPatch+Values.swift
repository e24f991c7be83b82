import FeedModel

/// Operations on values.
extension SnapshotPatch {
    mutating func value(of target: Target, _ pointer: JSONPointer) throws(PatchStop) -> JSONValue {
        let text: JSONText?
        switch target {
        case .feedMember(let name): text = try lookUp(name, in: snapshot.members)
        case .section: throw .needsDocument
        case .sectionID(let position):
            text = JSONText(string: snapshot.sections[position].id.string)
        case .sectionMember(let position, let name):
            text = try lookUp(name, in: snapshot.sections[position].members)
        case .item(let position): text = snapshot.sections[position].json
        }
        guard let text else { throw .fault(JSONPointerFault.nothing.named(pointer)) }
        try spend(text.bytes.count)
        return JSONValue(text)
    }

    /// Looks up a member; the members are searched one by one.
    private mutating func lookUp(
        _ name: ExactString,
        in members: Members
    ) throws(PatchStop) -> JSONText? {
        try spend(8 * members.list.count)
        return members[name]
    }

    /// Changes a value inside a member or an item.
    mutating func change<Result>(
        _ target: Target,
        _ rest: ArraySlice<ExactString>,
        _ pointer: JSONPointer,
        _ change: (inout JSONValue) throws(JSONPointerFault) -> Result
    ) throws(PatchStop) -> Result {
        var value = try value(of: target, pointer)
        let result = try value.change(at: rest, pointer, change)
        if case .item(let position) = target {
            try replaceItem(at: position, with: value)
        } else {
            try put(value, at: target)
        }
        return result
    }

    mutating func put(_ value: JSONValue, at target: Target) throws(PatchStop) {
        switch target {
        case .feedMember(let name):
            let edit = Changes.MemberEdit(set: [try member(name, value, texts: ["title"])])
            if name == "maxAge", !edit.set[0].value.isWholeNumber { throw .needsDocument }
            snapshot.members = try applying(edit, to: snapshot.members)
        case .sectionID(let position): try rename(position, value)
        case .sectionMember(let position, let name):
            let member = try member(name, value, texts: ["title", "index"])
            let members = snapshot.sections[position].members
            let changed = try applying(.init(set: [member]), to: members)
            snapshot.setMembers(changed, ofSection: position)
        case .item(let position):
            let item = try item(value)
            guard snapshot.position(ofItem: item.id) == nil else { throw .needsDocument }
            snapshot.insert([item], at: position)
        case .section(let position):
            try insert(try section(value), at: position)
            noteForm(of: value, at: position)
        }
    }

    private mutating func insert(_ section: FeedSection, at position: Int) throws(PatchStop) {
        guard snapshot.position(ofSection: section.id) == nil,
            section.items.allSatisfy({ snapshot.position(ofItem: $0.id) == nil })
        else { throw .needsDocument }
        snapshot.insert(section, at: position)
    }

    mutating func replaceSection(at position: Int, with value: JSONValue) throws(PatchStop) {
        try replaceSection(at: position, with: section(value))
        noteForm(of: value, at: position)
    }

    /// Records whether an inserted section has the form of a section in a feed's document.
    private mutating func noteForm(of value: JSONValue, at position: Int) {
        guard !value.isWrittenAsSection else { return }
        unusualSections.insert(snapshot.sections[position].id)
    }

    private mutating func takeOutSection(at position: Int) {
        if !unusualSections.isEmpty { unusualSections.remove(snapshot.sections[position].id) }
        snapshot.removeSection(at: position)
    }

    mutating func replaceSection(at position: Int, with section: FeedSection) throws(PatchStop) {
        try spend(SnapshotPatch.indexByteCount * snapshot.sections[position].items.count)
        takeOutSection(at: position)
        try insert(section, at: position)
    }

    mutating func discard(_ target: Target, _ pointer: JSONPointer) throws(PatchStop) {
        let nothing = PatchStop.fault(JSONPointerFault.nothing.named(pointer))
        switch target {
        case .feedMember(let name):
            guard snapshot.members[name] != nil else { throw nothing }
            snapshot.members = try applying(.init(unset: [name]), to: snapshot.members)
        case .sectionID: throw .needsDocument
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
    private mutating func rename(_ section: Int, _ value: JSONValue) throws(PatchStop) {
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

    /// Returns the members after an edit; all members are copied for one that changes.
    private mutating func applying(
        _ edit: Changes.MemberEdit,
        to members: Members
    ) throws(PatchStop) -> Members {
        try spend(64 * members.list.count)
        let changed = members.applying(edit)
        guard changed.list.count <= FeedItem.memberLimit else { throw .needsDocument }
        return changed
    }

    mutating func replaceItem(at position: ItemPosition, with value: JSONValue) throws(PatchStop) {
        let item = try item(value)
        let found = snapshot.position(ofItem: item.id)
        guard found == nil || found == position else { throw .needsDocument }
        snapshot.replaceItem(at: position, with: item)
    }
}

/// Values as a `PUT` would parse them; a value that it would refuse may become valid by a later
/// operation.
extension SnapshotPatch {
    private mutating func item(_ value: JSONValue) throws(PatchStop) -> FeedItem {
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
        texts: Set<ExactString>
    ) throws(PatchStop) -> Member {
        let bytes = value.bytes
        try spend(bytes.count)
        do {
            let text = try JSONText(parsing: bytes)
            if texts.contains(name), text.stringValue == nil { throw PatchStop.needsDocument }
            return Member(name: name, value: text)
        } catch {
            throw .needsDocument
        }
    }

    mutating func section(_ value: JSONValue) throws(PatchStop) -> FeedSection {
        let list = JSONValue.Entry(name: "sections", value: .array([value]))
        do {
            let document = try FeedDocument(.object([list]))
            try spend(document.snapshot.itemByteCount)
            return document.snapshot.sections[0]
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
        _ change: (inout JSONValue) throws(JSONPointerFault) -> Result
    ) throws(PatchStop) -> Result {
        do throws(JSONPointerFault) {
            return try self.change(at: tokens, change)
        } catch {
            throw .fault(error.named(pointer))
        }
    }
}

extension JSONPointerFault {
    /// Returns the fault with the pointer before the reason.
    func named(_ pointer: JSONPointer) -> JSONPointerFault {
        JSONPointerFault(reason: "“\(pointer.text)” \(reason)")
    }
}
