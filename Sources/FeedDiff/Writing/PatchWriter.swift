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
    /// Items that come, and move, to each section.
    private let insertions: [ExactString: [Changes.ItemInsertion]]
    private let moves: [ExactString: [Changes.ItemMove]]
    /// The items that are updated, as they were.
    private var updated: [ExactString: FeedItem] = [:]

    private init(_ changes: Changes, from old: ViewedSnapshot, to new: ViewedSnapshot) {
        self.old = old.indexed
        self.new = new.indexed
        self.changes = changes
        lists = PatchLists(from: self.old, changes: changes)
        insertions = Dictionary(grouping: changes.insertedItems, by: \.section)
        moves = Dictionary(grouping: changes.movedItems, by: \.section)
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

    /// Writes an operation, whose `value` may follow.
    private mutating func operation(
        _ name: String,
        from: String? = nil,
        path: String,
        value: ((inout JSONWriter) -> Void)? = nil
    ) {
        writer.beginObject()
        writer.member("op", name)
        if let from { writer.member("from", from) }
        writer.member("path", path)
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
            let removed = removed[position] ?? []
            for row in removed.reversed() {
                operation("remove", path: "/sections/\(position)/items/\(row)")
            }
            let section = old.sections[position]
            lists.layOut(
                section.id,
                leaving: (moved[position] ?? []).map { row in
                    let before = removed.partitioningIndex { $0 >= row }
                    return (row - before, section.items[row].id)
                },
                arriving: arrivals(in: section.id)
            )
        }
    }

    /// The ids of the sections that items come or move to.
    private var receiving: Set<ExactString> { Set(insertions.keys).union(moves.keys) }

    /// Where items were, ascending, by their sections.
    private func rows(of ids: [ExactString]) -> [Int: [Int]] {
        let positions = ids.compactMap(old.position(ofItem:)).sorted()
        return Dictionary(grouping: positions) { Int($0.section) }
            .mapValues { $0.map { Int($0.index) } }
    }

    /// The final positions of the items that come or move to a section, ascending.
    private func arrivals(in section: ExactString) -> [Int] {
        ((insertions[section] ?? []).map(\.index) + (moves[section] ?? []).map(\.index)).sorted()
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
            operation("add", path: lists.addSection(insertion.id, at: insertion.index)) {
                $0.section(section, count: nil)
            }
            for item in items { _ = lists.addItem(to: insertion.id, at: item.index) }
        }
    }

    /// Puts in and moves the items of each section, by ascending index.
    private mutating func placeItems() {
        let added = Set(changes.insertedSections.lazy.map(\.id))
        for position in receiving.compactMap(new.position(ofSection:)).sorted() {
            let id = new.sections[position].id
            // A section that came has brought its new items along.
            let arrivals = added.contains(id) ? [] : insertions[id] ?? []
            var waiting = arrivals[...]
            for move in moves[id] ?? [] {
                while let first = waiting.first, first.index < move.index {
                    insert(first)
                    waiting.removeFirst()
                }
                let from = lists.removeItem(move.id)
                operation("move", from: from, path: lists.addItem(to: id, at: move.index))
            }
            for insertion in waiting { insert(insertion) }
        }
    }

    private mutating func insert(_ insertion: Changes.ItemInsertion) {
        let path = lists.addItem(to: insertion.section, at: insertion.index)
        operation("add", path: path) { $0.json(insertion.item.json) }
    }

    private mutating func removeAndMoveSections() {
        for id in changes.removedSections.reversed() {
            operation("remove", path: lists.removeSection(id))
        }
        for move in changes.movedSections {
            let from = lists.removeSection(move.id)
            operation("move", from: from, path: lists.addSection(move.id, at: move.index))
        }
    }
}

/// The updates, by final positions.
extension PatchWriter {
    private mutating func editFeedAndSections() {
        edit("", changes.feed, old: old.members)
        for update in changes.updatedSections {
            guard let before = old.position(ofSection: update.id),
                let position = new.position(ofSection: update.id)
            else { continue }
            edit("/sections/\(position)", update.edit, old: old.sections[before].members)
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
            let path = "/sections/\(position.section)/items/\(position.index)"
            edit(path, update.edit, old: before.members)
        }
    }

    /// Sets and unsets members of the object at `path`.
    private mutating func edit(_ path: String, _ edit: Changes.MemberEdit, old: Members) {
        for name in edit.unset {
            operation("remove", path: "\(path)/\(name.pointerToken)")
        }
        for member in edit.set {
            let name = old[member.name] == nil ? "add" : "replace"
            operation(name, path: "\(path)/\(member.name.pointerToken)") { $0.json(member.value) }
        }
    }
}

extension ExactString {
    /// This as a reference token of a JSON Pointer (RFC 6901 §3).
    fileprivate var pointerToken: String {
        var token = String.UnicodeScalarView()
        for scalar in string.unicodeScalars {
            switch scalar {
            case "~": token.append(contentsOf: "~0".unicodeScalars)
            case "/": token.append(contentsOf: "~1".unicodeScalars)
            default: token.append(scalar)
            }
        }
        return String(token)
    }
}
