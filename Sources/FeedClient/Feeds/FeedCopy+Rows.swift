import FeedDiff
import FeedModel

extension FeedCopy {
    /// Returns the copy with the next rows, in a view that includes them, at the same version.
    ///
    /// - Returns: The copy, and the rows as insertions; `nil`: the rows do not follow the held
    ///   ones, or some are missing.
    func appending(
        _ page: FeedPage,
        through greater: FeedView
    ) -> (copy: FeedCopy, rows: Changes)? {
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
        return (copy, changes)
    }

    /// Applies a record of the cache: a document of the server, or rows that were loaded.
    ///
    /// Loaded rows are stored as changes from the current version to the same version.
    ///
    /// - Throws: ``FeedMismatch`` if the record does not fit; the copy is then unchanged.
    mutating func takeKept(_ document: ServedDocument) throws {
        guard case .changes(let rows, let since) = document.content, since == token,
            document.token == token
        else {
            _ = try take(document)
            return
        }
        guard let grown = try? snapshot.applying(rows) else {
            throw FeedMismatch(reason: "the rows do not follow those that are held")
        }
        try FeedCopy.check(grown, document)
        snapshot = grown
    }

    /// The content with the counts that the server would state.
    var viewed: ViewedSnapshot {
        guard let total else { return ViewedSnapshot(snapshot: snapshot) }
        let counts = snapshot.sections.map { fullCounts[$0.id] ?? $0.items.count }
        return ViewedSnapshot(snapshot: snapshot, fullCounts: counts, total: total)
    }
}
