import FeedModel

extension PlacedChanges {
    /// Finds the changes between two versions, both in the same view.
    ///
    /// The parts that both versions share are not compared, so the time grows with the differences,
    /// as after edits and after ``Snapshot/sharing(with:)``.
    package init(from old: ViewedSnapshot, to new: ViewedSnapshot) {
        self.init(SnapshotMatching(from: old, to: new, by: .identity), from: old, to: new)
    }

    /// Finds the changes from the sections and items that a walk along both versions has matched.
    init(_ walked: SnapshotMatching, from old: ViewedSnapshot, to new: ViewedSnapshot) {
        var matching = walked
        matching.matchUnmatched(by: .identity)
        matching.matchUnmatched(by: .id)
        self.init()
        feed = new.base.members.edit(from: old.base.members)
        removedSections = matching.removedSections.map(\.position)
        moveSections(matching.sectionRuns)
        removedItems = matching.removedItems
        for section in matching.newSections {
            add(section)
            let changes = SectionChanges(matching, section)
            addItems(
                inserted: changes.inserted,
                moved: changes.moved,
                toSection: section.position,
                from: section.old?.position
            )
            updatedItems += changes.updated
        }
        departures = movedItems.indices.map { Int32($0) }
        departures.sort { movedItems[Int($0)].old < movedItems[Int($1)].old }
    }

    private mutating func moveSections(_ runs: [ListRun]) {
        for (run, stays) in zip(runs, runs.longestIncreasingSubsequence) where !stays {
            for offset in 0..<run.count {
                movedSections.append(Pair(old: run.old + offset, new: run.new + offset))
            }
        }
    }

    private mutating func add(_ section: SnapshotMatching.NewSection) {
        guard let old = section.old else {
            insertedSections.append(section.position)
            return
        }
        let edit = section.section.members.edit(from: old.section.members)
        let hasNewCount = section.fullCount != old.fullCount
        guard !edit.isEmpty || hasNewCount else { return }
        updatedSections.append(
            SectionUpdate(
                position: Pair(old: old.position, new: section.position),
                edit: edit,
                fullCount: hasNewCount ? section.fullCount : nil
            )
        )
    }
}
