package import FeedModel

extension Changes {
    /// Computes the fewest changes from one snapshot to another, both in the same view.
    ///
    /// Storage that both versions share is not compared, so the time depends only on the
    /// differences. Versions share storage after edits and after ``Snapshot/following(_:)``.
    package init(from old: ViewedSnapshot, to new: ViewedSnapshot) {
        self.init(SnapshotMatching(from: old, to: new))
    }

    /// Computes the fewest changes from one whole snapshot to another.
    package init(from old: Snapshot, to new: Snapshot) {
        self.init(from: ViewedSnapshot(snapshot: old), to: ViewedSnapshot(snapshot: new))
    }

    /// Makes the changes between two versions from their pairs of sections and items.
    init(_ matching: SnapshotMatching) {
        self.init()
        let new = matching.new.base
        feed = new.members.edit(from: matching.old.base.members)
        removedSections = matching.removedSections.map(\.section.id)
        // As few sections as possible move, and of these the ones with the fewest bytes, because a
        // JSON Patch has them whole. Both are in one number: a feed has less than 64 GiB, and fewer
        // than 2^27 sections.
        let moved = matching.sectionRuns.movedPositions { run in
            run.count << 36 + new.list.byteCount(of: run.new..<run.new + run.count)
        }
        movedSections = moved.map { SectionMove(index: $0, id: new.list[$0].id) }
        removedItems = matching.removedItems
        for section in matching.newSections {
            add(section)
            addItems(of: section, matching)
        }
    }

    /// Adds an inserted section, or the update of one.
    private mutating func add(_ section: SnapshotMatching.NewSection) {
        let new = section.new
        guard let old = section.old else {
            insertedSections.append(
                SectionInsertion(
                    index: new.position,
                    id: new.section.id,
                    members: new.section.members,
                    fullCount: new.fullCount
                )
            )
            return
        }
        let edit = new.section.members.edit(from: old.section.members)
        let newCount = new.fullCount == old.fullCount ? nil : new.fullCount
        guard !edit.isEmpty || newCount != nil else { return }
        updatedSections.append(SectionUpdate(id: new.section.id, edit: edit, fullCount: newCount))
    }

    /// Adds the inserted, moved and updated items of a section.
    private mutating func addItems(
        of section: SnapshotMatching.NewSection,
        _ matching: SnapshotMatching
    ) {
        let (olds, news) = (matching.oldUnmatched, matching.newUnmatched)
        let id = section.new.section.id
        var updated = section.matcher.changedPairs
            .map { (index: $0.new, before: $0.before, after: $0.after) }
        // The items that were in this section before, ascending; only some of them move.
        var reordered: [ListRun] = []
        var moved: [Int] = []
        for number in section.unmatched {
            let (item, index) = (news.items[number], Int(news.positions[number].index))
            let partner = Int(news.partners[number])
            guard partner >= 0 else {
                insertedItems.append(ItemInsertion(section: id, index: index, item: item))
                continue
            }
            let (before, position) = (olds.items[partner], olds.positions[partner])
            if Int(position.section) == section.old?.position {
                reordered.append(ListRun(old: Int(position.index), new: index, count: 1))
            } else {
                moved.append(index)
            }
            if before !== item, before.json != item.json { updated.append((index, before, item)) }
        }
        if !reordered.isEmpty {
            moved += (section.matcher.runs + reordered).sorted { $0.new < $1.new }
                .movedPositions { $0.count }
        }
        moved.sort()
        movedItems += zip(moved, section.new.section.items.elements(at: moved))
            .map { ItemMove(section: id, index: $0, id: $1.id) }
        updatedItems += updated.sorted { $0.index < $1.index }
            .map {
                ItemUpdate(id: $0.after.id, edit: $0.after.members.edit(from: $0.before.members))
            }
    }
}

extension Changes {
    /// Returns the numbers of changed sections and items that the response to a publish states,
    /// including the items of inserted and removed sections.
    package func counts(from old: Snapshot) -> ChangeCounts {
        ChangeCounts(
            items: ChangeCounts.Tally(
                inserted: insertedItems.count,
                removed: removedItems.count + goneWithSections(of: old).count,
                moved: movedItems.count,
                updated: updatedItems.count
            ),
            sections: ChangeCounts.Tally(
                inserted: insertedSections.count,
                removed: removedSections.count,
                moved: movedSections.count,
                updated: updatedSections.count
            )
        )
    }

    /// Returns the bytes of the items that were inserted, removed or updated, for the history's
    /// limit: those of their JSON, for an updated item in `old`, and 96 for each object of a
    /// removed or updated one.
    package func weight(from old: Snapshot) -> Int {
        var weight = insertedItems.reduce(0) { $0 + $1.item.json.bytes.count }
        let gone = goneWithSections(of: old)
        weight += gone.byteCount + 96 * (gone.count + removedItems.count + updatedItems.count)
        let old = old.indexed()
        for id in removedItems { weight += old.item(id)?.byteCount ?? 0 }
        for update in updatedItems { weight += old.item(update.id)?.byteCount ?? 0 }
        return weight
    }

    /// Returns the number of items of removed sections that did not move to another section, and
    /// the bytes of their JSON.
    private func goneWithSections(of old: Snapshot) -> (count: Int, byteCount: Int) {
        guard !removedSections.isEmpty else { return (0, 0) }
        let old = old.indexed()
        let positions = Set(removedSections.compactMap(old.position(ofSection:)))
        var (count, byteCount) = (0, 0)
        for position in positions {
            count += old.list[position].items.count
            byteCount += old.list[position].items.byteCount
        }
        for move in movedItems {
            guard let position = old.position(ofItem: move.id),
                positions.contains(Int(position.section))
            else { continue }
            count -= 1
            byteCount -= old.list[position].byteCount
        }
        return (count, byteCount)
    }
}
