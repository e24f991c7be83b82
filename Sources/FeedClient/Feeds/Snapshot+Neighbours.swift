package import FeedModel

extension Snapshot {
    /// Returns the id of the item that takes the place of one in a later snapshot: the item itself
    /// if it stays, otherwise the next one that does, otherwise the last one before it.
    ///
    /// - Parameters:
    ///   - id: The id of an item of this snapshot.
    ///   - later: The snapshot that may lack it.
    /// - Returns: `nil` where no item stays.
    package func item(nearest id: ExactString, stayingIn later: Snapshot) -> ExactString? {
        if later.position(ofItem: id) != nil { return id }
        let later = later.indexed()
        let ids = sections.flatMap { $0.items.map(\.id) }
        guard let place = ids.firstIndex(of: id) else { return nil }
        func stays(_ id: ExactString) -> Bool { later.position(ofItem: id) != nil }
        return ids[place...].first(where: stays) ?? ids[..<place].last(where: stays)
    }
}
