public import Foundation

/// Reads the data source, and manages cells.
extension TableView {
    /// Registers the class of cells with a reuse identifier.
    public func register(_ type: TableViewCell.Type, forCellReuseIdentifier identifier: String) {
        kinds[identifier] = { type.init(style: .basic, reuseIdentifier: identifier) }
    }

    /// Registers a function that makes cells with a reuse identifier.
    public func register(
        forCellReuseIdentifier identifier: String,
        _ make: @escaping @MainActor () -> TableViewCell
    ) {
        kinds[identifier] = make
    }

    /// Returns a cell for a row: an unused one, or a new one.
    ///
    /// For an identifier that was not registered, the cell has the basic style. A row that is being
    /// reconfigured gets its own cell.
    public func dequeueReusableCell(
        withIdentifier identifier: String,
        for path: IndexPath
    ) -> TableViewCell {
        if let reconfigured, reconfigured.path == path,
            reconfigured.cell.reuseIdentifier == identifier
        {
            return reconfigured.cell
        }
        if let cell = pool[identifier]?.popLast() {
            cell.prepareForReuse()
            return cell
        }
        return kinds[identifier]?() ?? TableViewCell(reuseIdentifier: identifier)
    }

    /// Reads the data source again, and makes all cells new.
    ///
    /// The selection is lost.
    public func reloadData() {
        selection = []
        prefetching = RowPrefetching()
        let old = cells.values
        cells = [:]
        read()
        for cell in old { recycle(cell) }
        measured()
    }

    /// Has the data source configure the cells of visible rows again.
    ///
    /// The data source dequeues the cell that the row has, which was not prepared for reuse.
    public func reconfigureRows(at paths: [IndexPath]) {
        for path in paths {
            guard let cell = cells[path] else { continue }
            let reading = readCount
            reconfigured = (path, cell)
            let filled = dataSource?.tableView(self, cellForRowAt: path)
            reconfigured = nil
            guard let filled, filled !== cell else { continue }
            guard readCount == reading else {
                pool[filled.reuseIdentifier, default: []].append(filled)
                return
            }
            // The data source returned a cell of another kind.
            put(filled, at: path)
            recycle(cell)
        }
    }

    func read() {
        readCount += 1
        let source = dataSource
        let count = source?.numberOfSections(in: self) ?? 0
        let sections = 0..<count
        layout.set(
            counts: sections.map { source?.tableView(self, numberOfRowsInSection: $0) ?? 0 },
            titles: sections.map { source?.tableView(self, titleForHeaderInSection: $0) }
        )
        readIndex()
    }

    func readIndex() {
        let titles =
            indexDisplayMode == .automatic ? dataSource?.sectionIndexTitles(for: self) : nil
        indexTitles = titles?.isEmpty == false ? titles : nil
        indexBar.titles = indexTitles ?? []
    }

    func measured() {
        size = CGSize(width: frame.width, height: layout.height)
        indexBar.frame = CGRect(
            x: frame.width - IndexBar.width,
            y: 0,
            width: IndexBar.width,
            height: frame.height
        )
        settle()
        layoutRows()
    }

    /// Makes cells for the rows in sight, places them, and recycles all others.
    func layoutRows() {
        let rows = visibleRows
        let reading = readCount
        var wanted: Set<IndexPath> = []
        for row in rows { wanted.insert(layout.path(row)) }
        for path in cells.keys where !wanted.contains(path) {
            if let cell = cells.removeValue(forKey: path) { recycle(cell) }
            // A touch on the row was cancelled, which has called back.
            guard readCount == reading, visibleRows == rows else { return }
        }
        for row in rows {
            let path = layout.path(row)
            if cells[path] == nil { show(path, of: rows) }
            // A callback has changed the rows or scrolled, which has laid out all of them already.
            guard readCount == reading, visibleRows == rows else { return }
            place(path)
        }
        prefetch(rows)
    }

    private func place(_ path: IndexPath) {
        cells[path]?.frame = rectForRow(at: path)
    }

    private func show(_ path: IndexPath, of rows: Range<Int>) {
        let reading = readCount
        guard let cell = dataSource?.tableView(self, cellForRowAt: path) else { return }
        guard readCount == reading, visibleRows == rows, cells[path] == nil else {
            // Making the cell has changed the rows or scrolled, and all were laid out then.
            pool[cell.reuseIdentifier, default: []].append(cell)
            return
        }
        put(cell, at: path)
    }

    private func put(_ cell: TableViewCell, at path: IndexPath) {
        cell.table = self
        cell.isSelected = selection.contains(path)
        cells[path] = cell
        addSubview(cell)
        place(path)
        tableDelegate?.tableView(self, willDisplay: cell, forRowAt: path)
    }

    /// Keeps a cell that no row has any more, to be used for other rows.
    func recycle(_ cell: TableViewCell) {
        putAway(cell)
        pool[cell.reuseIdentifier, default: []].append(cell)
    }

    /// Removes a cell from the table, which cancels a touch on it: that may call back.
    func putAway(_ cell: TableViewCell) {
        cell.removeFromSuperview()
        cell.isHighlighted = false
    }

    private func prefetch(_ rows: Range<Int>) {
        guard let source = prefetchDataSource else { return }
        let (named, cancelled) = prefetching.update(rows, of: layout.rowCount)
        let reading = readCount
        if !cancelled.isEmpty {
            let paths = cancelled.map(layout.path)
            source.tableView(self, cancelPrefetchingForRowsAt: paths)
        }
        // If the callback has changed the rows, others were named.
        if !named.isEmpty, readCount == reading {
            source.tableView(self, prefetchRowsAt: named.map(layout.path))
        }
    }
}

/// Decides which rows the data source is asked to prefetch: the next ones in the direction of
/// scrolling.
struct RowPrefetching {
    /// The number of rows to prefetch beyond one screen.
    static let rowCount = 60

    private var named: Set<Int> = []
    private var last: Range<Int>?
    private var isUpwards = false

    /// Updates the rows in sight; returns the rows to prefetch now, and those that are no longer
    /// needed.
    mutating func update(_ rows: Range<Int>, of count: Int) -> (named: [Int], cancelled: [Int]) {
        if let last, last.lowerBound != rows.lowerBound {
            isUpwards = rows.lowerBound < last.lowerBound
        }
        last = rows
        let reach = RowPrefetching.rowCount + rows.count
        let ahead =
            isUpwards
            ? max(0, rows.lowerBound - reach)..<rows.lowerBound
            : min(rows.upperBound, count)..<min(rows.upperBound + reach, count)
        let new = ahead.filter { !named.contains($0) }
        let old = named.filter { !ahead.contains($0) }
        named = named.intersection(ahead).union(new)
        return (new, old.filter { !rows.contains($0) && $0 < count }.sorted())
    }
}
