import FeedModel

/// Writes the RFC 6902 patch between two documents of a PUT, step by step: each operation holds
/// for what the ones before have left.
///
/// Items that went are removed; sections that came are added; items are put in and moved, each
/// directly behind its final predecessor; sections that went are removed; sections are moved;
/// at last members are set and unset, where everything has its final position.
struct PatchWriter {
    private var writer = JSONWriter()
    private let old: Snapshot
    private let new: Snapshot
    private let changes: Changes
    private var lists: PatchLists
    /// Items that come to each section.
    private let insertions: [ExactString: [Changes.ItemInsertion]]
    /// Which of the items that move come to each section.
    private let moves: [ExactString: [Int]]
    /// The items that are updated, as they were.
    private var updated: [ExactString: FeedItem] = [:]

    private init(_ changes: Changes, from old: ViewedSnapshot, to new: ViewedSnapshot) {
        self.old = old.indexed
        self.new = new.indexed
        self.changes = changes
        lists = PatchLists(from: self.old, changes: changes)
        insertions = Dictionary(grouping: changes.insertedItems, by: \.section)
        moves = Dictionary(grouping: changes.movedItems.indices) { changes.movedItems[$0].section }
    }

    /// The patch, an array of operations.
    static func patch(
        _ changes: Changes,
        from old: ViewedSnapshot,
        to new: ViewedSnapshot
    ) -> [UInt8] {
        var patch = PatchWriter(changes, from: old, to: new)
        patch.writer.beginArray()
        patch.removeItems()
        patch.addSections()
        patch.placeItems()
        patch.removeAndMoveSections()
        patch.editFeedAndSections()
        patch.editItems()
        patch.writer.endArray()
        return patch.writer.finish()
    }

    /// Writes an operation on an object's member, with a value or without one.
    private mutating func operation(
        _ name: String,
        member: ExactString,
        of place: PatchPlace?,
        value: JSONText? = nil
    ) {
        writer.beginObject()
        writer.member("op", name)
        writer.place("path", place, member: member)
        if let value {
            writer.name("value")
            writer.json(value)
        }
        writer.endObject()
    }

    /// Writes an operation on a section or an item, whose `value` may follow.
    private mutating func operation(
        _ name: String,
        from: PatchPlace? = nil,
        _ place: PatchPlace?,
        value: ((inout JSONWriter) -> Void)? = nil
    ) {
        guard let place else { return }
        writer.beginObject()
        writer.member("op", name)
        if let from { writer.place("from", from) }
        writer.place("path", place)
        if let value {
            writer.name("value")
            value(&writer)
        }
        writer.endObject()
    }
}

extension PatchWriter {
    /// Removes the items that went, the last of a section first, and lays out the sections whose
    /// items move or get company.
    private mutating func removeItems() {
        let removed = rows(of: changes.removedItems)
        let moved = rows(of: changes.movedItems.map(\.id))
        for update in changes.updatedItems { updated[update.id] = old.item(update.id) }
        let touched = receiving.compactMap(old.position(ofSection:))
        for position in Set(touched).union(removed.keys).union(moved.keys).sorted() {
            let removed = (removed[position] ?? []).map(\.row)
            for row in removed.reversed() {
                operation("remove", PatchPlace(section: position, item: row))
            }
            let section = old.sections[position]
            lists.layOut(
                section.id,
                leaving: (moved[position] ?? []).map { row, move in
                    (row - removed.partitioningIndex { $0 >= row }, move)
                },
                arriving: arrivals(in: section.id)
            )
        }
    }

    /// The ids of the sections that items come or move to.
    private var receiving: Set<ExactString> { Set(insertions.keys).union(moves.keys) }

    /// Where items were, ascending, by their sections; and which of the ids each has.
    ///
    /// Many are found by one walk along all items, few by looking up each.
    private func rows(of ids: [ExactString]) -> [Int: [(row: Int, number: Int)]] {
        guard ids.count <= old.count / 8 else { return rows(ofMany: ids) }
        var found: [(place: ItemPosition, number: Int)] = []
        for (number, id) in ids.enumerated() {
            if let place = old.position(ofItem: id) { found.append((place, number)) }
        }
        found.sort { $0.place < $1.place }
        return Dictionary(grouping: found) { Int($0.place.section) }
            .mapValues { $0.map { (Int($0.place.index), $0.number) } }
    }

    private func rows(ofMany ids: [ExactString]) -> [Int: [(row: Int, number: Int)]] {
        let keys = ids.map(\.keyedHash)
        let table = HashTable(keys)
        var found: [Int: [(row: Int, number: Int)]] = [:]
        for (section, items) in old.sections.lazy.map(\.items).enumerated() {
            var (row, rows): (Int, [(row: Int, number: Int)]) = (0, [])
            items.forEachItem { item in
                var slot: Int?
                while let number = table.next(item.id.keyedHash, in: keys, after: &slot) {
                    guard ids[number] == item.id else { continue }
                    rows.append((row, number))
                    break
                }
                row += 1
            }
            if !rows.isEmpty { found[section] = rows }
        }
        return found
    }

    /// The final positions of the items that come or move to a section, ascending.
    private func arrivals(in section: ExactString) -> [Int] {
        let moved = (moves[section] ?? []).map { changes.movedItems[$0].index }
        return ((insertions[section] ?? []).map(\.index) + moved).sorted()
    }

    /// Adds the sections that came, with those of their items that came too.
    private mutating func addSections() {
        for insertion in changes.insertedSections {
            let items = insertions[insertion.id] ?? []
            let section = FeedSection(
                id: insertion.id,
                members: insertion.members,
                items: items.map(\.item)
            )
            lists.layOut(insertion.id, leaving: [], arriving: arrivals(in: insertion.id))
            operation("add", lists.addSection(insertion.id, at: insertion.index)) {
                $0.section(section, count: nil)
            }
            for item in items { lists.addedItem(to: insertion.id, at: item.index) }
        }
    }

    /// Puts in and moves the items of each section, by ascending index.
    private mutating func placeItems() {
        lists.sectionsSettled()
        let added = Set(changes.insertedSections.lazy.map(\.id))
        for position in receiving.compactMap(new.position(ofSection:)).sorted() {
            let id = new.sections[position].id
            guard let list = lists.list(of: id) else { continue }
            // A section that came has brought its new items along.
            let arrivals = added.contains(id) ? [] : insertions[id] ?? []
            var waiting = arrivals[...]
            for number in moves[id] ?? [] {
                let index = changes.movedItems[number].index
                while let first = waiting.first, first.index < index {
                    insert(first, list)
                    waiting.removeFirst()
                }
                let from = lists.removeItem(number)
                operation("move", from: from, lists.addItem(to: list, at: index))
            }
            for insertion in waiting { insert(insertion, list) }
        }
    }

    private mutating func insert(_ insertion: Changes.ItemInsertion, _ list: Int) {
        operation("add", lists.addItem(to: list, at: insertion.index)) {
            $0.json(insertion.item.json)
        }
    }

    private mutating func removeAndMoveSections() {
        for id in changes.removedSections.reversed() {
            operation("remove", lists.removeSection(id))
        }
        for move in changes.movedSections {
            let from = lists.removeSection(move.id)
            operation("move", from: from, lists.addSection(move.id, at: move.index))
        }
    }
}

/// The updates, by final positions.
extension PatchWriter {
    private mutating func editFeedAndSections() {
        edit(nil, changes.feed, old: old.members)
        for update in changes.updatedSections {
            guard let before = old.position(ofSection: update.id),
                let position = new.position(ofSection: update.id)
            else { continue }
            let place = PatchPlace(section: position)
            edit(place, update.edit, old: old.sections[before].members)
        }
    }

    private mutating func editItems() {
        guard !changes.updatedItems.isEmpty else { return }
        var edits: [(position: ItemPosition, update: Changes.ItemUpdate)] = []
        for update in changes.updatedItems {
            guard let position = new.position(ofItem: update.id) else { continue }
            edits.append((position, update))
        }
        edits.sort { $0.position < $1.position }
        for (position, update) in edits {
            guard let before = updated[update.id] else { continue }
            let place = PatchPlace(section: Int(position.section), item: Int(position.index))
            edit(place, update.edit, old: before.members)
        }
    }

    /// Sets and unsets members of the object at a place; `nil`: the feed's own.
    private mutating func edit(_ place: PatchPlace?, _ edit: Changes.MemberEdit, old: Members) {
        for name in edit.unset { operation("remove", member: name, of: place) }
        for member in edit.set {
            let name = old[member.name] == nil ? "add" : "replace"
            operation(name, member: member.name, of: place, value: member.value)
        }
    }
}
