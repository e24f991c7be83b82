public import FeedModel

/// A step that brings a table view closer to the feed's content.
///
/// The data source must return ``snapshot`` from the moment at which the operations are applied:
/// with UIKit, it is set within the closure of `performBatchUpdates`.
public struct TableUpdate: Sendable {
    /// The operations of an update.
    public enum Operations: Sendable, Equatable {
        /// `reloadData()`: the table is empty or off screen, or too much has changed.
        case reload
        /// A batch of updates. The batch is empty if only the feed's own members changed, such as
        /// its title.
        case batch(TableBatch)
    }

    /// The operations to apply to the table.
    public let operations: Operations

    /// The content of the data source after the update.
    public let snapshot: Snapshot

    /// The number of rows in each section before the update; empty for a reload.
    public let rowCounts: [Int]

    /// A reload to the same content, for a table whose content differs from the expected one.
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

    /// Returns whether the update fits a table's content.
    ///
    /// For a table that the update does not fit, ``reloading`` must be used.
    ///
    /// - Parameter rowCounts: The table's `numberOfRows(inSection:)`, for each section.
    public func applies(to rowCounts: [Int]) -> Bool {
        operations == .reload || rowCounts == self.rowCounts
    }
}
