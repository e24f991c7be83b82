import FeedModel

/// Making the next version, as the protocol says: in the logarithm of the feed's size for each
/// change, or all at once if there are very many.
extension VersionDelta {
    /// Returns the next version of `snapshot`.
    ///
    /// - Throws: An error when the record names an id that is not there.
    func applied(to snapshot: Snapshot, at time: UInt32) throws -> Snapshot {
        let itemChanges =
            removedItems.count + movedItems.count + insertedItems.count + updatedItems.count
        var next: Snapshot
        if itemChanges > 64 + snapshot.count / 8 {
            next = try snapshot.applying(changes).indexed()
        } else {
            next = snapshot.indexed()
            let carried = try takeOutItems(of: &next)
            try changeSections(of: &next)
            try putInItems(carried, to: &next)
        }
        if let feed { next.members = feed }
        for update in updatedSections {
            let position = try next.position(ofSection: update.id).orThrow()
            next.setMembers(update.members, ofSection: position)
        }
        for insertion in insertedItems { insertion.item.setSeen(first: time, changed: time) }
        for item in updatedItems {
            let position = try next.position(ofItem: item.id).orThrow()
            item.setSeen(first: next.sections[position].seen.first, changed: time)
            next.replaceItem(at: position, with: item)
        }
        return next
    }

    /// All changes but the updates, as the protocol's changes.
    private var changes: Changes {
        var changes = Changes()
        changes.removedSections = removedSections
        changes.insertedSections = insertedSections
        changes.movedSections = movedSections
        changes.removedItems = removedItems
        changes.insertedItems = insertedItems
        changes.movedItems = movedItems
        return changes
    }

    /// Removes items that are removed or moved (step 1 of the protocol).
    ///
    /// - Returns: The moved items, which are to be inserted elsewhere.
    private func takeOutItems(of snapshot: inout Snapshot) throws -> [ExactString: FeedItem] {
        for id in removedItems {
            snapshot.removeItem(at: try snapshot.position(ofItem: id).orThrow())
        }
        var carried: [ExactString: FeedItem] = [:]
        for move in movedItems {
            let position = try snapshot.position(ofItem: move.id).orThrow()
            carried[move.id] = snapshot.removeItem(at: position)
        }
        return carried
    }

    /// Removes, moves and inserts sections (steps 2 and 3 of the protocol).
    private func changeSections(of snapshot: inout Snapshot) throws {
        for id in removedSections {
            snapshot.removeSection(at: try snapshot.position(ofSection: id).orThrow())
        }
        var arrivals: [(index: Int, section: FeedSection)] = insertedSections.map { insertion in
            (insertion.index, FeedSection(id: insertion.id, members: insertion.members))
        }
        for move in movedSections {
            let position = try snapshot.position(ofSection: move.id).orThrow()
            arrivals.append((move.index, snapshot.removeSection(at: position)))
        }
        for (index, section) in arrivals.sorted(by: { $0.index < $1.index }) {
            guard index <= snapshot.sections.count else { throw ByteReader.Failure() }
            snapshot.insert(section, at: index)
        }
    }

    /// Inserts new and moved items (step 4 of the protocol).
    private func putInItems(
        _ carried: [ExactString: FeedItem],
        to snapshot: inout Snapshot
    ) throws {
        var arrivals: [ExactString: [(index: Int, item: FeedItem)]] = [:]
        for insertion in insertedItems {
            arrivals[insertion.section, default: []].append((insertion.index, insertion.item))
        }
        for move in movedItems {
            let item = try carried[move.id].orThrow()
            arrivals[move.section, default: []].append((move.index, item))
        }
        for (id, list) in arrivals {
            let section = try snapshot.position(ofSection: id).orThrow()
            for (index, items) in runs(of: list) {
                guard index <= snapshot.sections[section].items.count else {
                    throw ByteReader.Failure()
                }
                snapshot.insert(items, at: ItemPosition(section: section, index: index))
            }
        }
    }

    /// Returns the items in runs that stand beside each other, each with the index of its first
    /// item.
    private func runs(of list: [(index: Int, item: FeedItem)]) -> [(Int, [FeedItem])] {
        var runs: [(index: Int, items: [FeedItem])] = []
        for (index, item) in list.sorted(by: { $0.index < $1.index }) {
            if let last = runs.last, last.index + last.items.count == index {
                runs[runs.count - 1].items.append(item)
            } else {
                runs.append((index, [item]))
            }
        }
        return runs
    }
}

extension Optional {
    /// Returns the value, or throws: a record that needs it and does not find it is damaged.
    fileprivate func orThrow() throws -> Wrapped {
        guard let self else { throw ByteReader.Failure() }
        return self
    }
}
