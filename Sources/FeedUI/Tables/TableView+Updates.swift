public import Foundation

/// Batches of updates. The first visible row that remains keeps its position on the screen.
extension TableView {
    /// Applies several updates together.
    ///
    /// The updates name positions before or after all updates of the batch (``RowUpdates``).
    ///
    /// - Parameters:
    ///   - animated: Whether the updates are animated.
    ///   - updates: Changes the data source, and calls the methods for inserting, deleting, moving
    ///     and reloading. A nested batch becomes part of this one.
    ///   - completion: Called when the updates are over.
    /// - Throws: The error of `updates`, or ``FeedUIError`` if the updates do not fit the data
    ///   source. The table is then reloaded.
    public func performBatchUpdates(
        animated: Bool = true,
        _ updates: () throws -> Void,
        completion: (@MainActor (Bool) -> Void)? = nil
    ) throws {
        if batch != nil {
            try updates()
            add(completion, animated)
            return
        }
        batch = RowUpdates()
        do {
            try updates()
        } catch {
            batch = nil
            reloadData()
            throw error
        }
        // Updates that callbacks name from here on are another batch.
        let named = batch ?? RowUpdates()
        batch = nil
        try carryOut(named, animated)
        add(completion, animated)
        if window == nil { complete(before: nil) }
    }

    /// Calls the completions of updates that are over; `nil`: all are, as without a window no time
    /// passes.
    func complete(before time: Duration?) {
        let due = completions.filter { completion in time.map { completion.0 <= $0 } ?? true }
        completions.removeAll { completion in time.map { completion.0 <= $0 } ?? true }
        for completion in due { completion.1(true) }
    }

    private func add(_ completion: (@MainActor (Bool) -> Void)?, _ animated: Bool) {
        guard let completion else { return }
        let delay: Duration = animated ? .milliseconds(300) : .zero
        completions.append(((window?.time ?? .zero) + delay, completion))
    }

    /// Inserts rows, at positions after the batch.
    public func insertRows(at paths: [IndexPath]) throws { try add { $0.insertedRows += paths } }

    /// Deletes rows, at positions before the batch.
    public func deleteRows(at paths: [IndexPath]) throws { try add { $0.deletedRows += paths } }

    /// Gives rows new cells; the positions are those before the batch.
    public func reloadRows(at paths: [IndexPath]) throws { try add { $0.reloadedRows += paths } }

    /// Moves a row from a position before the batch to a position after it.
    public func moveRow(at from: IndexPath, to: IndexPath) throws {
        try add { $0.movedRows.append((from, to)) }
    }

    /// Inserts sections, at positions after the batch.
    public func insertSections(_ sections: IndexSet) throws {
        try add { $0.insertedSections += sections }
    }

    /// Deletes sections, at positions before the batch.
    public func deleteSections(_ sections: IndexSet) throws {
        try add { $0.deletedSections += sections }
    }

    /// Reads sections again, with new cells; the positions are those before the batch.
    public func reloadSections(_ sections: IndexSet) throws {
        try add { $0.reloadedSections += sections }
    }

    /// Moves a section from a position before the batch to a position after it.
    public func moveSection(_ from: Int, toSection to: Int) throws {
        try add { $0.movedSections.append((from, to)) }
    }

    private func add(_ change: (inout RowUpdates) -> Void) throws {
        guard var updates = batch else {
            return try performBatchUpdates { try add(change) }
        }
        change(&updates)
        batch = updates
    }

    private func carryOut(_ updates: RowUpdates, _ animated: Bool) throws {
        guard staticSource == nil || updates.isEmpty else {
            throw FeedUIError("a static table cannot change")
        }
        let old = layout
        let before = anchor(in: old)
        read()
        let mapping: RowMapping
        do {
            mapping = try RowMapping(updates, from: old.counts, to: layout.counts)
        } catch {
            reloadData()
            throw error
        }
        let reading = readCount
        let replaced = take(mapping)
        // If a callback has changed the rows, all were laid out then.
        let isCurrent = readCount == reading
        if isCurrent { keep(before, by: mapping) }
        for cell in replaced { pool[cell.reuseIdentifier, default: []].append(cell) }
        guard isCurrent else { return reconfigureRows(at: indexPathsForVisibleRows) }
        reconfigureRows(at: updates.reconfiguredRows.compactMap(mapping.path))
    }

    /// Moves cells and the selection to the new positions of their rows; returns the cells of
    /// reloaded rows, which get new ones.
    private func take(_ mapping: RowMapping) -> [TableViewCell] {
        var kept: [IndexPath: TableViewCell] = [:]
        var (removed, replaced): ([TableViewCell], [TableViewCell]) = ([], [])
        for (path, cell) in cells {
            if let now = mapping.path(of: path) {
                if mapping.isReloaded(path) { replaced.append(cell) } else { kept[now] = cell }
            } else {
                removed.append(cell)
            }
        }
        cells = kept
        selection = selection.compactMap(mapping.path)
        prefetching = RowPrefetching()
        for cell in replaced { putAway(cell) }
        for cell in removed { recycle(cell) }
        return replaced
    }

    /// Returns the rows from the first visible one on, with the layout before the batch; `nil`: at
    /// the top of the content no row keeps its position, so that inserted rows are seen.
    private func anchor(in layout: TableLayout) -> (rows: Range<Int>, layout: TableLayout)? {
        guard let first = visibleRows.first, keepsPositionAtTop || !isAtTop else { return nil }
        return (first..<layout.rowCount, layout)
    }

    private func keep(_ before: (rows: Range<Int>, layout: TableLayout)?, by mapping: RowMapping) {
        size = CGSize(width: frame.width, height: layout.height)
        if let before {
            func isKept(_ row: Int) -> Bool {
                mapping.keptPath(of: before.layout.path(row)) != nil
            }
            // If none of these rows remains, the nearest remaining row above them is taken.
            let kept =
                before.rows.first(where: isKept)
                ?? (0..<before.rows.lowerBound).last(where: isKept)
            if let path = kept.map(before.layout.path), let now = mapping.keptPath(of: path) {
                shift(by: layout.top(now) - before.layout.top(path))
            }
        }
        measured()
    }
}
