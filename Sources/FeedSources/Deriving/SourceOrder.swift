import FeedModel

/// The order of a feed's items as ascending labels, so that two items can be compared without the
/// feed.
struct SourceOrder {
    private(set) var labels: [ExactString: Int64] = [:]

    /// The distance between labels where there is room.
    private static let step: Int64 = 1 << 32
    /// The bound of a label's size; if a label would reach it, all labels are made anew.
    private static let bound: Int64 = 1 << 61

    init(_ snapshot: Snapshot) { relabel(snapshot) }

    subscript(id: ExactString) -> Int64? { labels[id] }

    private mutating func relabel(_ snapshot: Snapshot) {
        labels = [:]
        labels.reserveCapacity(snapshot.count)
        var label: Int64 = 0
        for section in snapshot.list {
            section.items.forEachItem { item in
                labels[item.id] = label
                label += SourceOrder.step
            }
        }
    }

    /// Forgets the labels of items that were removed or moved.
    mutating func remove(_ ids: [ExactString]) {
        for id in ids { labels[id] = nil }
    }

    /// Gives labels to items that were inserted or moved and have none.
    ///
    /// - Parameters:
    ///   - positions: The items' positions in `snapshot`, in ascending order.
    ///   - snapshot: The feed as it is now.
    /// - Returns: Whether all other items kept their labels; if not, all labels are new.
    mutating func insert(_ positions: [ItemPosition], in snapshot: Snapshot) -> Bool {
        var start = 0
        while start < positions.count {
            var end = start + 1
            while end < positions.count, positions[end].follows(positions[end - 1], in: snapshot) {
                end += 1
            }
            guard insertRun(positions[start..<end], in: snapshot) else {
                relabel(snapshot)
                return false
            }
            start = end
        }
        return true
    }

    /// Gives labels to items that follow each other.
    ///
    /// - Returns: Whether there was room for the labels.
    private mutating func insertRun(
        _ run: ArraySlice<ItemPosition>,
        in snapshot: Snapshot
    ) -> Bool {
        guard let first = run.first, let last = run.last else { return true }
        let lower = label(from: first, by: -1, in: snapshot)
        let upper = label(from: last, by: 1, in: snapshot)
        let count = Int64(run.count)
        let base: Int64
        var step = SourceOrder.step
        switch (lower, upper) {
        case (nil, nil): base = -step
        case (let lower?, nil): base = lower
        case (nil, let upper?): base = upper - (count + 1) * step
        case (let lower?, let upper?):
            base = lower
            step = (upper - lower) / (count + 1)
            guard step > 0 else { return false }
        }
        guard abs(base) < SourceOrder.bound, abs(base + count * step) < SourceOrder.bound else {
            return false
        }
        for (offset, position) in run.enumerated() {
            labels[snapshot.list[position].id] = base + Int64(offset + 1) * step
        }
        return true
    }

    /// Returns the label of the nearest item on one side that has a label.
    private func label(
        from position: ItemPosition,
        by direction: Int,
        in snapshot: Snapshot
    ) -> Int64? {
        var (section, index) = (Int(position.section), Int(position.index) + direction)
        while true {
            let items = snapshot.list[section].items
            while items.indices.contains(index) {
                if let label = labels[items[index].id] { return label }
                index += direction
            }
            section += direction
            guard snapshot.list.indices.contains(section) else { return nil }
            index = direction > 0 ? 0 : snapshot.list[section].items.count - 1
        }
    }
}

extension ItemPosition {
    /// Returns whether this position comes after `other` with no item in between.
    fileprivate func follows(_ other: ItemPosition, in snapshot: Snapshot) -> Bool {
        if section == other.section { return index == other.index + 1 }
        return index == 0 && snapshot.list[Int(other.section)].items.count == Int(other.index) + 1
            && (other.section + 1..<section).allSatisfy { snapshot.list[Int($0)].items.isEmpty }
    }
}
