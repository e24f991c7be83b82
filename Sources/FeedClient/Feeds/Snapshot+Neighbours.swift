package import FeedModel

extension Snapshot {
    /// Returns the item that replaces another in a later snapshot, for a selection or a scroll
    /// position.
    ///
    /// This is the item itself if it remains, otherwise the next item that remains, otherwise the
    /// last one before it that remains.
    ///
    /// - Returns: The id in the later snapshot; `nil`: no item of this snapshot remains.
    package func item(nearest id: ExactString, stayingIn later: Snapshot) -> ExactString? {
        if later.position(ofItem: id) != nil { return id }
        let later = later.indexed()
        let ids = sections.flatMap { $0.items.map(\.id) }
        guard let index = ids.firstIndex(of: id) else { return nil }
        func stays(_ id: ExactString) -> Bool { later.position(ofItem: id) != nil }
        return ids[index...].first(where: stays) ?? ids[..<index].last(where: stays)
    }
}
