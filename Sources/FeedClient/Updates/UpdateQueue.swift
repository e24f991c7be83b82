public import FeedModel

/// The updates that a table still has to show: a value that is told of snapshots and gives one
/// update at a time.
///
/// UIKit's views fail on a batch that comes while the one before is carried out, and on one that
/// comes while they are off screen. So the next update is given only when the last was confirmed,
/// what arrives meanwhile is joined to one step, and a table that is not on screen is reloaded.
/// ``Feed/tableUpdates(operationLimit:isOnScreen:)`` does all this by itself.
public struct UpdateQueue: Sendable {
    /// A step of more operations than these becomes a reload.
    public var operationLimit = 1_000

    /// The snapshot that the table shows, as far as it was confirmed; `nil`: nothing yet.
    public private(set) var shown: Snapshot?

    private var latest: Snapshot?
    private var stages: [TableUpdate] = []
    private var delivered: TableUpdate?

    /// Makes a queue for a table that shows nothing yet.
    public init() {}

    /// Takes the snapshot that the feed holds now.
    public mutating func receive(_ snapshot: Snapshot) {
        latest = snapshot
        stages = []
    }

    /// Gives the next update; its time grows with the feed, so it is best called off the main
    /// thread.
    ///
    /// - Parameter isOnScreen: Whether the table is in a window.
    /// - Returns: `nil` while the last update is not confirmed, and when there is nothing to do.
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

    /// Says that the table shows the update that was given last.
    public mutating func confirm() {
        guard let update = delivered else { return }
        shown = update.snapshot
        delivered = nil
    }

    /// Says that the table did not take the update that was given last: a reload is next.
    public mutating func refuse() {
        delivered = nil
        stages = []
        shown = nil
    }
}

extension Snapshot {
    /// Whether both are the same, which costs nothing to see; two that are only equal may differ.
    func isIdentical(to other: Snapshot) -> Bool {
        list.tree.isIdentical(to: other.list.tree) && members.list == other.members.list
    }
}
