import FeedDiff
import FeedModel
import Foundation

/// Splits the difference between two snapshots into batches that UIKit's views accept, to be
/// applied one after the other: first changed items, then changed members of sections, then
/// inserted, deleted and moved sections, and last the other rows.
///
/// UIKit fails on some correct batches: a row that is moved and reloaded, a section that moves
/// while its rows change, a row that moves out of a deleted or into an inserted section.
struct UpdateStages {
    private let new: Snapshot
    private let changes: Changes
    private let positions: RowPositions
    private var current: Snapshot
    private(set) var updates: [TableUpdate] = []

    /// Compares two snapshots.
    ///
    /// The time grows with their length.
    init(from old: Snapshot, to new: Snapshot) {
        self.new = new
        changes = Changes(from: old, to: new)
        positions = RowPositions(of: changes, from: old, to: new)
        current = old
        current.members = new.members
        updateRows()
        updateSections()
        changeSections()
        changeRows()
    }

    private mutating func add(_ batch: TableBatch, to next: Snapshot) {
        if batch.count > 0 { updates.append(TableUpdate(batch, from: current, to: next)) }
        current = next
    }

    /// Adds the batch with changed items, at their old positions.
    private mutating func updateRows() {
        var batch = TableBatch()
        var next = current
        for update in changes.updatedItems {
            guard let old = positions.old[update.id], let item = positions.item(update.id)
            else { continue }
            next.replaceItem(at: old, with: item)
            batch.updatedRows.append(IndexPath(old))
        }
        add(batch, to: next)
    }

    /// Adds the batch with changed members of sections, at their old positions.
    private mutating func updateSections() {
        var batch = TableBatch()
        var next = current
        for update in changes.updatedSections {
            guard let position = positions.oldSections[update.id],
                let section = positions.newSections[update.id]
            else { continue }
            next.setMembers(new.sections[section].members, ofSection: position)
            batch.updatedSections.insert(position)
        }
        add(batch, to: next)
    }

    /// Adds the batch with inserted, deleted and moved sections.
    private mutating func changeSections() {
        var batch = TableBatch()
        for id in changes.removedSections {
            if let position = positions.oldSections[id] { batch.deletedSections.insert(position) }
        }
        for section in changes.insertedSections { batch.insertedSections.insert(section.index) }
        for move in changes.movedSections {
            guard let from = positions.oldSections[move.id] else { continue }
            batch.movedSections.append(TableBatch.SectionMove(from: from, to: move.index))
        }
        guard batch.count > 0 else { return }
        let (positions, current) = (positions, current)
        let staying = changes.movedItems.filter { positions.isInKeptSection($0.id) }
        let stillElsewhere = Set(staying.map(\.id))
        let sections = new.sections.map { section in
            if let position = positions.oldSections[section.id] {
                return current.sections[position]
            }
            guard !stillElsewhere.isEmpty else { return section }
            return FeedSection(
                id: section.id,
                members: section.members,
                items: section.items.filter { !stillElsewhere.contains($0.id) }
            )
        }
        add(batch, to: Snapshot(members: new.members, sections: sections))
    }

    /// Adds the batch with inserted, deleted and moved rows; the sections are in their final order
    /// already.
    private mutating func changeRows() {
        var batch = TableBatch()
        for id in changes.removedItems {
            if let path = positions.rearranged(id) { batch.deletedRows.append(path) }
        }
        for insertion in changes.insertedItems {
            guard positions.oldSections[insertion.section] != nil,
                let section = positions.newSections[insertion.section]
            else { continue }
            batch.insertedRows.append([section, insertion.index])
        }
        for move in changes.movedItems {
            guard let section = positions.newSections[move.section] else { continue }
            let to: IndexPath = [section, move.index]
            if let from = positions.rearranged(move.id) {
                batch.movedRows.append(TableBatch.RowMove(from: from, to: to))
            } else if positions.oldSections[move.section] != nil {
                // The item's old section was deleted, and the row with it.
                batch.insertedRows.append(to)
            }
        }
        batch.insertedRows.sort()
        add(batch, to: new)
    }
}

/// The old positions of the rows that changes name, and the old and new positions of sections.
private struct RowPositions {
    private(set) var old: [ExactString: ItemPosition] = [:]
    private(set) var oldSections: [ExactString: Int] = [:]
    private(set) var newSections: [ExactString: Int] = [:]
    private var newItems: [ExactString: FeedItem] = [:]
    private let sectionsBefore: [ExactString]

    init(of changes: Changes, from before: Snapshot, to after: Snapshot) {
        sectionsBefore = before.sections.map(\.id)
        for (position, section) in before.sections.enumerated() {
            oldSections[section.id] = position
        }
        for (position, section) in after.sections.enumerated() {
            newSections[section.id] = position
        }
        var wanted = Set(changes.updatedItems.lazy.map(\.id))
        RowPositions.find(wanted, in: after) { _, item in newItems[item.id] = item }
        wanted.formUnion(changes.removedItems)
        wanted.formUnion(changes.movedItems.lazy.map(\.id))
        RowPositions.find(wanted, in: before) { position, item in old[item.id] = position }
    }

    private static func find(
        _ ids: Set<ExactString>,
        in snapshot: Snapshot,
        _ body: (ItemPosition, FeedItem) -> Void
    ) {
        guard !ids.isEmpty else { return }
        if snapshot.isIndexed {
            for id in ids {
                guard let position = snapshot.position(ofItem: id) else { continue }
                body(position, snapshot.list[position])
            }
            return
        }
        for (position, section) in snapshot.sections.enumerated() {
            var row = 0
            section.items.forEachItem { item in
                if ids.contains(item.id) {
                    body(ItemPosition(section: position, index: row), item)
                }
                row += 1
            }
        }
    }

    /// Returns an updated item after the changes.
    func item(_ id: ExactString) -> FeedItem? { newItems[id] }

    /// Whether the old section of an item remains.
    func isInKeptSection(_ id: ExactString) -> Bool { rearranged(id) != nil }

    /// Returns the position of an item after the sections were changed, but not yet the rows;
    /// `nil`: its section was deleted.
    func rearranged(_ id: ExactString) -> IndexPath? {
        guard let position = old[id],
            let section = newSections[sectionsBefore[Int(position.section)]]
        else { return nil }
        return [section, Int(position.index)]
    }
}

extension IndexPath {
    fileprivate init(_ position: ItemPosition) {
        self = [Int(position.section), Int(position.index)]
    }
}
