package import FeedModel

extension Snapshot {
    /// Returns the item that replaces one in a later snapshot, for a selection or scroll position:
    /// the item itself if it remains, otherwise the next remaining item, otherwise the one before.
    ///
    /// - Parameters:
    ///   - id: The id of an item of this snapshot.
    ///   - later: The later snapshot, which may lack the item.
    /// - Returns: The id; `nil`: no item remains.
    package func item(nearest id: ExactString, stayingIn later: Snapshot) -> ExactString? {
        if later.position(ofItem: id) != nil { return id }
        let later = later.indexed()
        let ids = sections.flatMap { $0.items.map(\.id) }
        guard let place = ids.firstIndex(of: id) else { return nil }
        func stays(_ id: ExactString) -> Bool { later.position(ofItem: id) != nil }
        return ids[place...].first(where: stays) ?? ids[..<place].last(where: stays)
    }
}
