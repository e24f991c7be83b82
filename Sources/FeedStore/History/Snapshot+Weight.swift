import FeedDiff
import FeedModel

extension Snapshot {
    /// Bytes that are held for this version once `next` has followed it, for the history.
    ///
    /// Those are the items that `changes` touches, the parts of the lists that `next` does not
    /// share, and what the objects cost.
    func weight(before next: Snapshot, changes: Changes) -> Int {
        var weight = 512 + changes.weight(from: self) + structureByteCount(notIn: next)
        weight += 96 * (changes.counts(from: self).items.removed + changes.updatedItems.count)
        return weight
    }
}
