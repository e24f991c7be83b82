import FeedModel

/// Where an operation of a patch goes: a section, or an item in it, by their indices.
struct PatchPlace {
    var section: Int
    var item: Int?
}

/// Where the sections and items of a document are while a patch changes it.
struct PatchLists {
    private let old: Snapshot
    private var sections: PatchPositions
    /// The slots of the sections that come or leave, of those that move the one where they are.
    private var sectionSlots: [ExactString: Int] = [:]
    /// The items of those sections that get or lose some; the others need no slots.
    private var items: [(section: ExactString, positions: PatchPositions)] = []
    /// Where they are in ``items``, by the section's id.
    private var numbers: [ExactString: Int] = [:]
    /// Where those sections are while items are put in and moved, which moves none of them.
    private var sectionIndices: [Int] = []
    /// Where each item that moves stands at first: in ``items``, and in which slot.
    private var homes: [(list: Int, slot: Int)?]

    /// Lays out the sections of `old`, which knows where its ids are.
    init(from old: Snapshot, changes: Changes) {
        self.old = old
        homes = [(list: Int, slot: Int)?](repeating: nil, count: changes.movedItems.count)
        var leaving: [(position: Int, id: ExactString)] = []
        for id in changes.removedSections + changes.movedSections.map(\.id) {
            if let position = old.position(ofSection: id) { leaving.append((position, id)) }
        }
        leaving.sort { $0.position < $1.position }
        let arriving =
            changes.insertedSections.map(\.index) + changes.movedSections.map(\.index)
        sections = PatchPositions(leaving: leaving.map(\.position), arriving: arriving.sorted())
        for (position, id) in leaving { sectionSlots[id] = sections.slot(leaving: position) }
    }

    /// Lays out the items of a section.
    ///
    /// - Parameters:
    ///   - section: Its id.
    ///   - leaving: The positions of items that move within it or away, ascending, without those
    ///     that were removed; and which of the moves they are.
    ///   - arriving: The final positions of items that are put in, ascending.
    mutating func layOut(
        _ section: ExactString,
        leaving: [(position: Int, move: Int)],
        arriving: [Int]
    ) {
        let positions = PatchPositions(leaving: leaving.map(\.position), arriving: arriving)
        let number = items.count
        numbers[section] = number
        items.append((section, positions))
        for (position, move) in leaving {
            homes[move] = positions.slot(leaving: position).map { (number, $0) }
        }
    }
}

/// Each answers with the place that an operation names, and counts it as done.
extension PatchLists {
    /// Adds the section of a final index.
    mutating func addSection(_ id: ExactString, at index: Int) -> PatchPlace? {
        guard let slot = sections.slot(arriving: index) else { return nil }
        sectionSlots[id] = slot
        sections.take(slot)
        return place(of: id)
    }

    mutating func removeSection(_ id: ExactString) -> PatchPlace? {
        let place = place(of: id)
        if let slot = sectionSlots.removeValue(forKey: id) { sections.free(slot) }
        return place
    }

    /// The sections stay where they are while items are put in and moved.
    mutating func sectionsSettled() {
        sectionIndices = items.map { place(of: $0.section)?.section ?? 0 }
    }

    /// The items of a section that was laid out.
    func list(of section: ExactString) -> Int? { numbers[section] }

    /// Counts an item that came with its section.
    mutating func addedItem(to section: ExactString, at index: Int) {
        guard let list = numbers[section] else { return }
        _ = take(index, in: list)
    }

    /// Puts an item in at its final index.
    mutating func addItem(to list: Int, at index: Int) -> PatchPlace? {
        guard let slot = take(index, in: list) else { return nil }
        return place(list, slot)
    }

    /// Takes out an item that moves.
    mutating func removeItem(_ move: Int) -> PatchPlace? {
        guard let (list, slot) = homes[move] else { return nil }
        homes[move] = nil
        let place = place(list, slot)
        items[list].positions.free(slot)
        return place
    }

    private mutating func take(_ index: Int, in list: Int) -> Int? {
        guard let slot = items[list].positions.slot(arriving: index) else { return nil }
        items[list].positions.take(slot)
        return slot
    }

    private func place(of section: ExactString) -> PatchPlace? {
        if let slot = sectionSlots[section] { return PatchPlace(section: sections.index(of: slot)) }
        let position = old.position(ofSection: section)
        return position.map { PatchPlace(section: sections.index(unmoved: $0)) }
    }

    private func place(_ list: Int, _ slot: Int) -> PatchPlace {
        PatchPlace(section: sectionIndices[list], item: items[list].positions.index(of: slot))
    }
}
