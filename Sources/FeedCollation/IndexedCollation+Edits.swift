import FeedDiff
package import FeedModel

extension IndexedCollation {
    /// A collated feed after edits, which left its items wherever they like: what
    /// ``recollate(_:by:)`` makes of it, in about the logarithm for each item that an edit touched.
    ///
    /// The others keep their order, so that only those have to be placed anew.
    ///
    /// - Parameters:
    ///   - edited: The feed after the edits.
    ///   - old: The feed before, which this collation made by the same member.
    ///   - member: What items go by.
    /// - Returns: The feed with its items in their positions.
    package func recollate(_ edited: Snapshot, after old: Snapshot, by member: ExactString)
        -> Snapshot
    {
        let changes = Changes(from: FeedView()(old), to: FeedView()(edited))
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
