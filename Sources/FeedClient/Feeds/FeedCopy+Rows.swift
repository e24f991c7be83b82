import FeedModel

extension FeedCopy {
    /// This with the rows that follow, at the same version.
    ///
    /// - Parameters:
    ///   - page: The rows.
    ///   - greater: The view that shows these rows, too.
    /// - Returns: `nil` where they do not follow those that are held, or are fewer than they should.
    func appending(_ page: FeedPage, through greater: FeedView) -> FeedCopy? {
        let count = snapshot.count + page.rows.count
        guard page.token == token, page.offset == snapshot.count,
            count == min(greater.limit ?? .max, page.total)
        else { return nil }
        let indexed = snapshot.indexed()
        var changes = Changes()
        var ends: [ExactString: Int] = [:]
        for row in page.rows {
            guard let section = indexed.position(ofSection: row.section) else { return nil }
            let end = ends[row.section] ?? indexed.sections[section].items.count
            guard row.index == end else { return nil }
            ends[row.section] = end + 1
            changes.insertedItems.append(
                Changes.ItemInsertion(section: row.section, index: row.index, item: row.item)
            )
        }
        guard let grown = try? indexed.applying(changes) else { return nil }
        var copy = self
        copy.snapshot = grown
        copy.view = greater
        return copy
    }
}
