public import Foundation

/// A list of sections with rows, all rows of one height.
///
/// Follows `UITableView` with its plain style: sticky headers, a section index, reused cells,
/// selection, prefetching, and batches of updates during which the visible rows keep their
/// position.
@MainActor
open class TableView: ScrollView {
    /// The position in the view that a row is scrolled to.
    public enum ScrollPosition: Sendable { case none, top, middle, bottom }

    /// Whether the section index is shown.
    public enum IndexDisplayMode: Sendable { case automatic, alwaysHidden }

    /// Whether rows can be selected.
    open var allowsSelection = true
    /// Whether several rows can be selected.
    open var allowsMultipleSelection = false
    /// Whether the first visible row keeps its position even at the top of the content, so that
    /// rows inserted above it are not seen.
    open var keepsPositionAtTop = false
    /// The object that is notified of the rows that will soon be needed.
    public weak var prefetchDataSource: (any TableViewDataSourcePrefetching)? {
        didSet { prefetching = RowPrefetching() }
    }

    var layout = TableLayout()
    var cells: [IndexPath: TableViewCell] = [:]
    var pool: [String: [TableViewCell]] = [:]
    var kinds: [String: @MainActor () -> TableViewCell] = [:]
    /// The row that is being reconfigured, and its cell.
    var reconfigured: (path: IndexPath, cell: TableViewCell)?
    var selection: [IndexPath] = []
    var prefetching = RowPrefetching()
    var indexTitles: [String]?
    var batch: RowUpdates?
    /// The number of times that the data source was read; a change shows that a callback has
    /// changed the rows.
    var readCount = 0
    var completions: [(Duration, @MainActor (Bool) -> Void)] = []
    var staticSource: StaticDataSource?
    /// The section index at the right edge.
    public let indexBar = IndexBar()

    /// Makes a table.
    public override init(frame: CGRect = .zero) {
        super.init(frame: frame)
        indexBar.table = self
    }

    /// Makes a table of rows that never change.
    public convenience init(frame: CGRect, staticSections: [StaticSection]) {
        self.init(frame: frame)
        let source = StaticDataSource(staticSections)
        staticSource = source
        dataSource = source
        reloadData()
    }

    /// The data source; the table does not retain it.
    public private(set) weak var dataSource: (any TableViewDataSource)? {
        didSet { reloadData() }
    }

    /// Sets the data source.
    ///
    /// - Throws: ``FeedUIError`` if the table's rows are static.
    open func setDataSource(_ source: (any TableViewDataSource)?) throws(FeedUIError) {
        guard staticSource == nil else {
            throw FeedUIError("a static table has the rows that it was made with")
        }
        dataSource = source
    }

    /// Whether the section index is shown.
    open var indexDisplayMode = IndexDisplayMode.automatic {
        didSet { readIndex() }
    }

    /// The height of each row in points.
    public var rowHeight: Double {
        get { layout.rowHeight }
        set {
            layout.rowHeight = newValue
            measured()
        }
    }

    /// The height of each header in points.
    public var sectionHeaderHeight: Double {
        get { layout.headerHeight }
        set {
            layout.headerHeight = newValue
            measured()
        }
    }

    var tableDelegate: (any TableViewDelegate)? { delegate as? any TableViewDelegate }

    open override func didScroll() { layoutRows() }

    open override func adjustedContentInsetDidChange() { layoutRows() }

    open override func boundsDidChange() {
        super.boundsDidChange()
        measured()
    }

    override func touchDelay(for content: Widget) -> Duration {
        content is TableViewCell ? .milliseconds(80) : super.touchDelay(for: content)
    }

    override func step(to time: Duration) {
        super.step(to: time)
        complete(before: time)
    }

    override func windowDidChange() {
        super.windowDidChange()
        complete(before: nil)
    }

    override var isAtRest: Bool { completions.isEmpty && super.isAtRest }

    open override func hitTest(_ point: CGPoint) -> Widget? {
        guard !isHidden, isUserInteractionEnabled, frame.contains(point) else { return nil }
        let inView = CGPoint(x: point.x - frame.minX, y: point.y - frame.minY)
        if indexTitles != nil, indexBar.frame.contains(inView) { return indexBar }
        if visibleHeaders.contains(where: { $0.top..<$0.top + layout.headerHeight ~= inView.y }) {
            return self
        }
        return super.hitTest(point)
    }

    /// Returns the scroll position, with the identifier of the first visible row if the data source
    /// has one.
    open override func encodeRestorableState() -> RestorableState {
        var state = super.encodeRestorableState()
        if !isAtTop, let path = indexPathsForVisibleRows.first {
            state.item = dataSource?.tableView(self, restorationIdentifierForRowAt: path)
            state.distance = layout.top(path) - offset.y
        }
        return state
    }

    /// Scrolls to a stored position: to the row with the same identifier if it still exists,
    /// wherever it is now.
    open override func decodeRestorableState(_ state: RestorableState) {
        guard !state.isAtTop else {
            return setContentOffset(CGPoint(x: 0, y: ends(.vertical).lowerBound))
        }
        guard let item = state.item, let distance = state.distance,
            let path = dataSource?.tableView(self, indexPathForRestorationIdentifier: item),
            layout.contains(path)
        else { return super.decodeRestorableState(state) }
        setContentOffset(CGPoint(x: state.x, y: layout.top(path) - distance))
    }
}

/// Counts and positions.
extension TableView {
    /// The number of sections.
    public var numberOfSections: Int { layout.counts.count }

    /// Returns the number of rows in a section; 0 if there is no such section.
    public func numberOfRows(inSection section: Int) -> Int {
        layout.counts.indices.contains(section) ? layout.counts[section] : 0
    }

    /// Returns the rectangle of a row in the content; empty if there is no such row.
    public func rectForRow(at path: IndexPath) -> CGRect {
        guard layout.contains(path) else { return .zero }
        return CGRect(x: 0, y: layout.top(path), width: frame.width, height: layout.rowHeight)
    }

    /// Returns the row at a point of the content; `nil`: none.
    public func indexPathForRow(at point: CGPoint) -> IndexPath? {
        let rows = layout.rows(from: point.y, to: point.y + 0.001)
        return rows.first.map(layout.path)
    }

    /// The rows that are visible, even if only in part.
    public var indexPathsForVisibleRows: [IndexPath] { visibleRows.map(layout.path) }

    /// The cells of the visible rows.
    public var visibleCells: [TableViewCell] {
        indexPathsForVisibleRows.compactMap { cells[$0] }
    }

    /// Returns the cell of a row; `nil`: the row is not visible.
    public func cellForRow(at path: IndexPath) -> TableViewCell? { cells[path] }

    /// Returns the row that a cell shows; `nil`: none.
    public func indexPath(for cell: TableViewCell) -> IndexPath? {
        cells.first { $0.value === cell }?.key
    }

    var visibleRows: Range<Int> {
        layout.rows(from: offset.y, to: offset.y + frame.height)
    }

    /// The visible headers, with the distance of each from the view's top in points.
    public var visibleHeaders: [(section: Int, title: String, top: Double)] {
        guard layout.height > 0, frame.height > 0 else { return [] }
        let inset = adjustedContentInset.top
        var section = layout.section(at: max(0, offset.y))
        var headers: [(section: Int, title: String, top: Double)] = []
        while section < layout.counts.count, layout.top(section) - offset.y < frame.height {
            if let title = layout.titles[section] {
                let natural = layout.top(section) - offset.y
                let last = layout.end(section) - offset.y - layout.headerHeight
                let top = max(natural, min(inset, last))
                if top + layout.headerHeight > 0, top < frame.height {
                    headers.append((section, title, top))
                }
            }
            section += 1
        }
        return headers
    }

    /// Scrolls to a row.
    ///
    /// - Parameters:
    ///   - path: The row.
    ///   - position: The position in the view; `none`: just as far as needed to show the row.
    ///   - animated: Whether the scrolling is animated.
    /// - Throws: ``FeedUIError`` if there is no such row.
    public func scrollToRow(
        at path: IndexPath,
        at position: ScrollPosition,
        animated: Bool
    ) throws(FeedUIError) {
        guard layout.contains(path) else {
            throw FeedUIError("there is no row \(path[1]) in section \(path[0])")
        }
        let inset = adjustedContentInset
        let (top, header) = (layout.top(path), layout.header(path[0]))
        let start = top - inset.top - header
        let end = top + layout.rowHeight - frame.height + inset.bottom
        let target: Double
        switch position {
        case .top: target = start
        case .bottom: target = end
        case .middle: target = (top + top + layout.rowHeight - frame.height) / 2
        case .none: target = offset.y > start ? start : offset.y < end ? end : offset.y
        }
        setContentOffset(CGPoint(x: offset.x, y: target), animated: animated)
    }
}
