/// The target of an operation of a patch: a section, or an item in it, by their indices.
struct PatchPlace {
    var section: Int
    var item: Int?
}

/// The current positions of a document's sections and items while a patch changes it.
struct PatchLists {
    /// A section, by its old position or its index among the inserted sections.
    enum Section {
        case old(Int)
        case inserted(Int)
    }

    private var sections: PatchPositions
    /// The number of removed sections, and of inserted ones.
    private let removedCount: Int
    private let insertedCount: Int
    /// The slots of the removed sections, followed by the old slots of the moved ones.
    private var leavingSlots: [Int32]
    /// The slots of the inserted sections, followed by the final slots of the moved ones.
    private var arrivingSlots: [Int32]
    /// The positions of items in sections that gain or lose some; other sections need no slots.
    private var items: [(section: Section, positions: PatchPositions)] = []
    /// The indices of those sections while items are inserted and moved, which does not move
    /// sections.
    private var sectionIndices: [Int] = []
    /// The first place of each moved item: its index in ``items``, and its slot.
    private var homes: [(list: Int32, slot: Int32)]

    /// Assigns slots to the sections.
    init(_ changes: PlacedChanges) {
        removedCount = changes.removedSections.count
        insertedCount = changes.insertedSections.count
        let leaving = changes.removedSections + changes.movedSections.map(\.old)
        let arriving = changes.insertedSections + changes.movedSections.map(\.new)
        let orders = (leaving: leaving.order, arriving: arriving.order)
        sections = PatchPositions(
            leaving: orders.leaving.map { Int32(leaving[Int($0)]) },
            arriving: orders.arriving.map { Int32(arriving[Int($0)]) }
        )
        leavingSlots = [Int32](repeating: 0, count: leaving.count)
        for (number, slot) in zip(orders.leaving, sections.leavingSlots) {
            leavingSlots[Int(number)] = slot
        }
        arrivingSlots = [Int32](repeating: 0, count: arriving.count)
        for (number, slot) in zip(orders.arriving, sections.arrivingSlots) {
            arrivingSlots[Int(number)] = slot
        }
        homes = [(list: Int32, slot: Int32)](repeating: (-1, -1), count: changes.movedItems.count)
    }

    /// Assigns slots to the items of a section.
    ///
    /// - Parameters:
    ///   - section: The section.
    ///   - leaving: The positions of items that move within the section or away from it, ascending,
    ///     without the removed ones.
    ///   - moves: The indices of the moves of these items.
    ///   - arriving: The final positions of items that are inserted, ascending.
    /// - Returns: The number of the list, for later calls.
    mutating func layOut(
        _ section: Section,
        leaving: [Int32] = [],
        moves: ArraySlice<Int32> = [],
        arriving: [Int32]
    ) -> Int {
        let positions = PatchPositions(leaving: leaving, arriving: arriving)
        let list = items.count
        items.append((section, positions))
        for (move, slot) in zip(moves, positions.leavingSlots) {
            homes[Int(move)] = (Int32(list), slot)
        }
        return list
    }
}

/// Each of these functions carries out an operation and returns the place that it names.
extension PatchLists {
    /// Adds an inserted section.
    mutating func insertSection(_ number: Int) -> PatchPlace {
        addSection(arrivingSlots[number])
    }

    /// Removes a removed section.
    mutating func removeSection(_ number: Int) -> PatchPlace {
        takeOutSection(leavingSlots[number])
    }

    /// Moves a moved section.
    mutating func moveSection(_ number: Int) -> (from: PatchPlace, to: PatchPlace) {
        let from = takeOutSection(leavingSlots[removedCount + number])
        return (from, addSection(arrivingSlots[insertedCount + number]))
    }

    /// Stores the indices of the sections, which do not change while items are inserted and moved.
    mutating func settleSections() {
        sectionIndices = items.map { list in
            switch list.section {
            case .old(let position): sections.index(old: position)
            case .inserted(let number): sections.index(of: arrivingSlots[number])
            }
        }
    }

    /// Records an item that was inserted together with its section, by its number among the
    /// arrivals.
    mutating func addedItem(to list: Int, number: Int) {
        items[list].positions.take(items[list].positions.arrivingSlots[number])
    }

    /// Inserts an item into a list, by its number among the arrivals.
    mutating func addItem(to list: Int, number: Int) -> PatchPlace {
        let slot = items[list].positions.arrivingSlots[number]
        items[list].positions.take(slot)
        return place(list, slot)
    }

    /// Removes a moved item from its place.
    mutating func removeItem(_ move: Int) -> PatchPlace {
        let (list, slot) = (Int(homes[move].list), homes[move].slot)
        let place = place(list, slot)
        items[list].positions.free(slot)
        return place
    }

    private func place(_ list: Int, _ slot: Int32) -> PatchPlace {
        PatchPlace(section: sectionIndices[list], item: items[list].positions.index(of: slot))
    }

    private mutating func addSection(_ slot: Int32) -> PatchPlace {
        sections.take(slot)
        return PatchPlace(section: sections.index(of: slot))
    }

    private mutating func takeOutSection(_ slot: Int32) -> PatchPlace {
        sections.free(slot)
        return PatchPlace(section: sections.index(of: slot))
    }
}

extension [Int] {
    /// The indices sorted by their numbers, which must be at least 0 and below 2³¹.
    fileprivate var order: [Int32] {
        var keys = enumerated().map { UInt64($1) << 32 | UInt64($0) }
        keys.sort()
        return keys.map { Int32(truncatingIfNeeded: $0) }
    }
}
