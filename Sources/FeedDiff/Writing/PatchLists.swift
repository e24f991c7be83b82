/// Where an operation of a patch goes: a section, or an item in it, by their indices.
struct PatchPlace {
    var section: Int
    var item: Int?
}

/// Where the sections and items of a document are while a patch changes it.
struct PatchLists {
    /// A section by where it was, or by which of those it is that came.
    enum Section {
        case old(Int)
        case inserted(Int)
    }

    private var sections: PatchPositions
    /// How many sections went, and came.
    private let removedCount: Int
    private let insertedCount: Int
    /// The slots of the sections that went, and behind them of those that move, where they were.
    private var leavingSlots: [Int32]
    /// The slots of the sections that came, and behind them of those that move, where they will be.
    private var arrivingSlots: [Int32]
    /// The items of those sections that get or lose some; the others need no slots.
    private var items: [(section: Section, positions: PatchPositions)] = []
    /// Where those sections are while items are put in and moved, which moves none of them.
    private var sectionIndices: [Int] = []
    /// Where each item that moves stands at first: in ``items``, and in which slot.
    private var homes: [(list: Int32, slot: Int32)]

    /// Lays out the sections.
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

    /// Lays out the items of a section.
    ///
    /// - Parameters:
    ///   - section: Which one.
    ///   - leaving: The positions of items that move within it or away, ascending, without those
    ///     that were removed.
    ///   - moves: Which of the moves they are.
    ///   - arriving: The final positions of items that are put in, ascending.
    /// - Returns: What the list is known by.
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

/// Each answers with the place that an operation names, and counts it as done.
extension PatchLists {
    /// Adds one of the sections that came.
    mutating func insertSection(_ number: Int) -> PatchPlace {
        addSection(arrivingSlots[number])
    }

    /// Takes out one of the sections that went.
    mutating func removeSection(_ number: Int) -> PatchPlace {
        takeOutSection(leavingSlots[number])
    }

    /// Moves one of the sections that move.
    mutating func moveSection(_ number: Int) -> (from: PatchPlace, to: PatchPlace) {
        let from = takeOutSection(leavingSlots[removedCount + number])
        return (from, addSection(arrivingSlots[insertedCount + number]))
    }

    /// The sections stay where they are while items are put in and moved.
    mutating func settleSections() {
        sectionIndices = items.map { list in
            switch list.section {
            case .old(let position): sections.index(old: position)
            case .inserted(let number): sections.index(of: arrivingSlots[number])
            }
        }
    }

    /// Counts an item that came with its section, by how many come to that before it.
    mutating func addedItem(to list: Int, number: Int) {
        items[list].positions.take(items[list].positions.arrivingSlots[number])
    }

    /// Puts an item into a list, by how many come to that before it.
    mutating func addItem(to list: Int, number: Int) -> PatchPlace {
        let slot = items[list].positions.arrivingSlots[number]
        items[list].positions.take(slot)
        return place(list, slot)
    }

    /// Takes out an item that moves.
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
    /// The indices of numbers below 2³¹, none of which is negative, by size.
    fileprivate var order: [Int32] {
        var keys = enumerated().map { UInt64($1) << 32 | UInt64($0) }
        keys.sort()
        return keys.map { Int32(truncatingIfNeeded: $0) }
    }
}
