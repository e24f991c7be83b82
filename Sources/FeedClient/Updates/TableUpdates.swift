import FeedModel

/// The updates of a table that shows a feed, one after the other.
///
/// Each is made when it is asked for, from the content that was given last to the content that the
/// feed holds by then.
///
/// ```swift
/// for await update in feed.tableUpdates(isOnScreen: { table.window != nil }) {
///     await table.apply(update)  // returns when the animation has ended
/// }
/// ```
///
/// Asking for the next update says that the one before is shown. The first is a reload. No work
/// that grows with the feed is done where it is read.
public struct TableUpdates: AsyncSequence, Sendable {
    public typealias Element = TableUpdate
    public typealias Failure = Never

    let feed: Feed
    let isOnScreen: @MainActor @Sendable () -> Bool
    let operationLimit: Int

    /// Gives updates; ends when its task is cancelled.
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

        /// The next update, as soon as there is something to show.
        public mutating func next() async -> TableUpdate? {
            await next(isolation: #isolation)
        }

        private mutating func takeQueue() -> UpdateQueue {
            let taken = queue
            queue = UpdateQueue()
            return taken
        }

        /// Returns the next update to a caller on any actor, as soon as there is something to show.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> TableUpdate? {
            while true {
                let isOnScreen = await isOnScreen()
                // What was shown before is freed where the next one is made.
                let (queue, update) = await TableUpdates.next(of: takeQueue(), isOnScreen)
                self.queue = queue
                if let update { return update }
                guard let update = await updates.next(isolation: actor) else { return nil }
                if update.freshness != .neverLoaded { self.queue.receive(update.copy.snapshot) }
            }
        }
    }

    /// Reads the updates.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Compares off the actor that asks.
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
    /// Returns the updates of a table that shows the feed; one sequence for each table.
    ///
    /// - Parameters:
    ///   - operationLimit: A step of more operations than these becomes a reload.
    ///   - isOnScreen: Whether the table is in a window; one that is not is reloaded.
    public nonisolated func tableUpdates(
        operationLimit: Int = 1_000,
        isOnScreen: @escaping @MainActor @Sendable () -> Bool = { true }
    ) -> TableUpdates {
        TableUpdates(feed: self, isOnScreen: isOnScreen, operationLimit: operationLimit)
    }
}
