import FeedModel

/// Pairs the items of a section with those of an earlier version by walking along both lists, so
/// that only the items left unmatched need a hash table.
///
/// Storage that both lists share is skipped. Elsewhere items are paired by id, which is unique, so
/// each pair is the one that a hash table would find. Where the lists differ, the walk looks a few
/// positions ahead; pairs that it misses stay unmatched.
struct SequenceMatcher {
    /// Two items with the same id that are different objects.
    struct ObjectPair {
        var old: Int
        var new: Int
        var before: FeedItem
        var after: FeedItem
    }

    /// The pairs, in the order of both lists.
    private(set) var runs: [ListRun] = []
    /// The indices of items of the old list without a pair, ascending.
    private(set) var oldUnmatched: [Range<Int>] = []
    /// The indices of items of the new list without a pair, ascending.
    private(set) var newUnmatched: [Range<Int>] = []
    /// The pairs of items whose values differ, ascending in both lists.
    private(set) var changedPairs: [ObjectPair] = []
    /// The pairs of two objects with equal values, ascending in both lists.
    private(set) var equalPairs: [ObjectPair] = []

    private typealias Gap = TreeDifference<FeedItem>.Gap

    /// The distance to look ahead, in items skipped on both sides.
    ///
    /// The distance is halved while searches fail.
    ///
    /// If items are skipped on one side only, the distance is ten times as long, because many items
    /// may have been inserted at once.
    private static let reach = 6

    /// Walks along two lists, the earlier one and the later one.
    init(from old: ItemList, to new: ItemList) {
        // The shared elements begin here.
        var (oldStart, newStart) = (0, 0)
        for gap in TreeDifference(from: old.tree, to: new.tree).gaps() {
            runs.add(old: oldStart, new: newStart, count: gap.oldStart - oldStart)
            match(gap)
            (oldStart, newStart) = (gap.oldEnd, gap.newEnd)
        }
        runs.add(old: oldStart, new: newStart, count: old.count - oldStart)
    }

    private mutating func match(_ gap: Gap) {
        let (old, new) = (gap.old, gap.new)
        var (i, j) = (old.startIndex, new.startIndex)
        var (oldEnd, newEnd) = (old.endIndex, new.endIndex)
        while i < oldEnd, j < newEnd, old[oldEnd - 1].isSame(as: new[newEnd - 1]) {
            (oldEnd, newEnd) = (oldEnd - 1, newEnd - 1)
        }
        var reach = Self.reach
        // The first items without a pair begin here.
        var (oldStart, newStart) = (i, j)
        while i < oldEnd, j < newEnd {
            if old[i].isSame(as: new[j]) {
                addUnmatched(gap, old: oldStart..<i, new: newStart..<j)
                addPair(gap, i, j)
                (i, j, reach) = (i + 1, j + 1, Self.reach)
                (oldStart, newStart) = (i, j)
            } else {
                let skip = skip(old[i..<oldEnd], new[j..<newEnd], reach: reach)
                // After a failed search, one item of each list is given up and the next search is
                // shorter: lists in an entirely different order should not cost a long search at
                // every position.
                if skip == nil { reach /= 2 }
                (i, j) = (i + (skip?.old ?? 1), j + (skip?.new ?? 1))
            }
        }
        addUnmatched(gap, old: oldStart..<oldEnd, new: newStart..<newEnd)
        for position in oldEnd..<old.endIndex { addPair(gap, position, position - oldEnd + newEnd) }
    }

    private mutating func addPair(_ gap: Gap, _ i: Int, _ j: Int) {
        let (old, new) = (gap.oldPosition(i), gap.newPosition(j))
        runs.add(old: old, new: new, count: 1)
        let (before, after) = (gap.old[i], gap.new[j])
        guard before !== after else { return }
        let pair = ObjectPair(old: old, new: new, before: before, after: after)
        if before.json == after.json { equalPairs.append(pair) } else { changedPairs.append(pair) }
    }

    private mutating func addUnmatched(_ gap: Gap, old: Range<Int>, new: Range<Int>) {
        if !old.isEmpty {
            oldUnmatched.append(gap.oldPosition(old.lowerBound)..<gap.oldPosition(old.upperBound))
        }
        if !new.isEmpty {
            newUnmatched.append(gap.newPosition(new.lowerBound)..<gap.newPosition(new.upperBound))
        }
    }

    /// Returns the fewest items to skip on both sides to reach a pair; `nil` if there is none in
    /// reach.
    private func skip(
        _ old: ArraySlice<FeedItem>,
        _ new: ArraySlice<FeedItem>,
        reach: Int
    ) -> (old: Int, new: Int)? {
        for distance in stride(from: 1, through: 10 * reach, by: 1) {
            let step = distance <= reach ? 1 : distance
            for skipped in stride(from: 0, through: distance, by: step) {
                let i = old.startIndex + skipped
                let j = new.startIndex + distance - skipped
                if i < old.endIndex, j < new.endIndex, old[i].isSame(as: new[j]) {
                    return (skipped, distance - skipped)
                }
            }
        }
        return nil
    }
}

extension FeedItem {
    /// Returns whether this and `other` are the same item, perhaps in two versions.
    func isSame(as other: FeedItem) -> Bool {
        self === other || id == other.id
    }
}
