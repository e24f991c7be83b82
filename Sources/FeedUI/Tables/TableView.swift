public import Foundation

/// A list of sections with rows, all rows of one height.
///
/// Follows `UITableView` with its plain style: headers that stick, an index, cells that are used
/// again, selection, prefetching, and batches of updates that keep what is seen where it is.
@MainActor
open class TableView: ScrollView {
    /// Where a row is scrolled to.
    public enum ScrollPosition: Sendable { case none, top, middle, bottom }

    /// Whether there is an index.
    public enum IndexDisplayMode: Sendable { case automatic, alwaysHidden }

    /// Whether rows can be selected.
    open var allowsSelection = true
    /// Whether several can.
    open var allowsMultipleSelection = false
    /// Whether rows that come above the first one leave that where it is even at the very top.
    open var keepsPositionAtTop = false
    /// Is told which rows will soon be needed.
    public weak var prefetchDataSource: (any TableViewDataSourcePrefetching)? {
        didSet { prefetching = RowPrefetching() }
    }

    var layout = TableLayout()
    var cells: [IndexPath: TableViewCell] = [:]
    var pool: [String: [TableViewCell]] = [:]
    var kinds: [String: @MainActor () -> TableViewCell] = [:]
    /// The row that is reconfigured, and its cell.
    var reconfigured: (path: IndexPath, cell: TableViewCell)?
    var selection: [IndexPath] = []
    var prefetching = RowPrefetching()
    var indexTitles: [String]?
    var batch: RowUpdates?
    /// How often the data source was read.
    var readCount = 0
    var completions: [(Duration, @MainActor (Bool) -> Void)] = []
    var staticSource: StaticDataSource?
    /// Jumps to sections.
    public let indexBar = IndexBar()

    /// Makes a table.
    public override init(frame: CGRect = .zero) {
        super.init(frame: frame)
        indexBar.table = self
        layout.set(rowHeight: 44, headerHeight: 28)
    }

    /// Makes a table of rows that never change.
    public convenience init(frame: CGRect, staticSections: [StaticSection]) {
        self.init(frame: frame)
        let source = StaticDataSource(staticSections)
        staticSource = source
        dataSource = source
        reloadData()
    }

    /// Says what it shows; is held weakly.
    public private(set) weak var dataSource: (any TableViewDataSource)? {
        didSet { reloadData() }
    }

    /// Gives it a data source.
    ///
    /// - Throws: Where its rows are static.
    open func setDataSource(_ source: (any TableViewDataSource)?) throws(FeedUIError) {
        guard staticSource == nil else {
            throw FeedUIError("a static table has the rows that it was made with")
        }
        dataSource = source
    }

    /// Whether there is an index.
    open var indexDisplayMode = IndexDisplayMode.automatic {
        didSet { readIndex() }
    }

    /// The height of rows.
    public var rowHeight: Double {
        get { layout.rowHeight }
        set {
            layout.set(rowHeight: newValue, headerHeight: layout.headerHeight)
            measured()
        }
    }

    /// The height of headers.
    public var sectionHeaderHeight: Double {
        get { layout.headerHeight }
        set {
            layout.set(rowHeight: layout.rowHeight, headerHeight: newValue)
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
        if window == nil { complete(before: nil) }
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

    /// Where it is, by the item of the first row in sight where the data source knows it.
    open override func encodeRestorableState() -> RestorableState {
        var state = super.encodeRestorableState()
        if !isAtTop, let path = indexPathsForVisibleRows.first {
            state.item = dataSource?.tableView(self, restorationIdentifierForRowAt: path)
            state.distance = layout.top(path) - offset.y
        }
        return state
    }

    /// Goes to where it was: to the same item, though others came above.
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

/// Numbers and places.
extension TableView {
    /// The number of sections.
    public var numberOfSections: Int { layout.counts.count }

    /// The number of rows of a section; 0 where there is none.
    public func numberOfRows(inSection section: Int) -> Int {
        layout.counts.indices.contains(section) ? layout.counts[section] : 0
    }

    /// Where a row is in the content; empty where there is none.
    public func rectForRow(at path: IndexPath) -> CGRect {
        guard layout.contains(path) else { return .zero }
        return CGRect(x: 0, y: layout.top(path), width: frame.width, height: layout.rowHeight)
    }

    /// The row at a point of the content.
    public func indexPathForRow(at point: CGPoint) -> IndexPath? {
        let rows = layout.rows(from: point.y, to: point.y + 0.001)
        return rows.first.map(layout.path)
    }

    /// The rows in sight, if only in part.
    public var indexPathsForVisibleRows: [IndexPath] { visibleRows.map(layout.path) }

    /// The cells of those.
    public var visibleCells: [TableViewCell] {
        indexPathsForVisibleRows.compactMap { cells[$0] }
    }

    /// The cell that shows a row; `nil` where it is not in sight.
    public func cellForRow(at path: IndexPath) -> TableViewCell? { cells[path] }

    /// The row that a cell shows.
    public func indexPath(for cell: TableViewCell) -> IndexPath? {
        cells.first { $0.value === cell }?.key
    }

    var visibleRows: Range<Int> {
        layout.rows(from: offset.y, to: offset.y + frame.height)
    }

    /// The headers in sight, and how far each is below the view's top.
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
    ///   - position: Where it is to be; `none`: no further than shows it.
    ///   - animated: Whether that takes a moment.
    /// - Throws: Where there is no such row.
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
