public import Foundation

/// The changes that a table or collection view carries out in one `performBatchUpdates`.
///
/// The indexes mean what UIKit takes them for: those of deletions and updates are positions before
/// the batch, those of insertions positions after it, and a move has one of each. No batch mixes
/// kinds that UIKit fails on: a row is never moved and updated in one, and no section changes its
/// place while rows do.
public struct TableBatch: Sendable, Equatable {
    /// A section that changes its place.
    public struct SectionMove: Sendable, Equatable {
        /// Its position before the batch.
        public let from: Int
        /// Its position after the batch.
        public let to: Int
    }

    /// A row that changes its place.
    public struct RowMove: Sendable, Equatable {
        /// Its position before the batch.
        public let from: IndexPath
        /// Its position after the batch.
        public let to: IndexPath
    }

    /// Rows whose items differ: for `reconfigureRows(at:)` or `reloadRows(at:)`.
    public internal(set) var updatedRows: [IndexPath] = []

    /// Sections whose own members differ, such as the title; their rows stay as they are.
    public internal(set) var updatedSections = IndexSet()

    /// Sections that go with all their rows.
    public internal(set) var deletedSections = IndexSet()

    /// Sections that come with all rows that they have after the batch.
    public internal(set) var insertedSections = IndexSet()

    /// Sections that change their order with all their rows.
    public internal(set) var movedSections: [SectionMove] = []

    /// Rows that go from sections that stay.
    public internal(set) var deletedRows: [IndexPath] = []

    /// Rows that come to sections that were there before the batch.
    public internal(set) var insertedRows: [IndexPath] = []

    /// Rows that change their place, within a section or to another.
    public internal(set) var movedRows: [RowMove] = []

    /// The number of all operations.
    public var count: Int {
        updatedRows.count + updatedSections.count + deletedSections.count + insertedSections.count
            + movedSections.count + deletedRows.count + insertedRows.count + movedRows.count
    }
}
