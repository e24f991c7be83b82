/// The changes of the items that stand in one section of a new version.
struct SectionChanges {
    private let matching: SnapshotMatching
    /// Its place in the new list of sections, and in the old one; -1 if it came.
    private let section: Int
    private let oldSection: Int
    private let id: Text
    private let items: [Item]
    /// Which of `matching.newLeft` are its items.
    private let left: Range<Int>

    init(_ matching: SnapshotMatching, section: Int, left: Range<Int>) {
        self.matching = matching
        self.section = section
        self.left = left
        oldSection = Int(matching.sectionPartners[section])
        id = matching.new[section].id
        items = matching.new[section].items
    }

    /// Adds them at the end of the lists of `changes`.
    func add(to changes: inout Changes) {
        if left.contains(where: { isReordered($0) }) {
            addReordered(to: &changes)
        } else {
            for place in left { addArrival(place, to: &changes) }
        }
        addUpdates(to: &changes)
    }

    /// The old place of number `left` of the new items that the walks left over.
    private func oldPlace(ofLeft left: Int) -> ItemPlace? {
        let partner = Int(matching.partners[left])
        return partner < 0 ? nil : matching.oldLeft[partner]
    }

    /// Whether that item was in this section before, so that it may have to move within it.
    private func isReordered(_ left: Int) -> Bool {
        oldPlace(ofLeft: left).map { Int($0.section) } == oldSection
    }

    /// Adds an item that came from nowhere or from another section.
    private func addArrival(_ left: Int, to changes: inout Changes) {
        let index = Int(matching.newLeft[left].index)
        if oldPlace(ofLeft: left) == nil {
            changes.insertedItems.append(
                Changes.ItemInsertion(
                    section: id,
                    index: index,
                    item: items[index]
                )
            )
        } else {
            addMove(index, to: &changes)
        }
    }

    private func addMove(_ index: Int, to changes: inout Changes) {
        changes.movedItems.append(
            Changes.ItemMove(
                section: id,
                index: index,
                id: items[index].id
            )
        )
    }

    /// Adds all arrivals, and moves for the items outside one longest run in the old order.
    private func addReordered(to changes: inout Changes) {
        let walk = matching.walks[section]
        let start = walk.middle.lowerBound
        var partners = walk.partners
        for place in left where isReordered(place) {
            guard let old = oldPlace(ofLeft: place) else { continue }
            partners[Int(matching.newLeft[place].index) - start] = old.index
        }
        let stays = LongestIncreasingSubsequence(of: partners).membership
        var left = left
        for offset in partners.indices where !stays[offset] {
            while let first = left.first, Int(matching.newLeft[first].index) < start + offset {
                left.removeFirst()
            }
            if partners[offset] < 0, let first = left.first {
                addArrival(first, to: &changes)
            } else {
                addMove(start + offset, to: &changes)
            }
        }
    }

    /// Adds the items whose values differ, in the order of the section.
    private func addUpdates(to changes: inout Changes) {
        var pairs: [(old: ItemPlace, new: Int)] = []
        for renewal in matching.walks[section].renewals {
            let old = ItemPlace(section: oldSection, index: Int(renewal.old))
            note(old, Int(renewal.new), in: &pairs)
        }
        let walked = pairs.count
        for place in left {
            guard let old = oldPlace(ofLeft: place) else { continue }
            note(old, Int(matching.newLeft[place].index), in: &pairs)
        }
        if walked > 0, pairs.count > walked { pairs.sort { $0.new < $1.new } }
        for pair in pairs {
            let edit = items[pair.new].members.edit(from: matching.old[pair.old].members)
            changes.updatedItems.append(Changes.ItemUpdate(id: items[pair.new].id, edit: edit))
        }
    }

    private func note(
        _ old: ItemPlace,
        _ new: Int,
        in pairs: inout [(old: ItemPlace, new: Int)]
    ) {
        let (before, after) = (matching.old[old], items[new])
        if before !== after, before.json != after.json { pairs.append((old, new)) }
    }
}
