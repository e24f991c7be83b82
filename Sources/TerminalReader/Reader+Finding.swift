import FeedModel
import FeedUI
import Foundation

/// Selects rows, and searches among them.
extension Reader {
    /// The rows on the screen that are not covered by a header.
    var rowsInSight: [IndexPath] {
        guard rows > 2 else { return [] }
        let headers = Set(table.visibleHeaders.map { row($0.top) })
        return table.indexPathsForVisibleRows.filter { path in
            let row = row(table.rectForRow(at: path).minY - table.contentOffset.y)
            return 1..<rows - 1 ~= row && !headers.contains(row)
        }
    }

    /// Selects the next row in a direction.
    ///
    /// If the selected row is not in sight, the first or last row in sight is selected.
    func select(_ step: Int) {
        let inSight = rowsInSight.isEmpty ? table.indexPathsForVisibleRows : rowsInSight
        if let selected = table.indexPathForSelectedRow, inSight.contains(selected) {
            show(path(after: selected, step))
        } else {
            show(step > 0 ? inSight.first : inSight.last)
        }
    }

    /// Selects a row, and scrolls just as far as needed to show it.
    func show(_ path: IndexPath?) {
        guard let path else { return }
        try? table.selectRow(at: path)
        try? table.scrollToRow(at: path, at: .none, animated: false)
        showSelected()
    }

    /// Selects the nearest row in sight if the selected row was scrolled out of sight.
    func followSelection() {
        let inSight = rowsInSight
        guard let selected = table.indexPathForSelectedRow, let first = inSight.first,
            let last = inSight.last, !inSight.contains(selected)
        else { return }
        show(selected < first ? first : last)
    }

    /// Returns the next row in a direction, across sections; `nil`: there is none.
    func path(after path: IndexPath, _ step: Int) -> IndexPath? {
        let row = path[1] + step
        if 0..<table.numberOfRows(inSection: path[0]) ~= row { return [path[0], row] }
        var section = path[0] + step
        while 0..<table.numberOfSections ~= section {
            let count = table.numberOfRows(inSection: section)
            if count > 0 { return [section, step > 0 ? 0 : count - 1] }
            section += step
        }
        return nil
    }

    /// Goes to the next occurrence of a text, in the item that is read or among the rows.
    func find(_ text: String, isForward: Bool) {
        if isReading {
            findInArticle(text, isForward: isForward)
        } else {
            findRow(text, isForward: isForward)
        }
    }

    /// Selects the next row whose item contains a text, wrapping around at the end.
    private func findRow(_ text: String, isForward: Bool) {
        guard !text.isEmpty else { return say("/ searches") }
        let start = table.indexPathForSelectedRow ?? [0, isForward ? -1 : 0]
        var path: IndexPath? = start
        let total = feed.snapshot.count
        for _ in 0...total {
            path =
                path.flatMap { self.path(after: $0, isForward ? 1 : -1) }
                ?? edge(isForward)
            guard let path else { break }
            if ItemWords.has(text, in: feed.item(path)) {
                return show(path)
            }
        }
        say("nothing has “\(text)”")
    }

    /// Returns the first row of all if `isForward`, otherwise the last.
    func edge(_ isForward: Bool) -> IndexPath? {
        isForward ? path(after: [-1, 0], 1) : path(after: [table.numberOfSections, 0], -1)
    }
}
