import FeedModel
import Foundation

@testable import FeedClient

/// A table that carries batches out as UIKit's do, and refuses what those fail on.
struct TableRules {
    /// Why a batch is refused.
    enum Fault: Error, Equatable {
        case offScreen
        case duringAnother
        case otherTable
        case index
        case twice
        case movedAndUpdated
        case rowOfChangedSection
        case sectionsAndRows
        case updatesAndOthers
        case count
        case order
        case stale
    }

    struct Row: Equatable {
        var id: ExactString
        var json: JSONText
    }

    struct Section: Equatable {
        var id: ExactString
        var title: Members
        var rows: [Row]
    }

    private(set) var sections: [Section] = []
    var isOnScreen = true
    private(set) var isAnimating = false

    init(_ snapshot: Snapshot) {
        sections = TableRules.sections(of: snapshot)
    }

    static func sections(of snapshot: Snapshot) -> [Section] {
        snapshot.sections.map { section in
            let rows = section.items.map { Row(id: $0.id, json: $0.json) }
            return Section(id: section.id, title: section.members, rows: rows)
        }
    }

    /// Begins an update; its animation goes on until ``end()``.
    mutating func begin(_ update: TableUpdate) throws(Fault) {
        guard !isAnimating else { throw .duringAnother }
        let final = TableRules.sections(of: update.snapshot)
        guard case .batch(let batch) = update.operations else {
            sections = final
            return
        }
        guard isOnScreen else { throw .offScreen }
        guard update.applies(to: sections.map(\.rows.count)) else { throw .otherTable }
        try check(batch, final)
        isAnimating = true
        sections = final
    }

    mutating func end() {
        isAnimating = false
    }

    private func check(_ batch: TableBatch, _ final: [Section]) throws(Fault) {
        let hasUpdates = !batch.updatedRows.isEmpty || !batch.updatedSections.isEmpty
        let hasSections =
            !batch.deletedSections.isEmpty || !batch.insertedSections.isEmpty
            || !batch.movedSections.isEmpty
        let hasRows =
            !batch.deletedRows.isEmpty || !batch.insertedRows.isEmpty || !batch.movedRows.isEmpty
        try checkIndexes(batch, final)
        let moved = Set(batch.movedRows.map(\.from))
        guard moved.isDisjoint(with: batch.updatedRows) else { throw .movedAndUpdated }
        try checkRowsOfSections(batch)
        guard !(hasSections && hasRows) else { throw .sectionsAndRows }
        guard !(hasUpdates && (hasSections || hasRows)),
            batch.updatedRows.isEmpty || batch.updatedSections.isEmpty
        else { throw .updatesAndOthers }
        let sections = try rearranged(batch, final)
        try checkRows(batch, sections, final)
    }

    private func checkIndexes(_ batch: TableBatch, _ final: [Section]) throws(Fault) {
        let old = batch.updatedRows + batch.deletedRows + batch.movedRows.map(\.from)
        let new = batch.insertedRows + batch.movedRows.map(\.to)
        for (paths, sections) in [(old, self.sections), (new, final)] {
            guard paths.allSatisfy({ TableRules.has($0, sections) }) else { throw .index }
        }
        let leaving = batch.deletedRows + batch.movedRows.map(\.from)
        guard Set(leaving).count == leaving.count, Set(new).count == new.count,
            Set(batch.updatedRows).count == batch.updatedRows.count
        else { throw .twice }
        let from = Array(batch.deletedSections) + batch.movedSections.map(\.from)
        let to = Array(batch.insertedSections) + batch.movedSections.map(\.to)
        guard (from + Array(batch.updatedSections)).allSatisfy(self.sections.indices.contains),
            to.allSatisfy(final.indices.contains)
        else { throw .index }
        guard Set(from).count == from.count, Set(to).count == to.count else { throw .twice }
    }

    private static func has(_ path: IndexPath, _ sections: [Section]) -> Bool {
        path.count == 2 && sections.indices.contains(path[0])
            && sections[path[0]].rows.indices.contains(path[1])
    }

    private func checkRowsOfSections(_ batch: TableBatch) throws(Fault) {
        let left = Set(Array(batch.deletedSections) + batch.movedSections.map(\.from))
        let come = Set(Array(batch.insertedSections) + batch.movedSections.map(\.to))
        let old = batch.updatedRows + batch.deletedRows + batch.movedRows.map(\.from)
        let new = batch.insertedRows + batch.movedRows.map(\.to)
        guard !old.contains(where: { left.contains($0[0]) }),
            !new.contains(where: { come.contains($0[0]) })
        else { throw .rowOfChangedSection }
    }

    /// The sections in their new order, each with the rows from before.
    private func rearranged(
        _ batch: TableBatch,
        _ final: [Section]
    ) throws(Fault) -> [Section] {
        let gone = batch.deletedSections.union(IndexSet(batch.movedSections.map(\.from)))
        guard
            sections.count - batch.deletedSections.count + batch.insertedSections.count
                == final.count
        else { throw .count }
        var rest = sections.indices.filter { !gone.contains($0) }.map { sections[$0] }[...]
        let moves = Dictionary(uniqueKeysWithValues: batch.movedSections.map { ($0.to, $0.from) })
        var result: [Section] = []
        for position in final.indices {
            if batch.insertedSections.contains(position) {
                result.append(final[position])
            } else if let from = moves[position] {
                result.append(sections[from])
            } else if let next = rest.popFirst() {
                result.append(next)
            }
        }
        guard result.map(\.id) == final.map(\.id) else { throw .order }
        return result
    }

    private func checkRows(
        _ batch: TableBatch,
        _ old: [Section],
        _ final: [Section]
    ) throws(Fault) {
        for (position, section) in old.enumerated() {
            let leaving = Set(
                (batch.deletedRows + batch.movedRows.map(\.from)).filter { $0[0] == position }
                    .map { $0[1] }
            )
            var arriving = Dictionary(
                uniqueKeysWithValues: batch.movedRows.filter { $0.to[0] == position }
                    .map { ($0.to[1], old[$0.from[0]].rows[$0.from[1]]) }
            )
            for path in batch.insertedRows where path[0] == position {
                arriving[path[1]] = final[position].rows[path[1]]
            }
            let rows = final[position].rows
            guard section.rows.count - leaving.count + arriving.count == rows.count else {
                throw .count
            }
            var rest = section.rows.indices.filter { !leaving.contains($0) }[...]
            for row in rows.indices {
                if let arrived = arriving[row] {
                    guard arrived.id == rows[row].id else { throw .order }
                    guard arrived == rows[row] else { throw .stale }
                } else if let from = rest.popFirst() {
                    guard section.rows[from].id == rows[row].id else { throw .order }
                    let isUpdated = batch.updatedRows.contains([position, from])
                    guard isUpdated || section.rows[from] == rows[row] else { throw .stale }
                }
            }
            let isUpdated = batch.updatedSections.contains(position)
            guard isUpdated || section.title == final[position].title else { throw .stale }
        }
    }
}
