public import Foundation

/// The letters at a table's right edge: a finger on one leads to its section.
@MainActor
public final class IndexBar: Control {
    /// How wide it is.
    public static let width = 20.0

    /// The letters; none: it is not shown.
    public internal(set) var titles: [String] = []

    /// The letter under the finger.
    public private(set) var highlightedIndex: Int?

    weak var table: TableView?

    /// The table, though it lies beside the rows.
    public override var next: Responder? { table ?? super.next }

    override var claimsTouches: Bool { true }

    /// The part of the bar that belongs to a title, in the table's own frame.
    public func rect(forTitleAt index: Int) -> CGRect {
        let height = frame.height / Double(max(1, titles.count))
        return CGRect(x: frame.minX, y: Double(index) * height, width: frame.width, height: height)
    }

    /// Leads to the section of a title.
    public func select(_ index: Int) {
        guard let table, titles.indices.contains(index), table.numberOfSections > 0 else { return }
        let asked = table.dataSource?.tableView(
            table,
            sectionForSectionIndexTitle: titles[index],
            at: index
        )
        let section = min(max(asked ?? index, 0), table.numberOfSections - 1)
        let top = table.layout.top(section) - table.adjustedContentInset.top
        table.setContentOffset(CGPoint(x: table.contentOffset.x, y: top))
    }

    /// Follows a finger from title to title.
    public override func beginTracking(_ touch: Touch) -> Bool {
        follow(touch)
        return true
    }

    /// Follows a finger from title to title.
    public override func continueTracking(_ touch: Touch) -> Bool {
        follow(touch)
        return true
    }

    /// Shows no letter any more.
    public override func endTracking(_ touch: Touch?) { highlightedIndex = nil }

    /// Shows no letter any more.
    public override func cancelTracking(_ touch: Touch?) { highlightedIndex = nil }

    private func follow(_ touch: Touch) {
        guard let table, !titles.isEmpty, frame.height > 0 else { return }
        // The bar stays while the content moves, so it is measured from the table's own frame.
        let point = table.superview?.fromWindow(touch.location) ?? touch.location
        let part = (point.y - table.frame.minY) / frame.height * Double(titles.count)
        let index = min(max(Int(part.rounded(.down)), 0), titles.count - 1)
        guard index != highlightedIndex else { return }
        highlightedIndex = index
        select(index)
    }
}
