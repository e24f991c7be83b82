public import Foundation

/// Batches of updates. What is seen stays where it is: the first row in sight that stays does.
extension TableView {
    /// Carries updates out together, in terms of places before and after all of them.
    ///
    /// - Parameters:
    ///   - animated: Whether it takes a moment until they are over.
    ///   - updates: Changes what the data source shows, and names the updates. A batch within it is
    ///     part of it.
    ///   - completion: Is called when they are over.
    /// - Throws: What does not fit, with the section and the numbers; the table then shows what the
    ///   data source has.
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
        // Updates that are named while these are carried out are a batch of their own.
        let named = batch ?? RowUpdates()
        batch = nil
        try carryOut(named, animated)
        add(completion, animated)
        if window == nil { complete(before: nil) }
    }

    /// Calls those who wait for updates to be over.
    ///
    /// - Parameter time: By which they are; `nil`: all are, as without a window no time passes.
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

    /// Rows come, at places after the batch.
    public func insertRows(at paths: [IndexPath]) throws { try add { $0.insertedRows += paths } }

    /// Rows go, from places before the batch.
    public func deleteRows(at paths: [IndexPath]) throws { try add { $0.deletedRows += paths } }

    /// Rows are filled anew, by other cells, at places before the batch.
    public func reloadRows(at paths: [IndexPath]) throws { try add { $0.reloadedRows += paths } }

    /// A row goes from a place before the batch to one after it.
    public func moveRow(at from: IndexPath, to: IndexPath) throws {
        try add { $0.movedRows.append((from, to)) }
    }

    /// Sections come, at places after the batch.
    public func insertSections(_ sections: IndexSet) throws {
        try add { $0.insertedSections += sections }
    }

    /// Sections go, from places before the batch.
    public func deleteSections(_ sections: IndexSet) throws {
        try add { $0.deletedSections += sections }
    }

    /// Sections are read anew, at places before the batch.
    public func reloadSections(_ sections: IndexSet) throws {
        try add { $0.reloadedSections += sections }
    }

    /// A section goes from a place before the batch to one after it.
    public func moveSection(_ from: Int, toSection to: Int) throws {
        try add { $0.movedSections.append((from, to)) }
    }

    /// Rows whose cells stay and are filled anew after the batch, at places before it.
    func nameReconfigured(_ paths: [IndexPath]) { batch?.reconfiguredRows += paths }

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
        let place = anchor(in: old)
        read()
        let mapping: RowMapping
        do {
            mapping = try RowMapping(updates, from: old.counts, to: layout.counts)
        } catch {
            reloadData()
            throw error
        }
        let replaced = take(mapping)
        keep(place, by: mapping)
        for cell in replaced { pool[cell.reuseIdentifier, default: []].append(cell) }
        reconfigureRows(at: updates.reconfiguredRows.compactMap(mapping.path))
    }

    /// Puts cells and selection where their rows are now.
    ///
    /// - Returns: The cells of rows that are reloaded, which take others.
    private func take(_ mapping: RowMapping) -> [TableViewCell] {
        var kept: [IndexPath: TableViewCell] = [:]
        var replaced: [TableViewCell] = []
        for (path, cell) in cells {
            guard let now = mapping.path(of: path) else {
                recycle(path)
                continue
            }
            if mapping.isReloaded(path) {
                putAway(cell)
                replaced.append(cell)
            } else {
                kept[now] = cell
            }
        }
        cells = kept
        selection = selection.compactMap(mapping.path)
        prefetching = RowPrefetching()
        return replaced
    }

    /// The rows from the first in sight on, and how far the first is below the view's top; `nil` at
    /// the very top, where what comes above is to be seen.
    private func anchor(in layout: TableLayout) -> (rows: Range<Int>, layout: TableLayout)? {
        guard let first = visibleRows.first, keepsPositionAtTop || !isAtTop else { return nil }
        return (first..<layout.rowCount, layout)
    }

    private func keep(_ place: (rows: Range<Int>, layout: TableLayout)?, by mapping: RowMapping) {
        size = CGSize(width: frame.width, height: layout.height)
        if let place {
            func isKept(_ row: Int) -> Bool {
                mapping.keptPath(of: place.layout.path(row)) != nil
            }
            // Where none of those stays, what was above them does.
            let kept =
                place.rows.first(where: isKept)
                ?? (0..<place.rows.lowerBound).last(where: isKept)
            if let path = kept.map(place.layout.path), let now = mapping.keptPath(of: path) {
                shift(by: layout.top(now) - place.layout.top(path))
            }
        }
        measured()
    }
}

extension RowMapping {
    /// Where a row is that did not move by itself; `nil` if it did, or went.
    func keptPath(of old: IndexPath) -> IndexPath? { hasMoved(old) ? nil : path(of: old) }
}
