import FeedDiff
import FeedModel

/// What the changes between two snapshots have to be, worked out slowly.
struct DiffFewest {
    private let old: [(section: ExactString, ids: [ExactString])]
    private let new: [(section: ExactString, ids: [ExactString])]
    /// The section that each item was in.
    private let oldSections: [ExactString: ExactString]

    init(from old: Snapshot, to new: Snapshot) {
        self.old = old.sections.map { ($0.id, $0.items.map(\.id)) }
        self.new = new.sections.map { ($0.id, $0.items.map(\.id)) }
        oldSections = Dictionary(
            uniqueKeysWithValues: self.old.flatMap { part in part.ids.map { ($0, part.section) } }
        )
    }

    /// What is wrong with `changes`: not the fewest, or not in the order in which they apply.
    func faults(of changes: Changes) -> [String] {
        let newSections = Set(new.map(\.section))
        let newIDs = Set(new.flatMap(\.ids))
        let gone = old.filter { newSections.contains($0.section) }.flatMap(\.ids)
            .filter { !newIDs.contains($0) }
        let came = new.flatMap(\.ids).filter { oldSections[$0] == nil }
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
        let (known, wanted) = (Set(before), Set(after))
        let claims = [
            "removed sections": changes.removedSections == before.filter { !wanted.contains($0) },
            "inserted sections": came.map(\.id) == after.filter { !known.contains($0) },
            "section moves": moved.count == Self.moveCount(from: before, to: after),
            "positions of sections": positions.allSatisfy { after[$0] == $1 },
            "order of section moves": moved.map(\.index) == moved.map(\.index).sorted(),
        ]
        return claims.filter { !$0.value }.map(\.key)
    }

    /// Whether these are final positions, in the order of the feed.
    private func isInPlace(_ list: [(section: ExactString, index: Int, id: ExactString)]) -> Bool {
        if list.isEmpty { return true }
        let order = Self.positions(of: new.flatMap(\.ids))
        let positions = list.map { order[$0.id] ?? -1 }
        let sections = Dictionary(uniqueKeysWithValues: new.map { ($0.section, $0.ids) })
        return positions == positions.sorted()
            && list.allSatisfy { section, index, id in sections[section]?[index] == id }
    }

    /// Those that change their section, and in each section those that must change their order.
    private var moveCount: Int {
        var count = 0
        let sections = Dictionary(uniqueKeysWithValues: old.map { ($0.section, $0.ids) })
        for (section, ids) in new {
            count += ids.count { oldSections[$0] != nil && oldSections[$0] != section }
            count += Self.moveCount(from: sections[section] ?? [], to: ids)
        }
        return count
    }

    /// The length of what is in both less the longest run in the same order, found by comparing
    /// every two.
    static func moveCount(from old: [ExactString], to new: [ExactString]) -> Int {
        let order = Self.positions(of: old)
        let positions = new.compactMap { order[$0] }
        var lengths: [Int] = []
        for (position, value) in positions.enumerated() {
            var longest = 0
            for before in 0..<position where positions[before] < value {
                longest = max(longest, lengths[before])
            }
            lengths.append(longest + 1)
        }
        return positions.count - (lengths.max() ?? 0)
    }

    private static func positions(of ids: [ExactString]) -> [ExactString: Int] {
        Dictionary(uniqueKeysWithValues: zip(ids, ids.indices))
    }
}
