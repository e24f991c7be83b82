import FeedModel

/// Making the next version.
extension VersionDelta {
    /// Returns the next version of `snapshot`: the model applies all changes but the updates, which
    /// are whole here.
    ///
    /// - Throws: An error when the record names an id that is not there.
    func applied(to snapshot: Snapshot, at time: UInt32) throws -> Snapshot {
        let itemChanges =
            removedItems.count + movedItems.count + insertedItems.count + updatedItems.count
        var old = snapshot
        // Very many changes cost less all at once, and without an index.
        if itemChanges > 64 + snapshot.count / 8 { old.forgetIndex() } else { old = old.indexed() }
        var next = try old.applying(changes).indexed()
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
}

extension Optional {
    /// Returns the value, or throws: a record that needs it and does not find it is damaged.
    fileprivate func orThrow() throws -> Wrapped {
        guard let self else { throw ByteReader.Failure() }
        return self
    }
}
