import FeedModel

/// Where the sections and items of a document are while a patch changes it.
struct PatchLists {
    private let old: Snapshot
    private var sections: PatchPositions
    /// The slots of the sections that come or leave, of those that move the one where they are.
    private var sectionSlots: [ExactString: Int] = [:]
    /// The items of those sections that get or lose some; the others need no slots.
    private var items: [ExactString: PatchPositions] = [:]
    /// Where the items that move stand at first.
    private var homes: [ExactString: (section: ExactString, slot: Int)] = [:]

    /// Lays out the sections of `old`, which knows where its ids are.
    init(from old: Snapshot, changes: Changes) {
        self.old = old
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
    ///     that were removed; and their ids.
    ///   - arriving: The final positions of items that are put in, ascending.
    mutating func layOut(
        _ section: ExactString,
        leaving: [(position: Int, id: ExactString)],
        arriving: [Int]
    ) {
        let slots = PatchPositions(leaving: leaving.map(\.position), arriving: arriving)
        items[section] = slots
        for (position, id) in leaving {
            if let slot = slots.slot(leaving: position) { homes[id] = (section, slot) }
        }
    }
}

/// Each answers with the path (RFC 6901) that an operation names, and counts it as done.
extension PatchLists {
    /// Adds the section of a final index.
    mutating func addSection(_ id: ExactString, at index: Int) -> String {
        guard let slot = sections.slot(arriving: index) else { return "" }
        sectionSlots[id] = slot
        sections.take(slot)
        return path(of: id)
    }

    mutating func removeSection(_ id: ExactString) -> String {
        let path = path(of: id)
        if let slot = sectionSlots.removeValue(forKey: id) { sections.free(slot) }
        return path
    }

    /// Puts an item in at its final index.
    mutating func addItem(to section: ExactString, at index: Int) -> String {
        guard let slot = items[section]?.slot(arriving: index) else { return "" }
        items[section]?.take(slot)
        return path(of: section, slot: slot)
    }

    /// Takes out an item that moves.
    mutating func removeItem(_ id: ExactString) -> String {
        guard let home = homes.removeValue(forKey: id) else { return "" }
        let path = path(of: home.section, slot: home.slot)
        items[home.section]?.free(home.slot)
        return path
    }

    private func path(of section: ExactString) -> String {
        if let slot = sectionSlots[section] { return "/sections/\(sections.index(of: slot))" }
        let position = old.position(ofSection: section)
        return position.map { "/sections/\(sections.index(unmoved: $0))" } ?? ""
    }

    private func path(of section: ExactString, slot: Int) -> String {
        "\(path(of: section))/items/\(items[section]?.index(of: slot) ?? 0)"
    }
}
