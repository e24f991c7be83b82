public import Foundation

/// Selects rows, by code and by taps.
extension TableView {
    /// The selected rows, in the order in which they were selected.
    public var indexPathsForSelectedRows: [IndexPath] { selection }

    /// The selected row, or the first one that was selected; `nil`: none.
    public var indexPathForSelectedRow: IndexPath? { selection.first }

    /// Selects a row by code; the delegate is not notified.
    ///
    /// - Parameters:
    ///   - path: The row; `nil` ends the selection.
    ///   - animated: Whether scrolling to the row is animated.
    ///   - position: The position that the row is scrolled to; `none`: without scrolling.
    /// - Throws: ``FeedUIError`` if there is no such row.
    public func selectRow(
        at path: IndexPath?,
        animated: Bool = false,
        scrollPosition position: ScrollPosition = .none
    ) throws(FeedUIError) {
        guard let path else {
            for path in selection { deselectRow(at: path) }
            return
        }
        guard layout.contains(path) else {
            throw FeedUIError("there is no row \(path[1]) in section \(path[0])")
        }
        if !allowsMultipleSelection {
            for other in selection where other != path { deselectRow(at: other) }
        }
        if !selection.contains(path) { selection.append(path) }
        cells[path]?.isSelected = true
        if position != .none { try scrollToRow(at: path, at: position, animated: animated) }
    }

    /// Deselects a row by code; the delegate is not notified.
    public func deselectRow(at path: IndexPath, animated: Bool = false) {
        selection.removeAll { $0 == path }
        cells[path]?.isSelected = false
    }

    func rowTouchEnded(_ cell: TableViewCell, _ touch: Touch) {
        cell.isHighlighted = false
        guard let path = indexPath(for: cell), cell.frame.contains(fromWindow(touch.location))
        else { return }
        choose(path)
    }

    /// Selects a row as a tap does, and notifies the delegate.
    ///
    /// A program calls this for a key that chooses a row.
    public func choose(_ path: IndexPath) {
        guard layout.contains(path) else { return }
        if allowsSelection { select(path) }
        tableDelegate?.tableView(self, performPrimaryActionForRowAt: path)
    }

    private func select(_ path: IndexPath) {
        if allowsMultipleSelection, selection.contains(path) {
            deselectRow(at: path)
            tableDelegate?.tableView(self, didDeselectRowAt: path)
            return
        }
        if !allowsMultipleSelection {
            for other in selection where other != path {
                deselectRow(at: other)
                tableDelegate?.tableView(self, didDeselectRowAt: other)
            }
        }
        if !selection.contains(path) { selection.append(path) }
        cells[path]?.isSelected = true
        tableDelegate?.tableView(self, didSelectRowAt: path)
    }
}
