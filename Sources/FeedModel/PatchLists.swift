/// Where the sections and items of a document are while a patch changes it.
struct PatchLists {
    private var sections: SlotList
    /// Where each section that is or was stands now.
    private var sectionSlots: [Text: Int] = [:]
    /// The items of those sections that get or lose some; the others need no slots.
    private var items: [Text: SlotList] = [:]
    /// Where the items that move stand at first.
    private var homes: [Text: (section: Text, slot: Int)] = [:]

    /// Lays out the sections.
    init(from old: SectionList, to new: SectionList, changes: Changes) {
        var leaving = Set(changes.removedSections)
        leaving.formUnion(changes.movedSections.lazy.map(\.id))
        var newStays = [Bool](repeating: true, count: new.count)
        for insertion in changes.insertedSections { newStays[insertion.index] = false }
        for move in changes.movedSections { newStays[move.index] = false }
        sections = SlotList(oldStays: old.map { !leaving.contains($0.id) }, newStays: newStays)
        for (section, slot) in zip(old, sections.oldSlots) { sectionSlots[section.id] = slot }
    }

    /// Lays out the items of a section.
    ///
    /// - Parameters:
    ///   - section: Its id.
    ///   - oldCount: The number of its items, without those that were removed.
    ///   - leaving: The places among those of items that move within it or away, and their ids.
    ///   - arriving: The final places of items that are put in.
    ///   - count: The final number of items.
    mutating func layOut(
        _ section: Text,
        oldCount: Int,
        leaving: [(place: Int, id: Text)],
        arriving: [Int],
        count: Int
    ) {
        var oldStays = [Bool](repeating: true, count: oldCount)
        for (place, _) in leaving { oldStays[place] = false }
        var newStays = [Bool](repeating: true, count: count)
        for place in arriving { newStays[place] = false }
        let slots = SlotList(oldStays: oldStays, newStays: newStays)
        items[section] = slots
        for (place, id) in leaving { homes[id] = (section, slots.oldSlots[place]) }
    }
}

/// Each answers with the path (RFC 6901) that an operation names, and counts it as done.
extension PatchLists {
    /// Adds the section of a final index.
    mutating func addSection(_ id: Text, at index: Int) -> String {
        sectionSlots[id] = sections.newSlots[index]
        sections.take(sections.newSlots[index])
        return path(of: id)
    }

    mutating func removeSection(_ id: Text) -> String {
        let path = path(of: id)
        if let slot = sectionSlots.removeValue(forKey: id) { sections.free(slot) }
        return path
    }

    /// Puts an item in at its final index.
    mutating func addItem(to section: Text, at index: Int) -> String {
        guard let slot = items[section]?.newSlots[index] else { return "" }
        items[section]?.take(slot)
        return path(of: section, slot: slot)
    }

    /// Takes out an item that moves.
    mutating func removeItem(_ id: Text) -> String {
        guard let home = homes.removeValue(forKey: id) else { return "" }
        let path = path(of: home.section, slot: home.slot)
        items[home.section]?.free(home.slot)
        return path
    }

    private func path(of section: Text) -> String {
        sectionSlots[section].map { "/sections/\(sections.index(of: $0))" } ?? ""
    }

    private func path(of section: Text, slot: Int) -> String {
        "\(path(of: section))/items/\(items[section]?.index(of: slot) ?? 0)"
    }
}
