extension Snapshot {
    /// Returns this snapshot with `changes` applied as in docs/READING.md, with an index; the
    /// number and the order of the items are not checked.
    ///
    /// - Parameter changes: The changes from this version to another.
    /// - Returns: The other version.
    /// - Throws: ``ChangesError`` if they name elements that do not exist, insert existing ones,
    ///   set members that belong to the protocol, or name an impossible position.
    public func applying(_ changes: Changes) throws -> Snapshot {
        try changes.feed.refuseReserved(MemberRules.feed.reserved)
        var next = indexed()
        next.members = members.applying(changes.feed)
        let carried = try next.takeOutItems(changes)
        try next.changeSections(changes)
        try next.putInItems(changes, carried)
        try next.updateSections(changes.updatedSections)
        try next.updateItems(changes.updatedItems)
        return next
    }

    /// Removes, inserts and moves sections (steps 2 and 3).
    private mutating func changeSections(_ changes: Changes) throws(ChangesError) {
        for id in changes.removedSections { removeSection(at: try position(ofSection: id)) }
        var arrivals: [(index: Int, element: FeedSection)] = []
        for move in changes.movedSections {
            let section = removeAlone(at: try position(ofSection: move.id))
            arrivals.append((move.index, section))
        }
        let movedIDs = Set(changes.movedSections.lazy.map(\.id))
        for insertion in changes.insertedSections {
            let section = FeedSection(id: insertion.id, members: insertion.members)
            guard !movedIDs.contains(section.id), position(ofSection: section.id) == nil else {
                throw ChangesError(reason: "A section to insert is there already.")
            }
            arrivals.append((insertion.index, section))
        }
        var last = -1
        for arrival in arrivals.sorted(by: { $0.index < $1.index }) {
            guard arrival.index > last, arrival.index <= list.count,
                position(ofSection: arrival.element.id) == nil
            else { throw ChangesError(reason: "No section can be put in at \(arrival.index).") }
            insertAlone(arrival.element, at: arrival.index)
            last = arrival.index
        }
    }

    private func position(ofSection id: ExactString) throws(ChangesError) -> Int {
        guard let position = position(ofSection: id) else {
            throw ChangesError(reason: "A section to remove or move is not there.")
        }
        return position
    }

    /// Inserts the inserted and the moved items (step 4); `carried` has the moved ones by their
    /// ids.
    private mutating func putInItems(
        _ changes: Changes,
        _ carried: [ExactString: FeedItem]
    ) throws(ChangesError) {
        var arrivals: [ExactString: [(index: Int, element: FeedItem)]] = [:]
        for insertion in changes.insertedItems {
            arrivals[insertion.section, default: []]
                .append((insertion.index, insertion.item))
        }
        for move in changes.movedItems {
            guard let item = carried[move.id] else { continue }
            arrivals[move.section, default: []].append((move.index, item))
        }
        for (id, arrivals) in arrivals {
            guard let section = position(ofSection: id) else {
                throw ChangesError(reason: "A section to put items in is not there.")
            }
            try insert(arrivals, section: section)
        }
    }

    /// Edits the members of sections (step 5).
    private mutating func updateSections(
        _ updates: [Changes.SectionUpdate]
    ) throws(ChangesError) {
        var updated: Set<ExactString> = []
        for update in updates {
            try update.edit.refuseReserved(MemberRules.section.reserved)
            guard updated.insert(update.id).inserted, let position = position(ofSection: update.id)
            else { throw ChangesError(reason: "A section to update is not there, or twice.") }
            setMembers(list[position].members.applying(update.edit), ofSection: position)
        }
    }
}

/// Applies changes of items with the help of an index: the cost of a change does not grow
/// with the feed.
extension Snapshot {
    /// Takes out the removed and the moved items (step 1), and returns the moved ones by their ids.
    private mutating func takeOutItems(
        _ changes: Changes
    ) throws(ChangesError) -> [ExactString: FeedItem] {
        for id in changes.removedItems { _ = try takeOut(id) }
        var carried: [ExactString: FeedItem] = [:]
        for move in changes.movedItems { carried[move.id] = try takeOut(move.id) }
        return carried
    }

    private mutating func takeOut(_ id: ExactString) throws(ChangesError) -> FeedItem {
        guard let position = position(ofItem: id) else {
            throw ChangesError(reason: "An item to remove or move is not there.")
        }
        return removeItem(at: position)
    }

    /// Inserts items into a section (step 4).
    private mutating func insert(
        _ arrivals: [(index: Int, element: FeedItem)],
        section: Int
    ) throws(ChangesError) {
        var last = -1
        for arrival in arrivals.sorted(by: { $0.index < $1.index }) {
            let item = arrival.element
            guard arrival.index > last, arrival.index <= list[section].items.count else {
                throw ChangesError(reason: "Nothing can be put in at \(arrival.index).")
            }
            guard position(ofItem: item.id) == nil else {
                throw ChangesError(reason: "An item to insert is there already.")
            }
            insert([item], at: ItemPosition(section: section, index: arrival.index))
            last = arrival.index
        }
    }

    /// Edits the members of items (step 5).
    private mutating func updateItems(_ updates: [Changes.ItemUpdate]) throws(ChangesError) {
        var updated: Set<ExactString> = []
        for update in updates {
            try update.edit.refuseReserved(MemberRules.item.reserved)
            guard updated.insert(update.id).inserted, let position = position(ofItem: update.id)
            else { throw ChangesError(reason: "An item to update is not there, or twice.") }
            replaceItem(at: position, with: list[position].applying(update.edit))
        }
    }
}

extension Changes.MemberEdit {
    /// Throws if the edit names a member that belongs to the protocol.
    fileprivate func refuseReserved(_ names: Set<ExactString>) throws(ChangesError) {
        let name = set.lazy.map(\.name).first(where: names.contains)
        if let name = name ?? unset.first(where: names.contains) {
            throw ChangesError(reason: "The member \"\(name)\" cannot be changed.")
        }
    }
}
