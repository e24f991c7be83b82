public import Foundation

/// The section index at a table's right edge: touching a title scrolls to its section.
@MainActor
public final class IndexBar: Control {
    /// The width of the bar in points.
    public static let width = 20.0

    /// The titles; if there are none, the bar is not shown.
    public internal(set) var titles: [String] = []

    /// The position of the title under the finger; `nil`: none.
    public private(set) var highlightedIndex: Int?

    weak var table: TableView?

    /// The table, though the bar is not one of its subviews.
    public override var next: Responder? { table ?? super.next }

    /// The window of the table.
    public override var window: Window? { table?.window }

    override var claimsTouches: Bool { true }

    /// Returns the rectangle of a title, in the coordinates of the table's frame.
    public func rect(forTitleAt index: Int) -> CGRect {
        let height = frame.height / Double(max(1, titles.count))
        return CGRect(x: frame.minX, y: Double(index) * height, width: frame.width, height: height)
    }

    /// Scrolls the table to the section of a title.
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

    /// Selects the title under the finger.
    public override func beginTracking(_ touch: Touch) -> Bool {
        follow(touch)
        return true
    }

    /// Selects the title under the finger.
    public override func continueTracking(_ touch: Touch) -> Bool {
        follow(touch)
        return true
    }

    /// Ends the highlighting.
    public override func endTracking(_ touch: Touch?) { highlightedIndex = nil }

    /// Ends the highlighting.
    public override func cancelTracking(_ touch: Touch?) { highlightedIndex = nil }

    private func follow(_ touch: Touch) {
        guard let table, !titles.isEmpty, frame.height > 0 else { return }
        // The bar does not scroll with the content, so positions are relative to the table's frame.
        let point = table.superview?.fromWindow(touch.location) ?? touch.location
        let part = (point.y - table.frame.minY) / frame.height * Double(titles.count)
        let index = min(max(Int(part.rounded(.down)), 0), titles.count - 1)
        guard index != highlightedIndex else { return }
        highlightedIndex = index
        select(index)
    }
}
