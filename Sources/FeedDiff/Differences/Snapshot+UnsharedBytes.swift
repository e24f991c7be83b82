package import FeedModel

extension Snapshot {
    /// The bytes that are held for this version alone once `next` has followed it: the lists and
    /// the members that `next` does not share, but not the items.
    ///
    /// The time grows with what the two do not share.
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
    /// Whether both are the same storage.
    fileprivate func shares(_ other: Members) -> Bool {
        // The spans of slices are older than those of arrays.
        let (own, others) = (list[...], other.list[...])
        return own.span.isIdentical(to: others.span)
    }
}
