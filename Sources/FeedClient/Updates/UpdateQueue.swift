public import FeedModel

/// Makes the updates for a table from the feed's snapshots, one update at a time.
///
/// UIKit's views fail on a batch that comes while the one before is running, or while the view is
/// off screen. So the next update is returned only when the last one was confirmed, snapshots that
/// arrive meanwhile are combined, and a table that is off screen is reloaded.
/// ``Feed/tableUpdates(operationLimit:isOnScreen:)`` does all this by itself.
public struct UpdateQueue: Sendable {
    /// The number of operations above which an update becomes a reload.
    public var operationLimit = 1_000

    /// The snapshot of the last confirmed update; `nil`: none.
    public private(set) var shown: Snapshot?

    private var latest: Snapshot?
    private var stages: [TableUpdate] = []
    private var delivered: TableUpdate?

    /// Makes a queue for an empty table.
    public init() {}

    /// Sets the feed's current snapshot.
    public mutating func receive(_ snapshot: Snapshot) {
        latest = snapshot
        stages = []
    }

    /// Returns the next update.
    ///
    /// The time may be linear in the feed's length, so this should be called off the main thread.
    ///
    /// - Parameter isOnScreen: Whether the table is in a window.
    /// - Returns: The update; `nil`: the last update is not confirmed, or there is nothing to do.
    public mutating func next(isOnScreen: Bool = true) -> TableUpdate? {
        guard delivered == nil, let latest else { return nil }
        delivered = update(to: latest, isOnScreen)
        return delivered
    }

    private mutating func update(to latest: Snapshot, _ isOnScreen: Bool) -> TableUpdate? {
        if stages.isEmpty {
            guard let shown else { return TableUpdate(reloading: latest) }
            guard !shown.isIdentical(to: latest) else { return nil }
            stages = UpdateStages(from: shown, to: latest).updates
            if stages.isEmpty {
                guard shown.members.list != latest.members.list else {
                    self.shown = latest
                    return nil
                }
                stages = [TableUpdate(TableBatch(), from: shown, to: latest)]
            }
        }
        let count = stages.reduce(0) { count, update in
            guard case .batch(let batch) = update.operations else { return count }
            return count + batch.count
        }
        guard isOnScreen, count <= operationLimit else {
            stages = []
            return TableUpdate(reloading: latest)
        }
        return stages.removeFirst()
    }

    /// Confirms that the table shows the last update.
    public mutating func confirm() {
        guard let update = delivered else { return }
        shown = update.snapshot
        delivered = nil
    }

    /// Reports that the table did not apply the last update.
    ///
    /// The next update is a reload.
    public mutating func refuse() {
        delivered = nil
        stages = []
        shown = nil
    }
}

extension Snapshot {
    /// Returns whether both snapshots share the same storage, in constant time.
    ///
    /// Snapshots that are equal but built separately do not.
    func isIdentical(to other: Snapshot) -> Bool {
        list.tree.isIdentical(to: other.list.tree) && members.list == other.members.list
    }
}
