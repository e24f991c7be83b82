/// Applies changes to the sections of a feed, one method for each step (docs/READING.md, "Applying
/// changes").
struct ChangeApplication {
    private(set) var sections: [FeedSection]
    /// The moved items, between their removal and their insertion.
    private var carried: [ExactString: FeedItem] = [:]

    init(sections: some Sequence<FeedSection>) {
        self.sections = Array(sections)
    }

    /// Takes the removed and the moved items out of their sections (step 1).
    mutating func takeOutItems(_ changes: Changes) throws(ChangesError) {
        var leaving: [ExactString: Bool] = [:]  // to whether it is only carried elsewhere
        for id in changes.removedItems { try leaving.add(id, false) }
        for move in changes.movedItems { try leaving.add(move.id, true) }
        guard !leaving.isEmpty else { return }
        var found = 0
        for index in sections.indices {
            var kept: [FeedItem] = []
            kept.reserveCapacity(sections[index].items.count)
            for item in sections[index].items {
                switch leaving[item.id] {
                case nil: kept.append(item)
                case false?: break
                case true?: carried[item.id] = item
                }
            }
            found += sections[index].items.count - kept.count
            if kept.count < sections[index].items.count {
                sections[index].items = ItemList(kept)
            }
        }
        guard found == leaving.count else {
            throw ChangesError(reason: "An item to remove or move is not there.")
        }
    }

    /// Removes, inserts and moves sections (steps 2 and 3).
    mutating func changeSections(_ changes: Changes) throws(ChangesError) {
        var leaving: [ExactString: Bool] = [:]
        for id in changes.removedSections { try leaving.add(id, false) }
        for move in changes.movedSections { try leaving.add(move.id, true) }
        var carried: [ExactString: FeedSection] = [:]
        var kept: [FeedSection] = []
        for section in sections {
            if let isCarried = leaving[section.id] {
                if isCarried { carried[section.id] = section }
            } else {
                kept.append(section)
            }
        }
        guard sections.count - kept.count == leaving.count else {
            throw ChangesError(reason: "A section to remove or move is not there.")
        }
        var positions: [Placement<FeedSection>] = []
        for insertion in changes.insertedSections {
            let section = FeedSection(id: insertion.id, members: insertion.members)
            positions.append(Placement(index: insertion.index, element: section))
        }
        for move in changes.movedSections {
            guard let section = carried[move.id] else { continue }
            positions.append(Placement(index: move.index, element: section))
        }
        sections = try kept.merging(positions)
        var ids: [ExactString: Void] = [:]
        for section in sections { try ids.add(section.id, ()) }
    }

    /// Inserts the inserted and moved items (step 4).
    mutating func putInItems(_ changes: Changes) throws(ChangesError) {
        var positions: [ExactString: [Placement<FeedItem>]] = [:]
        for insertion in changes.insertedItems {
            positions[insertion.section, default: []]
                .append(Placement(index: insertion.index, element: insertion.item))
        }
        for move in changes.movedItems {
            guard let item = carried[move.id] else { continue }
            positions[move.section, default: []].append(Placement(index: move.index, element: item))
        }
        guard !positions.isEmpty else { return }
        for index in sections.indices {
            guard let arrivals = positions.removeValue(forKey: sections[index].id) else { continue }
            sections[index].items = ItemList(try Array(sections[index].items).merging(arrivals))
        }
        guard positions.isEmpty else {
            throw ChangesError(reason: "A section to put items in is not there.")
        }
    }
}

/// The updates of step 5, and the check that every id is unique.
extension ChangeApplication {
    /// Edits the members of the updated sections.
    mutating func updateSections(_ updates: [Changes.SectionUpdate]) throws(ChangesError) {
        guard !updates.isEmpty else { return }
        var edits: [ExactString: Changes.MemberEdit] = [:]
        for update in updates {
            try update.edit.refuseReserved(ReservedMembers.section)
            try edits.add(update.id, update.edit)
        }
        for index in sections.indices {
            guard let edit = edits.removeValue(forKey: sections[index].id) else { continue }
            sections[index].members = sections[index].members.applying(edit)
        }
        guard edits.isEmpty else {
            throw ChangesError(reason: "A section to update is not there.")
        }
    }

    /// Edits the members of the updated items, and throws if an inserted item was in the feed
    /// before.
    mutating func updateItems(_ changes: Changes) throws(ChangesError) {
        var edits: [ExactString: Changes.MemberEdit] = [:]
        for update in changes.updatedItems {
            try update.edit.refuseReserved(ReservedMembers.item)
            try edits.add(update.id, update.edit)
        }
        let inserted = Set(changes.insertedItems.lazy.map(\.item.id))
        guard !edits.isEmpty || !inserted.isEmpty else { return }
        var arrivals = 0
        for section in sections.indices {
            for (index, item) in sections[section].items.enumerated() {
                if !inserted.isEmpty, inserted.contains(item.id) { arrivals += 1 }
                if !edits.isEmpty, let edit = edits.removeValue(forKey: item.id) {
                    sections[section].items[index] = item.applying(edit)
                }
            }
        }
        guard edits.isEmpty else { throw ChangesError(reason: "An item to update is not there.") }
        guard arrivals == inserted.count, arrivals == changes.insertedItems.count else {
            throw ChangesError(reason: "An item to insert is there already.")
        }
    }
}

extension Changes.MemberEdit {
    /// Throws if the edit names a member that belongs to the protocol.
    func refuseReserved(_ names: Set<ExactString>) throws(ChangesError) {
        let name = set.lazy.map(\.name).first(where: names.contains)
        if let name = name ?? unset.first(where: names.contains) {
            throw ChangesError(reason: "The member \"\(name)\" cannot be changed.")
        }
    }
}

extension Dictionary where Key == ExactString {
    /// Adds an id; throws if it was added before.
    fileprivate mutating func add(_ id: ExactString, _ value: Value) throws(ChangesError) {
        guard updateValue(value, forKey: id) == nil else {
            throw ChangesError(reason: "The id \"\(id)\" stands twice.")
        }
    }
}

extension Snapshot {
    /// Returns this snapshot with `changes` applied as in docs/READING.md; the number and the order
    /// of the items are not checked.
    ///
    /// - Parameter changes: The changes from this version to another.
    /// - Returns: The other version.
    /// - Throws: ``ChangesError`` if they name elements that do not exist, insert existing ones,
    ///   set members that belong to the protocol, or name an impossible position.
    public func applying(_ changes: Changes) throws -> Snapshot {
        try changes.feed.refuseReserved(ReservedMembers.feed)
        let isLong = !isIndexed && changes.itemChangeCount > 64 + count / 8
        return isLong ? try applyingToLists(changes) : try indexed().applyingInPlace(changes)
    }

    /// Returns this snapshot with changes applied to whole lists, which is faster for very many
    /// changes.
    func applyingToLists(_ changes: Changes) throws(ChangesError) -> Snapshot {
        var application = ChangeApplication(sections: sections)
        try application.takeOutItems(changes)
        try application.changeSections(changes)
        try application.putInItems(changes)
        try application.updateSections(changes.updatedSections)
        try application.updateItems(changes)
        return Snapshot(members: members.applying(changes.feed), sections: application.sections)
    }
}
