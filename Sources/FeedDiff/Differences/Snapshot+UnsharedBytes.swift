package import FeedModel

extension Snapshot {
    /// Returns the bytes that only this version holds after `next` has followed it: the lists and
    /// members that `next` does not share, but not the items.
    ///
    /// The time grows with the parts that both do not share.
    package func structureByteCount(notIn next: Snapshot) -> Int {
        let difference = TreeDifference(from: list.tree, to: next.list.tree)
        var count = difference.oldByteCount
        if !members.shares(next.members) { count += members.memoryByteCount }
        count += indexByteCount(notIn: next)
        var successors: [ExactString: FeedSection] = [:]
        for gap in difference.gaps {
            for section in gap.new { successors[section.id] = section }
        }
        for section in difference.gaps.lazy.flatMap(\.old) {
            guard let next = successors[section.id] else {
                count += section.items.tree.summary.arrayByteCount
                count += section.members.memoryByteCount
                continue
            }
            let items = TreeDifference(
                from: section.items.tree,
                to: next.items.tree,
                hasGaps: false
            )
            count += items.oldByteCount
            if !section.members.shares(next.members) { count += section.members.memoryByteCount }
        }
        return count
    }
}

extension Members {
    /// Returns whether both share the same storage.
    fileprivate func shares(_ other: Members) -> Bool {
        // The spans of slices are available on older systems than those of arrays.
        let (own, others) = (list[...], other.list[...])
        return own.span.isIdentical(to: others.span)
    }
}
