extension Changes {
    /// The fewest changes from one snapshot to another, both through the same view.
    ///
    /// Fast where the versions share the items that did not change, as after
    /// ``Snapshot/sharing(with:)``.
    package init(from old: ViewedSnapshot, to new: ViewedSnapshot) {
        var matching = SnapshotMatching(
            from: old.snapshot.sections,
            to: new.snapshot.sections,
            by: .identity
        )
        matching.pairLeft(by: .identity)
        matching.pairLeft(by: .value)
        matching.pairLeftByID()
        self.init()
        feed = new.snapshot.members.edit(from: old.snapshot.members)
        addSections(matching, oldCounts: old.fullCounts, newCounts: new.fullCounts)
        addItems(matching)
    }

    /// Whether nothing changed.
    public var isEmpty: Bool {
        feed.isEmpty && removedSections.isEmpty && insertedSections.isEmpty
            && movedSections.isEmpty && updatedSections.isEmpty && removedItems.isEmpty
            && insertedItems.isEmpty && movedItems.isEmpty && updatedItems.isEmpty
    }

    private mutating func addSections(
        _ matching: SnapshotMatching,
        oldCounts: [Int]?,
        newCounts: [Int]?
    ) {
        for (section, remains) in zip(matching.old, matching.remainingSections) where !remains {
            removedSections.append(section.id)
        }
        let stays = LongestIncreasingSubsequence(of: matching.sectionPartners).membership
        for (index, section) in matching.new.enumerated() {
            let partner = Int(matching.sectionPartners[index])
            guard partner >= 0 else {
                insertedSections.append(
                    SectionInsertion(
                        index: index,
                        id: section.id,
                        members: section.members,
                        fullCount: newCounts?[index]
                    )
                )
                continue
            }
            if !stays[index] { movedSections.append(SectionMove(index: index, id: section.id)) }
            let edit = section.members.edit(from: matching.old[partner].members)
            let count = newCounts?[index]
            let hasNewCount = count != oldCounts?[partner]
            if !edit.isEmpty || hasNewCount {
                updatedSections.append(
                    SectionUpdate(
                        id: section.id,
                        edit: edit,
                        fullCount: hasNewCount ? count : nil
                    )
                )
            }
        }
    }

    private mutating func addItems(_ matching: SnapshotMatching) {
        let remains = matching.remainingSections
        for (place, isPaired) in zip(matching.oldLeft, matching.isPaired)
        where !isPaired && remains[Int(place.section)] {
            removedItems.append(matching.old[place].id)
        }
        var left = 0
        for index in matching.new.indices {
            let start = left
            while left < matching.newLeft.count, matching.newLeft[left].section == index {
                left += 1
            }
            SectionChanges(matching, section: index, left: start..<left).add(to: &self)
        }
    }
}
