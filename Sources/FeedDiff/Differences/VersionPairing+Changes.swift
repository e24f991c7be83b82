package import FeedModel

extension VersionPairing {
    /// The fewest changes between the two versions through a view, as ``Changes`` finds them.
    ///
    /// Takes as long as what is shown: a few nanoseconds for each item, and more for each change.
    ///
    /// - Parameters:
    ///   - oldVersion: The whole version that this was made from.
    ///   - newVersion: The whole version that it leads to.
    ///   - view: What is shown of both.
    package func changes(
        from oldVersion: Snapshot,
        to newVersion: Snapshot,
        through view: FeedView
    ) -> Changes {
        var cut = PairedChanges(
            self,
            from: PairedView(old, of: oldVersion, through: view),
            to: PairedView(new, of: newVersion, through: view)
        )
        return cut.changes()
    }
}

/// Cuts the changes through a view from a pairing.
private struct PairedChanges {
    private let pairing: VersionPairing
    private let old: PairedView
    private let new: PairedView
    private var result = Changes()

    init(_ pairing: VersionPairing, from old: PairedView, to new: PairedView) {
        (self.pairing, self.old, self.new) = (pairing, old, new)
    }

    mutating func changes() -> Changes {
        result.feed = new.version.members.edit(from: old.version.members)
        addRemovals()
        addSections()
        for position in 0..<new.sectionCount { addItems(ofSection: position) }
        return result
    }

    /// Where the new section at a position was listed before.
    private func oldPosition(ofSection position: Int) -> Int? {
        old.position(ofSection: Int(pairing.new.sections[new.number(ofSection: position)]))
    }

    /// Adds the sections that went, and the items that went from others.
    private mutating func addRemovals() {
        var gone: [Int] = []
        for position in 0..<old.sectionCount {
            let partner = Int(pairing.old.sections[old.number(ofSection: position)])
            guard new.position(ofSection: partner) != nil else {
                gone.append(position)
                continue
            }
            let items = old.items(ofSection: position)
            var removed: [Int] = []
            for number in items where !new.shows(item: Int(pairing.old.items[number])) {
                removed.append(number - items.lowerBound)
            }
            old.forEachItem(at: removed, ofSection: position) { _, item in
                result.removedItems.append(item.id)
            }
        }
        old.forEachSection(at: gone) { _, section in result.removedSections.append(section.id) }
    }

    private mutating func addSections() {
        var (came, same, changed): ([Int], [Int], [Int]) = ([], [], [])
        var places: [Int32] = []
        var changedNumbers = pairing.changedSections[...]
        for position in 0..<new.sectionCount {
            guard let before = oldPosition(ofSection: position) else {
                came.append(position)
                continue
            }
            same.append(position)
            places.append(Int32(before))
            let number = new.number(ofSection: position)
            while let first = changedNumbers.first, first < number { changedNumbers.removeFirst() }
            if changedNumbers.first == Int32(number) || hasNewCount(position, before) {
                changed.append(position)
            }
        }
        let moved = zip(same, places.longestIncreasingSubsequence).filter { !$1 }.map(\.0)
        new.forEachSection(at: moved) { position, section in
            result.movedSections.append(Changes.SectionMove(index: position, id: section.id))
        }
        new.forEachSection(at: came) { position, section in
            result.insertedSections.append(
                Changes.SectionInsertion(
                    index: position,
                    id: section.id,
                    members: section.members,
                    fullCount: new.viewed.fullCount(section.items, at: position)
                )
            )
        }
        new.forEachSection(at: changed) { position, section in
            guard let before = oldPosition(ofSection: position) else { return }
            result.updatedSections.append(
                Changes.SectionUpdate(
                    id: section.id,
                    edit: section.members.edit(from: old.viewed.base.list[before].members),
                    fullCount: hasNewCount(position, before) ? section.items.count : nil
                )
            )
        }
    }

    /// Whether a view tells another full number of items of a section than before.
    private func hasNewCount(_ position: Int, _ before: Int) -> Bool {
        new.viewed.total != nil
            && new.side.count(ofSection: new.number(ofSection: position))
                != old.side.count(ofSection: old.number(ofSection: before))
    }

    private mutating func addItems(ofSection position: Int) {
        let shown = new.items(ofSection: position)
        guard !shown.isEmpty else { return }
        let before = oldPosition(ofSection: position).map(old.items(ofSection:)) ?? 0..<0
        var (inserted, moved, same): ([Int], [Int], [Int32]) = ([], [], [])
        var places: [Int32] = []
        for number in shown {
            let partner = Int(pairing.new.items[number])
            if before.contains(partner) {
                same.append(Int32(number - shown.lowerBound))
                places.append(Int32(partner))
            } else if old.shows(item: partner) {
                moved.append(number - shown.lowerBound)
            } else {
                inserted.append(number - shown.lowerBound)
            }
        }
        for (index, stays) in zip(same, places.longestIncreasingSubsequence) where !stays {
            moved.append(Int(index))
        }
        if moved.count > 1 { moved.sort() }
        addItems(inserted, moved, ofSection: position)
        addUpdates(shown)
    }

    private mutating func addItems(_ inserted: [Int], _ moved: [Int], ofSection position: Int) {
        guard !inserted.isEmpty || !moved.isEmpty else { return }
        let id = new.viewed.base.list[position].id
        new.forEachItem(at: inserted, ofSection: position) { index, item in
            result.insertedItems.append(
                Changes.ItemInsertion(section: id, index: index, item: item)
            )
        }
        new.forEachItem(at: moved, ofSection: position) { index, item in
            result.movedItems.append(Changes.ItemMove(section: id, index: index, id: item.id))
        }
    }

    /// Adds those of some items, by their numbers, whose values differ.
    private mutating func addUpdates(_ shown: Range<Int>) {
        let changed = pairing.changedItems
        var index = changed.partitioningIndex { $0 >= Int32(shown.lowerBound) }
        while index < changed.count, changed[index] < shown.upperBound {
            let number = Int(changed[index])
            index += 1
            let partner = Int(pairing.new.items[number])
            guard old.shows(item: partner) else { continue }
            let item = new.item(number)
            result.updatedItems.append(
                Changes.ItemUpdate(id: item.id, edit: item.edit(from: old.item(partner)))
            )
        }
    }
}
