import FeedModel
import Foundation

/// The difference between two snapshots, with the fewest moves: a longest sequence of sections, and
/// of items in each section, that keeps its order is not moved.
struct SnapshotDifference<Section: Hashable & Sendable, Item: Hashable & Sendable> {
    typealias Snapshot = DiffableDataSourceSnapshot<Section, Item>

    private(set) var updates = RowUpdates()

    private let old: Snapshot
    private let new: Snapshot
    private let oldSections: [Section: Int]
    private let newSections: [Section: Int]

    init(from old: Snapshot, to new: Snapshot) {
        (self.old, self.new) = (old, new)
        oldSections = Dictionary(uniqueKeysWithValues: zip(old.sectionIdentifiers, 0...))
        newSections = Dictionary(uniqueKeysWithValues: zip(new.sectionIdentifiers, 0...))
        compareSections()
        compareItems()
    }

    private mutating func compareSections() {
        for (position, section) in old.sectionIdentifiers.enumerated()
        where newSections[section] == nil {
            updates.deletedSections.append(position)
        }
        let staying = new.sectionIdentifiers.compactMap { oldSections[$0] }
        let inOrder = Set(staying.longestIncreasing)
        for (position, section) in new.sectionIdentifiers.enumerated() {
            guard let from = oldSections[section] else {
                updates.insertedSections.append(position)
                continue
            }
            if !inOrder.contains(from) {
                updates.movedSections.append((from, position))
            }
        }
    }

    private mutating func compareItems() {
        var oldPaths: [Item: IndexPath] = [:]
        for (position, section) in old.sectionIdentifiers.enumerated() {
            for (row, item) in old.itemIdentifiers(inSection: section).enumerated() {
                oldPaths[item] = [position, row]
                guard newSections[section] != nil,
                    new.sectionIdentifier(containingItem: item) == nil
                else { continue }
                updates.deletedRows.append([position, row])
            }
        }
        for (position, section) in new.sectionIdentifiers.enumerated() {
            let items = new.itemIdentifiers(inSection: section)
            let own = oldSections[section]
            let staying = items.compactMap { item -> Int? in
                guard let own, let path = oldPaths[item], path[0] == own else { return nil }
                return path[1]
            }
            let inOrder = Set(staying.longestIncreasing)
            for (row, item) in items.enumerated() {
                guard let from = oldPaths[item] else {
                    guard own != nil else { continue }
                    updates.insertedRows.append([position, row])
                    continue
                }
                if from[0] == own, inOrder.contains(from[1]) { continue }
                updates.movedRows.append((from, [position, row]))
            }
        }
        addReloads(oldPaths)
    }

    private mutating func addReloads(_ oldPaths: [Item: IndexPath]) {
        updates.reloadedSections = new.reloadedSectionIdentifiers.compactMap { oldSections[$0] }
        let gone = Set(updates.reloadedSections)
        func staying(_ items: Set<Item>) -> [IndexPath] {
            items.compactMap { oldPaths[$0] }.filter { !gone.contains($0[0]) }
        }
        let reloaded = new.reloadedItemIdentifiers
        updates.reloadedRows = staying(reloaded)
        updates.reconfiguredRows = staying(new.reconfiguredItemIdentifiers.subtracting(reloaded))
    }
}

extension Array where Element == Int {
    /// A longest increasing subsequence; all numbers must differ (Fredman, "On computing the length
    /// of longest increasing subsequences", 1975).
    var longestIncreasing: [Int] {
        // For each length, the index of the smallest number that ends a subsequence of that length.
        var ends: [Int] = []
        var before = [Int](repeating: -1, count: count)
        for (index, number) in enumerated() {
            let length = ends.partitionPoint { self[$0] < number }
            before[index] = length > 0 ? ends[length - 1] : -1
            if length == ends.count { ends.append(index) } else { ends[length] = index }
        }
        var result: [Int] = []
        var index = ends.last ?? -1
        while index >= 0 {
            result.append(self[index])
            index = before[index]
        }
        return result.reversed()
    }
}
