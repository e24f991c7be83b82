public import Foundation

/// The changes that a table or collection view applies in one `performBatchUpdates`.
///
/// Indexes have UIKit's meaning: those of deletions and updates are positions before the batch,
/// those of insertions positions after it, and a move has one of each. A batch never mixes changes
/// on which UIKit fails: no row is both moved and updated, and no section moves while rows do.
public struct TableBatch: Sendable, Equatable {
    /// The move of a section.
    public struct SectionMove: Sendable, Equatable {
        /// The position before the batch.
        public let from: Int
        /// The position after the batch.
        public let to: Int
    }

    /// The move of a row.
    public struct RowMove: Sendable, Equatable {
        /// The position before the batch.
        public let from: IndexPath
        /// The position after the batch.
        public let to: IndexPath
    }

    /// The rows whose items changed, for `reconfigureRows(at:)` or `reloadRows(at:)`.
    public internal(set) var updatedRows: [IndexPath] = []

    /// The sections whose own members changed, such as the title; their rows are unchanged.
    public internal(set) var updatedSections = IndexSet()

    /// The sections that are deleted with all their rows.
    public internal(set) var deletedSections = IndexSet()

    /// The sections that are inserted with all rows that they have after the batch.
    public internal(set) var insertedSections = IndexSet()

    /// The sections that are moved with all their rows.
    public internal(set) var movedSections: [SectionMove] = []

    /// The rows that are deleted from remaining sections.
    public internal(set) var deletedRows: [IndexPath] = []

    /// The rows that are inserted into sections that existed before the batch.
    public internal(set) var insertedRows: [IndexPath] = []

    /// The rows that are moved within a section or to another.
    public internal(set) var movedRows: [RowMove] = []

    /// The number of all operations.
    public var count: Int {
        updatedRows.count + updatedSections.count + deletedSections.count + insertedSections.count
            + movedSections.count + deletedRows.count + insertedRows.count + movedRows.count
    }
}
