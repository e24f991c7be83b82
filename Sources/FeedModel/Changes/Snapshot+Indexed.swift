/// Application of changes with the help of an index: the cost of a change does not grow with the
/// feed.
extension Snapshot {
    /// Returns this snapshot, which must be indexed, with changes applied.
    ///
    /// - Throws: ``ChangesError`` in the same cases as ``ChangeApplication``.
    func applyingInPlace(_ changes: Changes) throws(ChangesError) -> Snapshot {
        var next = self
        let carried = try next.takeOut(changes)
        try next.changeSections(changes)
        try next.putIn(changes, carried)
        var updated: Set<ExactString> = []
        for update in changes.updatedSections {
            try update.edit.refuseReserved(ReservedMembers.section)
            guard updated.insert(update.id).inserted,
                let position = next.position(ofSection: update.id)
            else { throw ChangesError(reason: "A section to update is not there, or twice.") }
            let members = next.sections[position].members.applying(update.edit)
            next.setMembers(members, ofSection: position)
        }
        updated = []
        for update in changes.updatedItems {
            try update.edit.refuseReserved(ReservedMembers.item)
            guard updated.insert(update.id).inserted,
                let position = next.position(ofItem: update.id)
            else { throw ChangesError(reason: "An item to update is not there, or twice.") }
            let item = next.sections[Int(position.section)].items[Int(position.index)]
            next.replaceItem(at: position, with: item.applying(update.edit))
        }
        next.members = members.applying(changes.feed)
        return next
    }

    /// Takes out the removed and the moved items (step 1), and returns the moved ones.
    private mutating func takeOut(_ changes: Changes) throws(ChangesError) -> [FeedItem] {
        var carried: [FeedItem] = []
        for id in changes.removedItems { _ = try takeOut(id) }
        for move in changes.movedItems { carried.append(try takeOut(move.id)) }
        return carried
    }

    private mutating func takeOut(_ id: ExactString) throws(ChangesError) -> FeedItem {
        guard let position = position(ofItem: id) else {
            throw ChangesError(reason: "An item to remove or move is not there.")
        }
        return removeItem(at: position)
    }

    /// Removes, inserts and moves sections (steps 2 and 3).
    private mutating func changeSections(_ changes: Changes) throws(ChangesError) {
        for id in changes.removedSections { removeSection(at: try position(ofSection: id)) }
        var arrivals: [Placement<FeedSection>] = []
        for move in changes.movedSections {
            let section = removeAlone(at: try position(ofSection: move.id))
            arrivals.append(Placement(index: move.index, element: section))
        }
        let movedIDs = Set(changes.movedSections.lazy.map(\.id))
        for insertion in changes.insertedSections {
            let section = FeedSection(id: insertion.id, members: insertion.members)
            guard !movedIDs.contains(section.id), position(ofSection: section.id) == nil else {
                throw ChangesError(reason: "A section to insert is there already.")
            }
            arrivals.append(Placement(index: insertion.index, element: section))
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

    /// Inserts the inserted and moved items (step 4).
    private mutating func putIn(_ changes: Changes, _ carried: [FeedItem]) throws(ChangesError) {
        var arrivals: [ExactString: [Placement<FeedItem>]] = [:]
        for insertion in changes.insertedItems {
            arrivals[insertion.section, default: []]
                .append(Placement(index: insertion.index, element: insertion.item))
        }
        for (move, item) in zip(changes.movedItems, carried) {
            arrivals[move.section, default: []].append(Placement(index: move.index, element: item))
        }
        for (id, arrivals) in arrivals {
            guard let section = position(ofSection: id) else {
                throw ChangesError(reason: "A section to put items in is not there.")
            }
            var last = -1
            for arrival in arrivals.sorted(by: { $0.index < $1.index }) {
                let item = arrival.element
                guard arrival.index > last, arrival.index <= sections[section].items.count else {
                    throw ChangesError(reason: "Nothing can be put in at \(arrival.index).")
                }
                guard position(ofItem: item.id) == nil else {
                    throw ChangesError(reason: "An item to insert is there already.")
                }
                insert([item], at: ItemPosition(section: section, index: arrival.index))
                last = arrival.index
            }
        }
    }
}
