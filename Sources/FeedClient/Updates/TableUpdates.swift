import FeedModel

/// The updates for a table that shows a feed.
///
/// Each update is made when it is requested, and leads from the content of the last update to the
/// feed's current content.
///
/// ```swift
/// for await update in feed.tableUpdates(isOnScreen: { table.window != nil }) {
///     await table.apply(update)  // returns when the animation has ended
/// }
/// ```
///
/// Requesting the next update confirms that the one before is shown. The first update is a reload.
/// Snapshots are compared off the reader's actor.
public struct TableUpdates: AsyncSequence, Sendable {
    public typealias Element = TableUpdate
    public typealias Failure = Never

    let feed: Feed
    let isOnScreen: @MainActor @Sendable () -> Bool
    let operationLimit: Int

    /// Returns the updates; ends when its task is cancelled.
    public struct Iterator: AsyncIteratorProtocol {
        private var queue: UpdateQueue
        private var updates: AsyncStream<FeedUpdate>.Iterator
        private let isOnScreen: @MainActor @Sendable () -> Bool

        init(_ sequence: TableUpdates) {
            queue = UpdateQueue()
            queue.operationLimit = sequence.operationLimit
            updates = sequence.feed.updates().makeAsyncIterator()
            isOnScreen = sequence.isOnScreen
        }

        private mutating func takeQueue() -> UpdateQueue {
            let taken = queue
            queue = UpdateQueue()
            return taken
        }

        /// Returns the next update as soon as there is something to show.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async -> TableUpdate? {
            while true {
                let isOnScreen = await isOnScreen()
                // The queue moves off this actor, so that the old snapshot is freed there.
                let (queue, update) = await TableUpdates.next(of: takeQueue(), isOnScreen)
                self.queue = queue
                if let update { return update }
                guard let update = await updates.next(isolation: actor) else { return nil }
                if update.freshness != .neverLoaded { self.queue.receive(update.copy.snapshot) }
            }
        }
    }

    /// Returns an iterator over the updates.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Makes the next update off the caller's actor.
    @concurrent
    private static func next(
        of queue: consuming UpdateQueue,
        _ isOnScreen: Bool
    ) async -> (UpdateQueue, TableUpdate?) {
        var queue = queue
        queue.confirm()
        let update = queue.next(isOnScreen: isOnScreen)
        return (queue, update)
    }
}

extension Feed {
    /// Returns the updates for a table that shows the feed.
    ///
    /// Each table needs its own sequence.
    ///
    /// - Parameters:
    ///   - operationLimit: The number of operations above which an update becomes a reload.
    ///   - isOnScreen: Returns whether the table is in a window. Otherwise it is reloaded.
    public nonisolated func tableUpdates(
        operationLimit: Int = 1_000,
        isOnScreen: @escaping @MainActor @Sendable () -> Bool = { true }
    ) -> TableUpdates {
        TableUpdates(feed: self, isOnScreen: isOnScreen, operationLimit: operationLimit)
    }
}
