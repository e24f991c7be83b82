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
    /// Both versions, with an index of their ids.
    private let (old, new): (Snapshot, Snapshot)
    private let changes: Changes
    private var current: Snapshot
    private(set) var updates: [TableUpdate] = []

    /// Compares two snapshots.
    ///
    /// The time grows with their length.
    init(from old: Snapshot, to new: Snapshot) {
        (self.old, self.new) = (old.indexed(), new.indexed())
        changes = Changes(from: self.old, to: self.new)
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
            guard let position = old.position(ofItem: update.id), let item = new.item(update.id)
            else { continue }
            next.replaceItem(at: position, with: item)
            batch.updatedRows.append([Int(position.section), Int(position.index)])
        }
        add(batch, to: next)
    }

    /// Adds the batch with changed members of sections, at their old positions.
    private mutating func updateSections() {
        var batch = TableBatch()
        var next = current
        for update in changes.updatedSections {
            guard let position = old.position(ofSection: update.id),
                let section = new.position(ofSection: update.id)
            else { continue }
            next.setMembers(new.list[section].members, ofSection: position)
            batch.updatedSections.insert(position)
        }
        add(batch, to: next)
    }

    /// Adds the batch with inserted, deleted and moved sections.
    private mutating func changeSections() {
        var batch = TableBatch()
        for id in changes.removedSections {
            if let position = old.position(ofSection: id) {
                batch.deletedSections.insert(position)
            }
        }
        for section in changes.insertedSections { batch.insertedSections.insert(section.index) }
        for move in changes.movedSections {
            guard let from = old.position(ofSection: move.id) else { continue }
            batch.movedSections.append(TableBatch.SectionMove(from: from, to: move.index))
        }
        guard batch.count > 0 else { return }
        let staying = changes.movedItems.filter { rearranged($0.id) != nil }
        let stillElsewhere = Set(staying.map(\.id))
        let sections = new.sections.map { section in
            if let position = old.position(ofSection: section.id) { return current.list[position] }
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
            if let path = rearranged(id) { batch.deletedRows.append(path) }
        }
        for insertion in changes.insertedItems {
            guard old.position(ofSection: insertion.section) != nil,
                let section = new.position(ofSection: insertion.section)
            else { continue }
            batch.insertedRows.append([section, insertion.index])
        }
        for move in changes.movedItems {
            guard let section = new.position(ofSection: move.section) else { continue }
            let to: IndexPath = [section, move.index]
            if let from = rearranged(move.id) {
                batch.movedRows.append(TableBatch.RowMove(from: from, to: to))
            } else if old.position(ofSection: move.section) != nil {
                // The item's old section was deleted, and the row with it.
                batch.insertedRows.append(to)
            }
        }
        batch.insertedRows.sort()
        add(batch, to: new)
    }

    /// Returns the position of an item after the sections were changed, but not yet the rows;
    /// `nil`: its section was deleted.
    private func rearranged(_ id: ExactString) -> IndexPath? {
        guard let position = old.position(ofItem: id),
            let section = new.position(ofSection: old.list[Int(position.section)].id)
        else { return nil }
        return [section, Int(position.index)]
    }
}
