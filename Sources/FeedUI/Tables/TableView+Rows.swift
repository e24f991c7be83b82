public import Foundation

/// Reading the data source, and cells.
extension TableView {
    /// Says how cells of a kind are made.
    public func register(_ type: TableViewCell.Type, forCellReuseIdentifier identifier: String) {
        kinds[identifier] = { type.init(style: .basic, reuseIdentifier: identifier) }
    }

    /// Says how cells of a kind are made.
    public func register(
        forCellReuseIdentifier identifier: String,
        _ make: @escaping @MainActor () -> TableViewCell
    ) {
        kinds[identifier] = make
    }

    /// A cell that shows no row any more, or a new one; one of the basic style for a kind that was
    /// not registered. A row that is reconfigured gets the cell that it has.
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

    /// Reads everything anew; the selection is forgotten.
    public func reloadData() {
        selection = []
        prefetching = RowPrefetching()
        for path in cells.keys { recycle(path) }
        read()
        measured()
    }

    /// Has the cells of rows filled anew, those that are in sight: the data source dequeues the
    /// cell that a row has, which was not prepared for reuse.
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
            // It has become of another kind.
            recycle(path)
            put(filled, at: path)
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

    /// Has cells for the rows in sight, and for no others.
    func layoutRows() {
        let rows = visibleRows
        let reading = readCount
        var wanted: Set<IndexPath> = []
        for row in rows { wanted.insert(layout.path(row)) }
        for path in cells.keys where !wanted.contains(path) { recycle(path) }
        for row in rows {
            let path = layout.path(row)
            if cells[path] == nil { show(path) }
            // Whoever was asked or told of a row has changed them, and all were laid out then.
            guard readCount == reading else { return }
            place(path)
        }
        prefetch(rows)
    }

    private func place(_ path: IndexPath) {
        cells[path]?.frame = rectForRow(at: path)
    }

    func show(_ path: IndexPath) {
        let reading = readCount
        guard let cell = dataSource?.tableView(self, cellForRowAt: path) else { return }
        guard readCount == reading else {
            // Making the cell has changed the rows: another one shows this row, if it is there.
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

    func recycle(_ path: IndexPath) {
        guard let cell = cells.removeValue(forKey: path) else { return }
        putAway(cell)
        pool[cell.reuseIdentifier, default: []].append(cell)
    }

    /// Has a cell show no row any more.
    func putAway(_ cell: TableViewCell) {
        cell.removeFromSuperview()
        cell.isHighlighted = false
        cell.putAwayCount += 1
    }

    private func prefetch(_ rows: Range<Int>) {
        guard let source = prefetchDataSource else { return }
        let (named, cancelled) = prefetching.update(rows, of: layout.rowCount)
        if !cancelled.isEmpty {
            let paths = cancelled.map(layout.path)
            source.tableView(self, cancelPrefetchingForRowsAt: paths)
        }
        if !named.isEmpty {
            source.tableView(self, prefetchRowsAt: named.map(layout.path))
        }
    }
}

/// Which rows are named ahead.
struct RowPrefetching {
    /// So many rows ahead of those around what is in sight.
    static let rowCount = 60

    private var named: Set<Int> = []
    private var last: Range<Int>?
    private var isUpwards = false

    /// - Parameters:
    ///   - rows: In sight.
    ///   - count: Of all rows.
    /// - Returns: The rows to name, and those to take back.
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
