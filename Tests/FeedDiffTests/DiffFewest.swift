import FeedDiff
import FeedModel

/// What the changes between two snapshots have to be, worked out slowly.
struct DiffFewest {
    private let old: [(section: ExactString, ids: [ExactString])]
    private let new: [(section: ExactString, ids: [ExactString])]

    init(from old: Snapshot, to new: Snapshot) {
        self.old = old.sections.map { ($0.id, $0.items.map(\.id)) }
        self.new = new.sections.map { ($0.id, $0.items.map(\.id)) }
    }

    /// What is wrong with `changes`: not the fewest, or not in the order in which they apply.
    func faults(of changes: Changes) -> [String] {
        let newSections = Set(new.map(\.section))
        let newIDs = Set(new.flatMap(\.ids))
        let oldIDs = Set(old.flatMap(\.ids))
        let gone = old.filter { newSections.contains($0.section) }.flatMap(\.ids)
            .filter { !newIDs.contains($0) }
        let came = new.flatMap(\.ids).filter { !oldIDs.contains($0) }
        let moved = changes.movedItems
        let claims = [
            "removed items": changes.removedItems == gone,
            "inserted items": changes.insertedItems.map(\.item.id) == came,
            "number of moves": moved.count == moveCount,
            "moved twice": Set(moved.map(\.id)).count == moved.count,
            "positions of insertions": isInPlace(
                changes.insertedItems.map { ($0.section, $0.index, $0.item.id) }
            ),
            "positions of moves": isInPlace(moved.map { ($0.section, $0.index, $0.id) }),
        ]
        return claims.filter { !$0.value }.map(\.key) + sectionFaults(of: changes)
    }

    private func sectionFaults(of changes: Changes) -> [String] {
        let (before, after) = (old.map(\.section), new.map(\.section))
        let came = changes.insertedSections
        let moved = changes.movedSections
        let positions = came.map { ($0.index, $0.id) } + moved.map { ($0.index, $0.id) }
        let claims = [
            "removed sections": changes.removedSections == before.filter { !after.contains($0) },
            "inserted sections": came.map(\.id) == after.filter { !before.contains($0) },
            "section moves": moved.count == Self.moveCount(from: before, to: after),
            "positions of sections": positions.allSatisfy { after[$0] == $1 },
            "order of section moves": moved.map(\.index) == moved.map(\.index).sorted(),
        ]
        return claims.filter { !$0.value }.map(\.key)
    }

    /// Whether these are final positions, in the order of the feed.
    private func isInPlace(_ list: [(section: ExactString, index: Int, id: ExactString)]) -> Bool {
        let order = new.flatMap(\.ids)
        let positions = list.map { order.firstIndex(of: $0.id) ?? -1 }
        return positions == positions.sorted()
            && list.allSatisfy { section, index, id in
                new.first { $0.section == section }?.ids[index] == id
            }
    }

    /// Those that change their section, and in each section those that must change their order.
    private var moveCount: Int {
        var count = 0
        for (section, ids) in new {
            let before = old.first { $0.section == section }?.ids ?? []
            let elsewhere = old.filter { $0.section != section }.flatMap(\.ids)
            count += ids.count(where: elsewhere.contains)
            count += Self.moveCount(from: before, to: ids)
        }
        return count
    }

    /// The length of what is in both less the longest run in the same order, found by comparing
    /// every two.
    static func moveCount(from old: [ExactString], to new: [ExactString]) -> Int {
        let positions = new.compactMap(old.firstIndex(of:))
        var lengths: [Int] = []
        for (position, value) in positions.enumerated() {
            let before = (0..<position).filter { positions[$0] < value }.map { lengths[$0] }.max()
            lengths.append((before ?? 0) + 1)
        }
        return positions.count - (lengths.max() ?? 0)
    }
}
