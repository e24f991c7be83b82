import FeedModel
import FeedUI
import Foundation

/// Rows in order, and those that a search finds.
extension Reader {
    /// Selects the next row, or the first or last one that is seen.
    func select(_ step: Int) {
        let visible = table.indexPathsForVisibleRows
        guard let first = visible.first, let last = visible.last else { return }
        let next: IndexPath?
        if let selected = table.indexPathForSelectedRow {
            next = path(after: selected, step)
        } else {
            next = step > 0 ? first : last
        }
        guard let next else { return }
        try? table.selectRow(at: next)
        try? table.scrollToRow(at: next, at: .none, animated: false)
    }

    /// The next row in a direction, across sections.
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

    /// Selects the next row whose words have a text.
    func find(_ text: String, isForward: Bool) {
        guard !text.isEmpty else { return say("/ searches") }
        let start = table.indexPathForSelectedRow ?? [0, isForward ? -1 : 0]
        var path: IndexPath? = start
        let total = feed.snapshot.count
        for _ in 0...total {
            path =
                path.flatMap { self.path(after: $0, isForward ? 1 : -1) }
                ?? edge(isForward)
            guard let path else { break }
            let words = ItemWords(feed.item(path))
            if words.title.localizedCaseInsensitiveContains(text) {
                try? table.selectRow(at: path)
                try? table.scrollToRow(at: path, at: .none, animated: false)
                return
            }
        }
        say("nothing has “\(text)”")
    }

    private func edge(_ isForward: Bool) -> IndexPath? {
        isForward ? path(after: [-1, 0], 1) : path(after: [table.numberOfSections, 0], -1)
    }
}
