package import FeedModel

extension Snapshot {
    /// Returns the snapshot after `edits`, in order, which shares all unchanged parts with this
    /// one; if one fails, none is applied.
    ///
    /// - Parameter byteLimit: The approximate limit of the bytes of items and members that the
    ///   edits may rewrite: without it, many small edits of one huge item would take hours.
    /// - Throws: The failure of the first edit that names a missing element or inserts an existing
    ///   one.
    package func applying(
        _ edits: [Edit],
        byteLimit: Int = 256 << 20
    ) throws(EditFailure) -> Snapshot {
        var editor = SnapshotEditor(self, byteLimit: byteLimit)
        for (index, edit) in edits.enumerated() {
            editor.index = index
            try editor.apply(edit)
        }
        return editor.snapshot
    }
}

/// Applies edits to a snapshot, each in time logarithmic in its size.
private struct SnapshotEditor {
    /// The index of the edit that is being applied, for failures.
    var index = 0

    /// The snapshot after the edits that were applied so far.
    private(set) var snapshot: Snapshot

    private let byteLimit: Int
    private var byteCountLeft: Int

    init(_ snapshot: Snapshot, byteLimit: Int) {
        self.snapshot = snapshot.indexed()
        self.byteLimit = byteLimit
        byteCountLeft = byteLimit
    }

    func failure(_ kind: EditFailure.Kind, _ reason: String) -> EditFailure {
        EditFailure(index: index, kind: kind, reason: reason)
    }

    mutating func apply(_ edit: Edit) throws(EditFailure) {
        switch edit {
        case .insert(let item, let section, let position):
            try insert(item, section: section, at: position ?? .start)
        case .put(let item, let section, let position):
            if let row = snapshot.position(ofItem: item.id) {
                snapshot.replaceItem(at: row, with: item)
            } else {
                try insert(item, section: section, at: position ?? .start)
            }
        case .set(let edit, let id):
            let row = try row(of: id)
            let item = snapshot.sections[Int(row.section)].items[Int(row.index)]
            // The item is copied, and most of it is parsed.
            try spend(2 * item.json.bytes.count)
            let edited = item.applying(edit)
            guard edited.isWithinMemberLimit else {
                throw failure(
                    .tooManyMembers,
                    "item \"\(id)\" would have more than \(FeedItem.memberLimit) members"
                )
            }
            snapshot.replaceItem(at: row, with: edited)
        case .replace(let item): snapshot.replaceItem(at: try row(of: item.id), with: item)
        case .move(let id, let section, let position):
            try move(id, section: section, to: position ?? .start)
        case .remove(let id): snapshot.removeItem(at: try row(of: id))
        case .insertSection(let section, let position): try insert(section, at: position ?? .end)
        case .setSection(let edit, let id):
            let position = try section(id, orFail: .notFound)
            let members = snapshot.sections[position].members
            let changed = try applying(edit, to: members, of: "section \"\(id)\"")
            snapshot.setMembers(changed, ofSection: position)
        case .moveSection(let id, let position): try moveSection(id, to: position ?? .end)
        case .removeSection(let id):
            snapshot.removeSection(at: try section(id, orFail: .notFound))
        case .setFeed(let edit):
            snapshot.members = try applying(edit, to: snapshot.members, of: "the feed")
        }
    }

    private mutating func applying(
        _ edit: Changes.MemberEdit,
        to members: Members,
        of owner: String
    ) throws(EditFailure) -> Members {
        try spend(64 * members.list.count)
        let changed = members.applying(edit)
        guard changed.list.count <= FeedItem.memberLimit else {
            throw failure(
                .tooManyMembers,
                "\(owner) would have more than \(FeedItem.memberLimit) members"
            )
        }
        return changed
    }

    private mutating func spend(_ byteCount: Int) throws(EditFailure) {
        byteCountLeft -= byteCount
        guard byteCountLeft >= 0 else {
            throw failure(.tooMuchWork, "the edits rewrite more than \(byteLimit) bytes")
        }
    }
}

/// Applies edits of items.
extension SnapshotEditor {
    /// Returns the position of the item that an edit names.
    private func row(of id: ExactString) throws(EditFailure) -> ItemPosition {
        if let position = snapshot.position(ofItem: id) { return position }
        throw failure(.notFound, "there is no item \"\(id)\"")
    }

    private mutating func insert(
        _ item: FeedItem,
        section: ExactString?,
        at position: Edit.Position
    ) throws(EditFailure) {
        guard snapshot.position(ofItem: item.id) == nil else {
            throw failure(.exists, "there is an item \"\(item.id)\" already")
        }
        let row = try row(at: position, section: section, default: 0)
        if snapshot.sections.isEmpty { snapshot.insert(FeedSection(id: "main"), at: 0) }
        snapshot.insert([item], at: row)
    }

    private mutating func move(
        _ id: ExactString,
        section: ExactString?,
        to position: Edit.Position
    ) throws(EditFailure) {
        let row = try row(of: id)
        var target = try self.row(at: position, section: section, default: Int(row.section))
        // An item that is moved next to itself stays in place.
        if position.neighbour == id { return }
        let item = snapshot.removeItem(at: row)
        if target.section == row.section, target.index > row.index { target.index -= 1 }
        snapshot.insert([item], at: target)
    }

    /// Returns the position that an edit names.
    ///
    /// In a feed without sections, the position is in the section that will be inserted.
    private func row(
        at position: Edit.Position,
        section: ExactString?,
        default number: Int
    ) throws(EditFailure) -> ItemPosition {
        var named: Int?
        if let section { named = try self.section(section, orFail: .wrongPosition) }
        if let id = position.neighbour {
            guard var row = snapshot.position(ofItem: id) else {
                throw failure(.wrongPosition, "there is no item \"\(id)\" to be placed beside")
            }
            if let section, named != Int(row.section) {
                throw failure(.wrongPosition, "item \"\(id)\" is not in section \"\(section)\"")
            }
            if case .after = position { row.index += 1 }
            return row
        }
        let number = named ?? number
        let isAtEnd = position == .end && !snapshot.sections.isEmpty
        let index = isAtEnd ? snapshot.sections[number].items.count : 0
        return ItemPosition(section: number, index: index)
    }
}

/// Applies edits of sections.
extension SnapshotEditor {
    /// Returns the position of a section; throws a failure of `kind` if there is none.
    private func section(
        _ id: ExactString,
        orFail kind: EditFailure.Kind
    ) throws(EditFailure) -> Int {
        if let position = snapshot.position(ofSection: id) { return position }
        throw failure(kind, "there is no section \"\(id)\"")
    }

    private mutating func insert(
        _ section: FeedSection,
        at position: Edit.Position
    ) throws(EditFailure) {
        guard snapshot.position(ofSection: section.id) == nil else {
            throw failure(.exists, "there is a section \"\(section.id)\" already")
        }
        for item in section.items where snapshot.position(ofItem: item.id) != nil {
            throw failure(.exists, "there is an item \"\(item.id)\" already")
        }
        snapshot.insert(section, at: try number(at: position))
    }

    private mutating func moveSection(
        _ id: ExactString,
        to position: Edit.Position
    ) throws(EditFailure) {
        let number = try section(id, orFail: .notFound)
        // A section that is moved next to itself stays in place.
        if position.neighbour == id { return }
        let target = try self.number(at: position)
        snapshot.moveSection(at: number, to: target > number ? target - 1 : target)
    }

    /// Returns the position among the sections.
    private func number(at position: Edit.Position) throws(EditFailure) -> Int {
        switch position {
        case .start: 0
        case .end: snapshot.sections.count
        case .before(let id): try number(beside: id)
        case .after(let id): try number(beside: id) + 1
        }
    }

    private func number(beside id: ExactString) throws(EditFailure) -> Int {
        if let position = snapshot.position(ofSection: id) { return position }
        throw failure(.wrongPosition, "there is no section \"\(id)\" to be placed beside")
    }
}
