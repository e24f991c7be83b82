import FeedModel
import Foundation

/// The updates of a batch.
///
/// Deletions and reloads name positions before the batch, insertions positions after it, and moves
/// one of each. Some combinations are allowed that UIKit refuses: a row that is moved and reloaded,
/// a section that moves while its rows change, and rows that move out of deleted or into inserted
/// sections.
struct RowUpdates {
    var deletedRows: [IndexPath] = []
    var insertedRows: [IndexPath] = []
    var reloadedRows: [IndexPath] = []
    /// The rows whose cells stay and are configured again.
    var reconfiguredRows: [IndexPath] = []
    var movedRows: [(from: IndexPath, to: IndexPath)] = []
    var deletedSections: [Int] = []
    var insertedSections: [Int] = []
    var reloadedSections: [Int] = []
    var movedSections: [(from: Int, to: Int)] = []

    var isEmpty: Bool {
        deletedRows.isEmpty && insertedRows.isEmpty && reloadedRows.isEmpty
            && reconfiguredRows.isEmpty && movedRows.isEmpty && deletedSections.isEmpty
            && insertedSections.isEmpty && reloadedSections.isEmpty
            && movedSections.isEmpty
    }

    mutating func append(_ other: RowUpdates) {
        deletedRows += other.deletedRows
        insertedRows += other.insertedRows
        reloadedRows += other.reloadedRows
        reconfiguredRows += other.reconfiguredRows
        movedRows += other.movedRows
        deletedSections += other.deletedSections
        insertedSections += other.insertedSections
        reloadedSections += other.reloadedSections
        movedSections += other.movedSections
    }
}

/// The mapping of rows before a batch to rows after it.
///
/// The initializer checks the updates as UIKit does.
struct RowMapping {
    private let sections: [Int?]
    private let leaving: [Int: [Int]]
    private let arriving: [Int: [Int]]
    private let moves: [IndexPath: IndexPath]
    private let deleted: Set<IndexPath>
    private let reloadedSections: Set<Int>
    private let reloadedRows: Set<IndexPath>

    /// Checks the updates, and computes the mapping from the numbers of rows in each section before
    /// and after the batch.
    ///
    /// - Throws: ``FeedUIError``, which names the section and the numbers that do not fit.
    init(_ updates: RowUpdates, from old: [Int], to new: [Int]) throws(FeedUIError) {
        try RowMapping.check(updates, old, new)
        sections = try RowMapping.sections(updates, old.count, new.count)
        deleted = Set(updates.deletedRows)
        reloadedRows = Set(updates.reloadedRows)
        reloadedSections = Set(updates.reloadedSections)
        moves = Dictionary(updates.movedRows.map { ($0.from, $0.to) }) { first, _ in first }
        let left = updates.deletedRows + updates.movedRows.map(\.from)
        leaving = Dictionary(grouping: left) { $0[0] }.mapValues { $0.map { $0[1] }.sorted() }
        let come = updates.insertedRows + updates.movedRows.map(\.to)
        arriving = Dictionary(grouping: come) { $0[0] }.mapValues { $0.map { $0[1] }.sorted() }
        try checkCounts(old, new)
    }

    /// Returns the position of a row after the batch; `nil`: the row was deleted, or its section
    /// was reloaded.
    func path(of old: IndexPath) -> IndexPath? {
        if let to = moves[old] { return to }
        guard !deleted.contains(old), !reloadedSections.contains(old[0]),
            let section = sections[old[0]]
        else { return nil }
        let left = leaving[old[0]] ?? []
        var row = old[1] - left.partitionPoint { $0 < old[1] }
        for arrived in arriving[section] ?? [] {
            guard arrived <= row else { break }
            row += 1
        }
        return [section, row]
    }

    /// Returns the position after the batch of a row that was only shifted; `nil`: the row was
    /// moved or deleted.
    func keptPath(of old: IndexPath) -> IndexPath? { moves[old] == nil ? path(of: old) : nil }

    /// Whether a row, or its section, is reloaded.
    func isReloaded(_ old: IndexPath) -> Bool {
        reloadedRows.contains(old) || reloadedSections.contains(old[0])
    }
}

/// Checks updates.
extension RowMapping {
    private static func check(
        _ updates: RowUpdates,
        _ old: [Int],
        _ new: [Int]
    ) throws(FeedUIError) {
        let before = updates.deletedRows + updates.movedRows.map(\.from)
        let after = updates.insertedRows + updates.movedRows.map(\.to)
        for path in before + updates.reloadedRows { try check(path, in: old, "before") }
        for path in after { try check(path, in: new, "after") }
        for rows in [before, after, updates.deletedRows + updates.reloadedRows] {
            guard let path = rows.firstRepeated else { continue }
            throw FeedUIError("section \(path[0]), row \(path[1]) is named twice")
        }
        let left = updates.deletedSections + updates.movedSections.map(\.from)
        let come = updates.insertedSections + updates.movedSections.map(\.to)
        for section in left + updates.reloadedSections { try check(section, in: old, "before") }
        for section in come { try check(section, in: new, "after") }
        for sections in [left, come, updates.deletedSections + updates.reloadedSections] {
            guard let section = sections.firstRepeated else { continue }
            throw FeedUIError("section \(section) is named twice")
        }
    }

    private static func check(
        _ path: IndexPath,
        in counts: [Int],
        _ when: String
    ) throws(FeedUIError) {
        try check(path[0], in: counts, when)
        guard 0..<counts[path[0]] ~= path[1] else {
            throw FeedUIError(
                "section \(path[0]) has no row \(path[1]): there are \(counts[path[0]]) \(when)"
                    + " the update"
            )
        }
    }

    private static func check(
        _ section: Int,
        in counts: [Int],
        _ when: String
    ) throws(FeedUIError) {
        guard counts.indices.contains(section) else {
            throw FeedUIError(
                "there is no section \(section): there are \(counts.count) \(when) the update"
            )
        }
    }

    private static func sections(
        _ updates: RowUpdates,
        _ old: Int,
        _ new: Int
    ) throws(FeedUIError) -> [Int?] {
        guard old - updates.deletedSections.count + updates.insertedSections.count == new else {
            throw FeedUIError(
                "there are \(new) sections after the update, but there were \(old),"
                    + " \(updates.insertedSections.count) inserted and"
                    + " \(updates.deletedSections.count) deleted"
            )
        }
        var result = [Int?](repeating: nil, count: old)
        for move in updates.movedSections { result[move.from] = move.to }
        let gone = Set(updates.deletedSections)
        let moved = Set(updates.movedSections.map(\.from))
        var taken = Set(updates.insertedSections + updates.movedSections.map(\.to))
        var next = 0
        for section in 0..<old where !gone.contains(section) && !moved.contains(section) {
            while taken.contains(next) { next += 1 }
            result[section] = next
            taken.insert(next)
        }
        return result
    }

    private func checkCounts(_ old: [Int], _ new: [Int]) throws(FeedUIError) {
        for (section, target) in sections.enumerated() {
            guard let target, !reloadedSections.contains(section) else { continue }
            let left = leaving[section]?.count ?? 0
            let come = arriving[target]?.count ?? 0
            guard old[section] - left + come == new[target] else {
                throw FeedUIError(
                    "section \(target) has \(new[target]) rows after the update, but it had"
                        + " \(old[section]), \(come) came and \(left) left"
                )
            }
        }
    }
}

extension Array where Element: Hashable {
    /// The first element that is equal to one before it; `nil`: all differ.
    fileprivate var firstRepeated: Element? {
        var seen: Set<Element> = []
        return first { !seen.insert($0).inserted }
    }
}
