import FeedDiff
package import FeedModel

extension IndexedCollation {
    /// Collates a feed again after edits, with the same result as ``recollate(_:by:)``.
    ///
    /// Unless edits touched many items or a section, only the touched items are placed anew, each
    /// in about the logarithm of the number of items: all others keep their order.
    ///
    /// - Parameter old: The feed before, as this collation made it by the same member.
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
