import FeedModel

/// Applies a delta.
extension VersionDelta {
    /// Returns the version that follows `snapshot`.
    ///
    /// `Snapshot` applies removals, moves and insertions; updates replace whole items and members
    /// here.
    ///
    /// - Parameters:
    ///   - snapshot: The version before.
    ///   - time: The time for new and changed items, in seconds since 1970.
    /// - Returns: The next version, with an index of its ids.
    /// - Throws: An error if the delta names an id that does not exist.
    func applied(to snapshot: Snapshot, at time: UInt32) throws -> Snapshot {
        let itemChanges =
            removedItems.count + movedItems.count + insertedItems.count + updatedItems.count
        var old = snapshot
        // Very many changes are applied faster without an index.
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

    /// The removals, moves and insertions, without the updates.
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
    /// Returns the value; throws if there is none, because the record is then damaged.
    fileprivate func orThrow() throws -> Wrapped {
        guard let self else { throw ByteReader.Failure() }
        return self
    }
}
