package import FeedModel

extension Snapshot {
    /// Returns an equal snapshot, with its index of ids, that shares as much storage as possible
    /// with `old`: each item that equals one of `old` is replaced by that object, and unchanged
    /// parts of lists are shared.
    ///
    /// The time depends on the parts that are not shared already. A snapshot that was just parsed
    /// is compared with all of `old`.
    package func sharing(with old: Snapshot) -> Snapshot { sharing(matching(old)) }

    /// Returns the snapshot of ``sharing(with:)``, as the version after `old`, and the fewest
    /// changes that lead to it.
    package func following(_ old: Snapshot) -> (snapshot: Snapshot, changes: Changes) {
        let matching = matching(old)
        return (sharing(matching), Changes(matching))
    }

    private func matching(_ old: Snapshot) -> SnapshotMatching {
        SnapshotMatching(from: ViewedSnapshot(snapshot: old), to: ViewedSnapshot(snapshot: self))
    }

    private func sharing(_ matching: SnapshotMatching) -> Snapshot {
        var sharing = SnapshotSharing(matching)
        if isIndexed { sharing.putBackEqualValues() } else { sharing.rebuild() }
        return sharing.result.indexed()
    }
}

/// Makes a snapshot share storage with an earlier one.
private struct SnapshotSharing {
    private let matching: SnapshotMatching
    private(set) var result: Snapshot

    init(_ matching: SnapshotMatching) {
        self.matching = matching
        result = matching.new.base
    }

    /// Restores the earlier snapshot's members and items where edits have replaced them by equal
    /// ones.
    mutating func putBackEqualValues() {
        let members = matching.old.base.members
        if members == result.members { result.members = members }
        for section in matching.newSections {
            let position = section.new.position
            if let before = section.old?.section.members, before == section.new.section.members {
                result.setMembers(before, ofSection: position)
            }
            for pair in section.matcher.equalPairs {
                let position = ItemPosition(section: position, index: pair.new)
                result.replaceItem(at: position, with: pair.before)
            }
            putBackEqualItems(section.unmatched)
        }
    }

    /// Rebuilds a snapshot that was just parsed by applying as few changes as possible to the lists
    /// of the earlier snapshot.
    mutating func rebuild() {
        let (old, new) = (matching.old.base, matching.new.base)
        if matching.keepsSections {
            result = old.indexed()
        } else {
            result = Snapshot(members: old.members, sections: new.list)
            for section in matching.newSections {
                guard let before = section.old?.section else { continue }
                result.list[section.new.position] = before
            }
        }
        if new.members != old.members { result.members = new.members }
        // If nearly every part of a list has a change, a whole new list is built.
        let isWhole = matching.changeCount > new.count / 16
        if isWhole { result.forgetIndex() }
        for section in matching.newSections {
            let position = section.new.position
            guard let before = section.old?.section else {
                putBackEqualItems(section.unmatched)
                continue
            }
            if before.members != section.new.section.members {
                result.setMembers(section.new.section.members, ofSection: position)
            }
            if isWhole, section.hasChanges {
                result.list[position].items = ItemList(items(of: section, before.items))
            } else {
                replaceChanged(section)
                splice(section, before.items.count)
            }
        }
    }

    /// Replaces items that a walk did not pair by equal items of the earlier snapshot.
    ///
    /// - Parameter numbers: The indices of the items in ``SnapshotMatching/newUnmatched``.
    private mutating func putBackEqualItems(_ numbers: Range<Int>) {
        for number in numbers {
            let item = shared(number)
            guard item !== matching.newUnmatched.items[number] else { continue }
            result.replaceItem(at: matching.newUnmatched.positions[number], with: item)
        }
    }

    /// Returns the items of a section, with the old objects for those that are equal.
    private func items(of section: SnapshotMatching.NewSection, _ before: ItemList) -> [FeedItem] {
        let old = section.matcher.runs.isEmpty ? [] : Array(before)
        var items: [FeedItem] = []
        items.reserveCapacity(section.new.section.items.count)
        var next = section.unmatched.lowerBound
        for run in section.matcher.runs + [
            ListRun(old: 0, new: section.new.section.items.count, count: 0)
        ] {
            let end = next + run.new - items.count
            items += (next..<end).lazy.map(shared)
            next = end
            items += old[run.old..<run.old + run.count]
        }
        for pair in section.matcher.changedPairs { items[pair.new] = pair.after }
        return items
    }

    /// Returns the old item that equals an unmatched item, or else the unmatched item itself.
    private func shared(_ number: Int) -> FeedItem {
        let item = matching.newUnmatched.items[number]
        let partner = Int(matching.newUnmatched.partners[number])
        guard partner >= 0 else { return item }
        let before = matching.oldUnmatched.items[partner]
        return before.json == item.json ? before : item
    }

    /// Replaces the items whose values differ.
    private mutating func replaceChanged(_ section: SnapshotMatching.NewSection) {
        for pair in section.matcher.changedPairs {
            let position = ItemPosition(section: section.new.position, index: pair.old)
            result.replaceItem(at: position, with: pair.after)
        }
    }

    /// Removes and inserts the items between the pairs, from the end of the section to its start.
    private mutating func splice(_ section: SnapshotMatching.NewSection, _ oldCount: Int) {
        var oldEnd = oldCount
        var newEnd = section.new.section.items.count
        var end = section.unmatched.upperBound
        for run in section.matcher.runs.reversed() + [ListRun(old: 0, new: 0, count: 0)] {
            let old = run.old + run.count..<oldEnd
            let count = newEnd - (run.new + run.count)
            if !old.isEmpty { result.removeItems(old, section: section.new.position) }
            if count > 0 {
                let items = (end - count..<end).map(shared)
                result.insert(
                    items,
                    at: ItemPosition(section: section.new.position, index: old.lowerBound)
                )
                end -= count
            }
            (oldEnd, newEnd) = (run.old, run.new)
        }
    }
}

extension Snapshot {
    /// Returns the bytes of lists and members that this version does not share with `next`, without
    /// those of items.
    ///
    /// The time depends on the parts that are not shared.
    package func structureByteCount(notIn next: Snapshot) -> Int {
        let difference = TreeDifference(from: list.tree, to: next.list.tree)
        var count = difference.oldByteCount
        if !members.list.isIdentical(to: next.members.list) { count += members.memoryByteCount }
        count += indexByteCount(notIn: next)
        var successors: [ExactString: FeedSection] = [:]
        let gaps = difference.gaps()
        for gap in gaps {
            for section in gap.new { successors[section.id] = section }
        }
        for section in gaps.lazy.flatMap(\.old) {
            guard let next = successors[section.id] else {
                count += section.items.tree.summary.arrayByteCount
                count += section.members.memoryByteCount
                continue
            }
            let items = TreeDifference(from: section.items.tree, to: next.items.tree)
            count += items.oldByteCount
            if !section.members.list.isIdentical(to: next.members.list) {
                count += section.members.memoryByteCount
            }
        }
        return count
    }
}
