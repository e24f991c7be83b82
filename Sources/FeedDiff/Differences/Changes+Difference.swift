package import FeedModel

extension Changes {
    /// The fewest changes from one snapshot to another, both through the same view.
    ///
    /// What the versions share is not looked into, so that the time grows with what differs, as
    /// after edits and after ``Snapshot/sharing(with:)``.
    package init(from old: ViewedSnapshot, to new: ViewedSnapshot) {
        self.init(SnapshotMatching(from: old, to: new, by: .identity), from: old, to: new)
    }

    /// The same, of what walking along the sections of both has matched.
    init(_ walked: SnapshotMatching, from old: ViewedSnapshot, to new: ViewedSnapshot) {
        var matching = walked
        matching.matchUnmatched(by: .identity)
        matching.matchUnmatched(by: .id)
        self.init()
        feed = new.base.members.edit(from: old.base.members)
        removedSections = matching.removedSections.map(\.section.id)
        moveSections(matching, to: new.base.list)
        for section in matching.newSections { addSection(section) }
        addItems(matching)
    }

    private mutating func moveSections(_ matching: SnapshotMatching, to new: SectionList) {
        var leaf = (entries: ContiguousArray<TreeEntry<FeedSection>>(), start: 0)
        for (run, stays) in zip(
            matching.sectionRuns,
            matching.sectionRuns.longestIncreasingSubsequence
        ) where !stays {
            for index in run.new..<run.new + run.count {
                if !leaf.entries.indices.contains(index - leaf.start) {
                    leaf = new.leaf(around: index)
                }
                let id = leaf.entries[index - leaf.start].element.id
                movedSections.append(SectionMove(index: index, id: id))
            }
        }
    }

    private mutating func addSection(_ section: SnapshotMatching.NewSection) {
        guard let old = section.old else {
            insertedSections.append(
                SectionInsertion(
                    index: section.position,
                    id: section.section.id,
                    members: section.section.members,
                    fullCount: section.fullCount
                )
            )
            return
        }
        let edit = section.section.members.edit(from: old.section.members)
        let hasNewCount = section.fullCount != old.fullCount
        guard !edit.isEmpty || hasNewCount else { return }
        updatedSections.append(
            SectionUpdate(
                id: section.section.id,
                edit: edit,
                fullCount: hasNewCount ? section.fullCount : nil
            )
        )
    }

    private mutating func addItems(_ matching: SnapshotMatching) {
        removedItems = matching.removedItems
        for section in matching.newSections {
            SectionChanges(matching, section).add(to: &self)
        }
    }
}
