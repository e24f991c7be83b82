import FeedModel

/// Writes the RFC 6902 patch between two documents of a PUT step by step: each operation applies to
/// the result of the previous ones.
///
/// The order is: removed items; inserted sections; inserted and moved items, each placed directly
/// after its final predecessor; removed sections; moved sections; at last the members that are set
/// and unset, when everything has its final position.
struct PatchWriter {
    private var writer: JSONWriter
    private let changes: PlacedChanges
    private var old: ListReader
    private var new: ListReader
    private let oldMembers: Members
    /// The most bytes that are worth writing.
    private let byteLimit: Int
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
        self.old = ListReader(old.base.list)
        self.new = ListReader(new.base.list)
        oldMembers = old.base.members
        self.byteLimit = byteLimit
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

/// The steps, in their order.
extension PatchWriter {
    /// Removes the removed items, the last of each section first, and assigns slots in the sections
    /// in which items move or arrive.
    private mutating func removeItems() {
        var removed = changes.removedItems[...]
        var departures = changes.departures[...]
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
                operation(.remove, PatchPlace(section: Int(section), item: Int(row.index)))
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
                arriving: number.map { arrivals(of: changes.receivers[$0]) } ?? []
            )
            if let number { receiverLists[number] = list }
        }
    }

    /// Returns the old position of a receiver.
    private func receiver(_ number: Int) -> Int { changes.receivers[number].old ?? -1 }

    /// Returns the positions of moved items after others of their section were removed.
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

    /// Returns the final positions of the items that arrive in a section, ascending.
    private func arrivals(of receiver: PlacedChanges.Receiver) -> [Int32] {
        changes.arrivals(of: receiver).map(changes.index(of:))
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
            begin(.add, place)
            writer.name("value")
            writer.beginSection(id: section.id, section.members, count: nil)
            for item in changes.insertedItems[items] { writer.json(new.item(at: item).json) }
            writer.endSection()
            writer.endObject()
            guard isReceiver else { continue }
            let receiver = changes.receivers[number]
            let list = lists.layOut(.inserted(insertion), arriving: arrivals(of: receiver))
            receiverLists[number] = list
            for (count, arrival) in changes.arrivals(of: receiver).enumerated() {
                if case .inserted = arrival { lists.addedItem(to: list, number: count) }
            }
        }
    }

    /// Inserts and moves the items of each section, by ascending index.
    private mutating func placeItems() {
        lists.settleSections()
        for (receiver, list) in zip(changes.receivers, receiverLists) where !isOver {
            // An inserted section already contains its inserted items.
            let hasItems = receiver.old == nil
            for (count, arrival) in changes.arrivals(of: receiver).enumerated() where !isOver {
                switch arrival {
                case .inserted where hasItems: break
                case .inserted(let number):
                    begin(.add, lists.addItem(to: list, number: count))
                    writer.name("value")
                    writer.json(new.item(at: changes.insertedItems[number]).json)
                    writer.endObject()
                case .moved(let number):
                    let from = lists.removeItem(number)
                    move(from, lists.addItem(to: list, number: count))
                }
            }
        }
    }

    private mutating func removeAndMoveSections() {
        for number in changes.removedSections.indices.reversed() where !isOver {
            operation(.remove, lists.removeSection(number))
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

/// The operations.
extension PatchWriter {
    private enum Operation {
        case add, remove, replace

        var head: [UInt8] {
            switch self {
            case .add: Operation.heads.add
            case .remove: Operation.heads.remove
            case .replace: Operation.heads.replace
            }
        }

        private static let heads = (
            add: Array(#"{"op":"add","path":"#.utf8),
            remove: Array(#"{"op":"remove","path":"#.utf8),
            replace: Array(#"{"op":"replace","path":"#.utf8)
        )
    }

    private static let moveHead = Array(#"{"op":"move","from":"#.utf8)
    private static let pathName = Array(#""path":"#.utf8)

    /// Writes an operation up to its path; the value and the end must follow.
    private mutating func begin(
        _ operation: Operation,
        _ place: PatchPlace?,
        member: ExactString? = nil
    ) {
        writer.part(operation.head)
        writer.pointer(place, member: member)
    }

    private mutating func operation(
        _ operation: Operation,
        _ place: PatchPlace?,
        member: ExactString? = nil
    ) {
        begin(operation, place, member: member)
        writer.endObject()
    }

    private mutating func move(_ from: PatchPlace, _ place: PatchPlace) {
        writer.part(PatchWriter.moveHead)
        writer.pointer(from)
        writer.part(PatchWriter.pathName)
        writer.pointer(place)
        writer.endObject()
    }

    /// Sets and unsets members of the object at a place; `nil`: the feed's own.
    private mutating func edit(_ place: PatchPlace?, _ edit: Changes.MemberEdit, old: Members) {
        for name in edit.unset { operation(.remove, place, member: name) }
        // The search is linear for a few members; for many it would take quadratic time.
        let isFew = edit.set.count <= 8
        let names = isFew ? [] : Set(old.list.lazy.map(\.name))
        for member in edit.set {
            let isThere = isFew ? old[member.name] != nil : names.contains(member.name)
            begin(isThere ? .replace : .add, place, member: member.name)
            writer.name("value")
            writer.json(member.value)
            writer.endObject()
        }
    }
}
