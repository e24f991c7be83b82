extension Snapshot {
    /// Returns this snapshot with `changes` applied as in docs/READING.md; the number and the order
    /// of the items are not checked.
    ///
    /// - Parameter changes: The changes from this version to another.
    /// - Returns: The other version.
    /// - Throws: ``ChangesError`` if they name elements that do not exist, insert existing ones,
    ///   set members that belong to the protocol, or name an impossible position.
    public func applying(_ changes: Changes) throws -> Snapshot {
        let isLong = !isIndexed && changes.itemChangeCount > 64 + count / 8
        return try applying(changes, toLists: isLong)
    }

    /// Returns this snapshot with changes applied.
    ///
    /// - Parameter isLong: Whether whole lists of items are made anew, which is faster for very
    ///   many changes, instead of each item being found by an index.
    /// - Returns: The other version, which has an index unless `isLong`.
    func applying(_ changes: Changes, toLists isLong: Bool) throws(ChangesError) -> Snapshot {
        try changes.feed.refuseReserved(MemberRules.feed.reserved)
        var next = self
        next.members = members.applying(changes.feed)
        next.index = isLong ? SnapshotIndex(of: list, items: HashIndex()) : indexed().index
        let carried = isLong ? try next.filterItems(changes) : try next.takeOutItems(changes)
        try next.changeSections(changes)
        try next.putInItems(changes, carried, toLists: isLong)
        try next.updateSections(changes.updatedSections)
        if isLong {
            try next.updateLists(changes)
            next.forgetIndex()
        } else {
            try next.updateItems(changes.updatedItems)
        }
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
        _ carried: [ExactString: FeedItem],
        toLists isLong: Bool
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
            if isLong {
                let items = try Array(list[section].items).merging(arrivals)
                list.tree.update(section) { $0.items = ItemList(items) }
            } else {
                try insert(arrivals, section: section)
            }
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

/// Applies changes of items to whole lists.
extension Snapshot {
    /// Takes out the removed and the moved items (step 1), and returns the moved ones by their ids.
    private mutating func filterItems(
        _ changes: Changes
    ) throws(ChangesError) -> [ExactString: FeedItem] {
        var leaving: [ExactString: Bool] = [:]  // to whether it is only carried elsewhere
        for id in changes.removedItems { try leaving.add(id, false) }
        for move in changes.movedItems { try leaving.add(move.id, true) }
        guard !leaving.isEmpty else { return [:] }
        var carried: [ExactString: FeedItem] = [:]
        var found = 0
        for position in list.indices {
            let items = list[position].items
            var kept: [FeedItem] = []
            kept.reserveCapacity(items.count)
            for item in items {
                switch leaving[item.id] {
                case nil: kept.append(item)
                case false?: break
                case true?: carried[item.id] = item
                }
            }
            guard kept.count < items.count else { continue }
            found += items.count - kept.count
            list.tree.update(position) { $0.items = ItemList(kept) }
        }
        guard found == leaving.count else {
            throw ChangesError(reason: "An item to remove or move is not there.")
        }
        return carried
    }

    /// Edits the members of the updated items (step 5), and throws if an inserted item was in the
    /// feed before.
    private mutating func updateLists(_ changes: Changes) throws(ChangesError) {
        var edits: [ExactString: Changes.MemberEdit] = [:]
        for update in changes.updatedItems {
            try update.edit.refuseReserved(MemberRules.item.reserved)
            try edits.add(update.id, update.edit)
        }
        let inserted = Set(changes.insertedItems.lazy.map(\.item.id))
        guard !edits.isEmpty || !inserted.isEmpty else { return }
        var arrivals = 0
        for section in list.indices {
            let before = list[section].items
            var items = before
            for (index, item) in before.enumerated() {
                if !inserted.isEmpty, inserted.contains(item.id) { arrivals += 1 }
                if !edits.isEmpty, let edit = edits.removeValue(forKey: item.id) {
                    items[index] = item.applying(edit)
                }
            }
            if !items.isIdentical(to: before) { list.tree.update(section) { $0.items = items } }
        }
        guard edits.isEmpty else { throw ChangesError(reason: "An item to update is not there.") }
        guard arrivals == inserted.count, arrivals == changes.insertedItems.count else {
            throw ChangesError(reason: "An item to insert is there already.")
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

extension Dictionary where Key == ExactString {
    /// Adds an id; throws if it was added before.
    fileprivate mutating func add(_ id: ExactString, _ value: Value) throws(ChangesError) {
        guard updateValue(value, forKey: id) == nil else {
            throw ChangesError(reason: "The id \"\(id)\" stands twice.")
        }
    }
}
