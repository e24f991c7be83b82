import FeedDiff
package import FeedModel

extension IndexedCollation {
    /// Collates a feed again after edits, with the same result as ``recollate(_:by:)``.
    ///
    /// Unless edits touched many items or a section, only the touched items are placed anew, each
    /// in about the logarithm of the number of items: all others keep their order.
    ///
    /// - Parameters:
    ///   - edited: The feed after the edits.
    ///   - old: The feed before, as this collation made it by the same member.
    ///   - member: The member that items are sorted by.
    /// - Returns: The feed with its items in their positions.
    package func recollate(_ edited: Snapshot, after old: Snapshot, by member: ExactString)
        -> Snapshot
    {
        let changes = Changes(from: old, to: edited)
        let touched = Set(changes.insertedItems.lazy.map(\.item.id))
            .union(changes.movedItems.lazy.map(\.id))
            .union(changes.updatedItems.lazy.map(\.id))
        guard !changes.concernSections, touched.count <= edited.count / 8,
            let placement = CollatedPlacement(self, by: member, of: edited)
        else { return recollate(edited, by: member) }
        return placement.placing(touched)
    }
}

extension Changes {
    fileprivate var concernSections: Bool {
        !removedSections.isEmpty || !insertedSections.isEmpty || !movedSections.isEmpty
            || !updatedSections.isEmpty
    }
}
