public import FeedModel

/// A step from the content that a table shows to the content that the feed holds.
///
/// A data source shows ``snapshot`` from the moment at which the operations are carried out: with
/// UIKit, it is set within the closure of `performBatchUpdates`.
public struct TableUpdate: Sendable {
    /// How the table gets there.
    public enum Operations: Sendable, Equatable {
        /// By `reloadData()`: the table shows nothing yet, is off screen, or too much changed.
        case reload
        /// By a batch; one of no operations where only the feed's own members differ, as its title.
        case batch(TableBatch)
    }

    /// How the table gets there.
    public let operations: Operations

    /// The content that the data source shows from then on.
    public let snapshot: Snapshot

    /// The number of rows of each section before; empty for a reload.
    public let rowCounts: [Int]

    /// The update for a table that shows something else than was thought.
    public var reloading: TableUpdate { TableUpdate(reloading: snapshot) }

    init(reloading snapshot: Snapshot) {
        operations = .reload
        self.snapshot = snapshot
        rowCounts = []
    }

    init(_ batch: TableBatch, from old: Snapshot, to snapshot: Snapshot) {
        operations = .batch(batch)
        self.snapshot = snapshot
        rowCounts = old.sections.map(\.items.count)
    }

    /// Whether it starts from what a table shows: a batch that does not is to be replaced by
    /// ``reloading``.
    ///
    /// - Parameter rowCounts: The table's `numberOfRows(inSection:)`, for each section.
    public func applies(to rowCounts: [Int]) -> Bool {
        operations == .reload || rowCounts == self.rowCounts
    }
}
