import FeedModel

/// Writes the JSON Patch (RFC 6902) between two documents of a PUT.
///
/// Each operation applies to the result of the previous ones. Their order is: removed items;
/// inserted sections; inserted and moved items, each directly after its final predecessor; removed
/// sections; moved sections; at last the members that are set and unset, when everything has its
/// final position.
struct PatchWriter {
    private var writer: JSONWriter
    private let changes: PlacedChanges
    /// The indices of the changes' moved items, ascending by old position.
    private let departures: [Int32]
    private var old: ListReader
    private var new: ListReader
    private let oldMembers: Members
    /// The number of bytes beyond which the patch is given up.
    private let byteLimit: Int
    /// The inserted and moved items of each receiver.
    private let arrivals: [[(index: Int32, move: Int?)]]
    private var lists: PatchLists
    /// The numbers of the item lists of the changes' receivers.
    private var receiverLists: [Int]

    private init(
        _ changes: PlacedChanges,
        from old: ViewedSnapshot,
        to new: ViewedSnapshot,
        byteLimit: Int
    ) {
        writer = JSONWriter(capacity: min(changes.patchByteEstimate(to: new), byteLimit) + 256)
        self.changes = changes
        let moves = changes.movedItems
        departures = moves.indices.sorted { moves[$0].old < moves[$1].old }.map { Int32($0) }
        self.old = ListReader(old.base.list)
        self.new = ListReader(new.base.list)
        oldMembers = old.base.members
        self.byteLimit = byteLimit
        arrivals = changes.receivers.map(changes.arrivals(of:))
        lists = PatchLists(changes)
        receiverLists = [Int](repeating: -1, count: changes.receivers.count)
    }

    /// Returns the patch, an array of operations.
    ///
    /// - Parameter byteLimit: The most bytes of the patch.
    /// - Returns: `nil` if the patch would be longer.
    static func patch(
        _ changes: PlacedChanges,
        from old: ViewedSnapshot,
        to new: ViewedSnapshot,
        byteLimit: Int = .max
    ) -> [UInt8]? {
        var patch = PatchWriter(changes, from: old, to: new, byteLimit: byteLimit)
        patch.writer.beginArray()
        patch.removeItems()
        patch.addSections()
        patch.placeItems()
        patch.removeAndMoveSections()
        patch.editFeedAndSections()
        patch.editItems()
        guard !patch.isOver else { return nil }
        patch.writer.endArray()
        let bytes = patch.writer.finish()
        return bytes.count <= byteLimit ? bytes : nil
    }

    /// Whether the patch is already longer than the limit, so that the rest need not be written.
    private var isOver: Bool { writer.count > byteLimit }
}

/// Takes the steps of a patch, in their order.
extension PatchWriter {
    /// Removes the removed items, the last of each section first, and assigns slots in the sections
    /// in which items move or arrive.
    private mutating func removeItems() {
        var removed = changes.removedItems[...]
        var departures = departures[...]
        let receivers = changes.receivers.indices.filter { changes.receivers[$0].old != nil }
        var waiting = receivers.sorted { receiver($0) < receiver($1) }[...]
        while let section = [
            removed.first?.section,
            departures.first.map { changes.movedItems[Int($0)].old.section },
            waiting.first.map { Int32(receiver($0)) },
        ].compactMap(\.self).min() {
            let rows = removed.prefix { $0.section == section }
            removed = removed[rows.endIndex...]
            for row in rows.reversed() where !isOver {
                remove(PatchPlace(section: Int(section), item: Int(row.index)))
            }
            let moves = departures.prefix { changes.movedItems[Int($0)].old.section == section }
            departures = departures[moves.endIndex...]
            let number = waiting.first.flatMap { receiver($0) == section ? $0 : nil }
            if number != nil { waiting.removeFirst() }
            guard number != nil || !moves.isEmpty else { continue }
            let list = lists.layOut(
                .old(Int(section)),
                leaving: positions(of: moves, without: rows),
                moves: moves,
                arriving: number.map { arrivals[$0].map(\.index) } ?? []
            )
            if let number { receiverLists[number] = list }
        }
    }

    /// Returns the old position of a receiver.
    private func receiver(_ number: Int) -> Int { changes.receivers[number].old ?? -1 }

    /// Returns the positions of moved items after the removed items of their section are gone.
    private func positions(
        of moves: ArraySlice<Int32>,
        without rows: ArraySlice<ItemPosition>
    ) -> [Int32] {
        var (positions, passed): ([Int32], Int32) = ([], 0)
        positions.reserveCapacity(moves.count)
        var rest = rows
        for move in moves {
            let index = changes.movedItems[Int(move)].old.index
            while let first = rest.first, first.index < index {
                rest.removeFirst()
                passed += 1
            }
            positions.append(index - passed)
        }
        return positions
    }

    /// Adds the inserted sections, with their inserted items.
    private mutating func addSections() {
        var number = 0
        for (insertion, position) in changes.insertedSections.enumerated() where !isOver {
            while number < changes.receivers.count, changes.receivers[number].new < position {
                number += 1
            }
            let section = new.section(at: position)
            let place = lists.insertSection(insertion)
            let isReceiver =
                number < changes.receivers.count && changes.receivers[number].new == position
            let items = isReceiver ? changes.receivers[number].insertedItems : 0..<0
            begin(PatchWriter.add, place)
            writer.name("value")
            writer.beginSection(id: section.id, section.members, count: nil)
            for item in changes.insertedItems[items] { writer.json(new.item(at: item).json) }
            writer.endSection()
            writer.endObject()
            guard isReceiver else { continue }
            let list = lists.layOut(.inserted(insertion), arriving: arrivals[number].map(\.index))
            receiverLists[number] = list
            for (count, arrival) in arrivals[number].enumerated() {
                if arrival.move == nil { lists.addedItem(to: list, number: count) }
            }
        }
    }

    /// Inserts and moves the items of each section, by ascending index.
    private mutating func placeItems() {
        lists.storeSectionIndices()
        for (number, receiver) in changes.receivers.enumerated() where !isOver {
            let list = receiverLists[number]
            // An inserted section already contains its inserted items.
            let hasItems = receiver.old == nil
            for (count, arrival) in arrivals[number].enumerated() where !isOver {
                if let departure = arrival.move {
                    let from = lists.removeItem(departure)
                    move(from, lists.addItem(to: list, number: count))
                } else if !hasItems {
                    let position = ItemPosition(section: receiver.new, index: Int(arrival.index))
                    begin(PatchWriter.add, lists.addItem(to: list, number: count))
                    writer.name("value")
                    writer.json(new.item(at: position).json)
                    writer.endObject()
                }
            }
        }
    }

    private mutating func removeAndMoveSections() {
        for number in changes.removedSections.indices.reversed() where !isOver {
            remove(lists.removeSection(number))
        }
        for number in changes.movedSections.indices where !isOver {
            let (from, place) = lists.moveSection(number)
            move(from, place)
        }
    }

    private mutating func editFeedAndSections() {
        edit(nil, changes.feed, old: oldMembers)
        for update in changes.updatedSections where !isOver {
            let members = old.section(at: update.position.old).members
            edit(PatchPlace(section: update.position.new), update.edit, old: members)
        }
    }

    private mutating func editItems() {
        for pair in changes.updatedItems where !isOver {
            let before = old.item(at: pair.old)
            let place = PatchPlace(section: Int(pair.new.section), item: Int(pair.new.index))
            edit(place, new.item(at: pair.new).edit(from: before), old: before.members)
        }
    }
}

/// Writes the operations.
extension PatchWriter {
    private static let add = Array(#"{"op":"add","path":"#.utf8)
    private static let remove = Array(#"{"op":"remove","path":"#.utf8)
    private static let replace = Array(#"{"op":"replace","path":"#.utf8)
    private static let moveHead = Array(#"{"op":"move","from":"#.utf8)
    private static let pathName = Array(#""path":"#.utf8)

    /// Writes the head of an operation and its path; the value and the end must follow.
    private mutating func begin(
        _ head: [UInt8],
        _ place: PatchPlace?,
        member: ExactString? = nil
    ) {
        writer.part(head)
        writer.pointer(place, member: member)
    }

    private mutating func remove(_ place: PatchPlace?, member: ExactString? = nil) {
        begin(PatchWriter.remove, place, member: member)
        writer.endObject()
    }

    private mutating func move(_ from: PatchPlace, _ place: PatchPlace) {
        writer.part(PatchWriter.moveHead)
        writer.pointer(from)
        writer.part(PatchWriter.pathName)
        writer.pointer(place)
        writer.endObject()
    }

    /// Sets and removes members of a section or an item; `nil`: of the feed.
    private mutating func edit(_ place: PatchPlace?, _ edit: Changes.MemberEdit, old: Members) {
        for name in edit.unset { remove(place, member: name) }
        // The search is linear for a few members; for many it would take quadratic time.
        let isFew = edit.set.count <= 8
        let names = isFew ? [] : Set(old.list.lazy.map(\.name))
        for member in edit.set {
            let isThere = isFew ? old[member.name] != nil : names.contains(member.name)
            begin(isThere ? PatchWriter.replace : PatchWriter.add, place, member: member.name)
            writer.name("value")
            writer.json(member.value)
            writer.endObject()
        }
    }
}

/// The target of an operation of a patch: a section, or an item in it, by their indices.
struct PatchPlace {
    var section: Int
    var item: Int?
}

/// Tracks the positions of a document's sections and items while the operations of a patch change
/// them.
struct PatchLists {
    /// A section, by its old position or its index among the inserted sections.
    enum Section {
        case old(Int)
        case inserted(Int)
    }

    private var sections: PatchPositions
    /// The number of removed sections.
    private let removedCount: Int
    /// The number of inserted sections.
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
    /// The slot of each moved item before its move, and the index in ``items`` of the list that has
    /// the slot.
    private var origins: [(list: Int32, slot: Int32)]

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
        origins = [(list: Int32, slot: Int32)](repeating: (-1, -1), count: changes.movedItems.count)
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
            origins[Int(move)] = (Int32(list), slot)
        }
        return list
    }
}

/// Applies operations to the positions. Each function returns the section or item that the
/// operation names.
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
    mutating func storeSectionIndices() {
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

    /// Frees the slot of a moved item, and returns the item's position before its move.
    mutating func removeItem(_ move: Int) -> PatchPlace {
        let (list, slot) = (Int(origins[move].list), origins[move].slot)
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

/// Computes indices in a list on the way from its old order to its new one.
///
/// Each element that leaves or arrives has a slot among the elements that stay. So the index of an
/// element is the number of staying elements before it, plus the number of taken slots before it.
///
/// An arriving element has its slot directly after its final predecessor, before all elements there
/// that still have to leave. Taking, freeing and counting slots takes time logarithmic in the
/// number of slots, however long the list is.
struct PatchPositions {
    /// The slots of leaving elements, by old position; they are taken at first.
    private(set) var leavingSlots: [Int32] = []
    /// The slots of arriving elements, by final position; they are free at first.
    private(set) var arrivingSlots: [Int32] = []
    /// The old positions of the leaving elements, ascending.
    private let leaving: [Int32]
    /// For each slot, the number of staying elements before it.
    private var ranks: [Int32] = []
    /// 1 for each taken slot, and 0 for each free one.
    private var taken: FenwickTree

    /// Lays out the slots.
    ///
    /// - Parameters:
    ///   - leaving: The positions in the old list of the elements that leave, ascending.
    ///   - arriving: The positions in the new list of the elements that arrive, ascending.
    init(leaving: [Int32], arriving: [Int32]) {
        self.leaving = leaving
        taken = FenwickTree([])
        leavingSlots.reserveCapacity(leaving.count)
        arrivingSlots.reserveCapacity(arriving.count)
        ranks.reserveCapacity(leaving.count + arriving.count)
        for (number, position) in leaving.enumerated() {
            let rank = position - Int32(number)
            add(arriving, upTo: rank)
            leavingSlots.append(Int32(ranks.count))
            ranks.append(rank)
        }
        add(arriving, upTo: .max)
        var isTaken = [Int32](repeating: 0, count: ranks.count)
        for slot in leavingSlots { isTaken[Int(slot)] = 1 }
        taken = FenwickTree(isTaken)
    }

    /// Returns the index of the element in a slot, or of one to be put there.
    func index(of slot: Int32) -> Int {
        Int(ranks[Int(slot)]) + taken.sum(before: Int(slot))
    }

    /// Returns the index of an element of the old list that stays or has not left yet, by its old
    /// position.
    func index(old position: Int) -> Int {
        let number = leaving.partitionPoint { $0 < Int32(position) }
        if number < leaving.count, leaving[number] == Int32(position) {
            return index(of: leavingSlots[number])
        }
        let rank = position - number
        return rank + taken.sum(before: ranks.partitionPoint { $0 <= Int32(rank) })
    }

    /// Takes a free slot.
    mutating func take(_ slot: Int32) {
        taken.add(1, at: Int(slot))
    }

    /// Frees a taken slot.
    mutating func free(_ slot: Int32) {
        taken.add(-1, at: Int(slot))
    }

    /// Adds slots for the arriving elements that have at most `rank` staying elements before them.
    private mutating func add(_ arriving: [Int32], upTo rank: Int32) {
        while arrivingSlots.count < arriving.count {
            let next = arriving[arrivingSlots.count] - Int32(arrivingSlots.count)
            guard next <= rank else { return }
            arrivingSlots.append(Int32(ranks.count))
            ranks.append(next)
        }
    }
}
