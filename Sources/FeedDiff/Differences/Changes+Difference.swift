package import FeedModel

extension Changes {
    /// The fewest changes from one snapshot to another, both through the same view.
    ///
    /// What the versions share is not looked into, so that the time grows with what differs, as
    /// after edits and after ``Snapshot/sharing(with:)``.
    package init(from old: ViewedSnapshot, to new: ViewedSnapshot) {
        let hasFullCounts = old.fullCounts != nil || new.fullCounts != nil
        var matching = SnapshotMatching(
            from: old.snapshot,
            to: new.snapshot,
            by: .identity,
            isShallow: !hasFullCounts
        )
        matching.matchUnmatched(by: .identity)
        matching.matchUnmatchedByID()
        self.init()
        feed = new.snapshot.members.edit(from: old.snapshot.members)
        removedSections = matching.removedSections.map(\.section.id)
        moveSections(matching, to: new.snapshot.list)
        for section in matching.newSections {
            addSection(section, oldCounts: old.fullCounts, newCounts: new.fullCounts)
        }
        addItems(matching)
    }

    private mutating func moveSections(_ matching: SnapshotMatching, to new: SectionList) {
        for (run, stays) in zip(
            matching.sectionRuns,
            matching.sectionRuns.longestIncreasingSubsequence
        ) where !stays {
            for index in run.new..<run.new + run.count {
                movedSections.append(SectionMove(index: index, id: new[index].id))
            }
        }
    }

    private mutating func addSection(
        _ section: SnapshotMatching.NewSection,
        oldCounts: [Int]?,
        newCounts: [Int]?
    ) {
        let count = newCounts?[section.position]
        guard let old = section.old else {
            insertedSections.append(
                SectionInsertion(
                    index: section.position,
                    id: section.section.id,
                    members: section.section.members,
                    fullCount: count
                )
            )
            return
        }
        let edit = section.section.members.edit(from: old.section.members)
        let hasNewCount = count != oldCounts?[old.position]
        guard !edit.isEmpty || hasNewCount else { return }
        updatedSections.append(
            SectionUpdate(
                id: section.section.id,
                edit: edit,
                fullCount: hasNewCount ? count : nil
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
