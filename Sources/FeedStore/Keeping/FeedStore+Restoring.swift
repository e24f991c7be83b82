import FeedDiff
import FeedModel
import Synchronization

/// Restores the feeds from the journal when the server starts.
extension FeedStore {
    /// Reads the journal's whole content; called once, before the first publish.
    ///
    /// - Returns: The journal's content besides the feeds.
    /// - Throws: ``JournalError`` if the journal is damaged.
    package func restore() throws(JournalError) -> RecoveredState {
        guard let journal else { return RecoveredState() }
        sharedJournal?.follow { [weak self] step in
            guard let self, !self.volatileFeeds.contains(step.name) else { return }
            self.receive(step)
        } reconnected: { [continuity] in
            continuity.noteBreak()
        }
        let recovered = try journal.recover { feed throws(JournalError) in
            // The demo makes its own feeds with these names.
            if !volatileFeeds.contains(feed.feed) { restore(feed) }
        }
        continuity.noteBreak()
        // The journal records all deletions; a store without a journal assumes the time of its
        // start.
        state.withLock { $0.deletedSecond = Int(recovered.latestDeleted ?? 0) }
        return recovered
    }

    /// The latest time at which a version of a deleted feed was published, in seconds since 1970.
    package var deletedSecond: Int { state.withLock(\.deletedSecond) }

    private func restore(_ feed: RecoveredFeed) {
        guard let history = history(feed) else { return }
        // Versions beyond the store's limits are freed here, after the lock is released.
        _ = state.withLock { state in
            var forgotten: [Version] = []
            state.restore(history, into: &forgotten)
            return forgotten
        }
    }

    /// Makes the history of a feed from the versions that the journal has; `nil` if it has none.
    func history(_ feed: RecoveredFeed) -> History? {
        let (now, wall) = (clock.now(), clock.wall())
        let intervals = UpdateIntervals()
        for (time, next) in zip(feed.times, feed.times.dropFirst()) {
            intervals.add(.seconds(max(0, next - time)))
        }
        var history: History?
        // The journal may know the publish times of versions that it has no longer.
        let earlier = feed.times.dropLast(feed.versions.count).max()
        for kept in feed.versions {
            let second = earlier ?? (kept.token.version == 1 ? 0 : kept.published)
            let previous = history?.current
            let changes = previous.map { previous in
                Changes(from: FeedView()(previous.snapshot), to: FeedView()(kept.snapshot))
            }
            kept.snapshot.noteTimes(at: kept.published)
            var details = kept.details
            if details.itemCounts == nil, let previous, let changes {
                details.itemCounts = changes.counts(from: previous.snapshot).items
            }
            let floor = previous?.latestSecond ?? Int(max(feed.floor, second))
            let version = Version(
                feed: feed.feed,
                token: kept.token,
                snapshot: kept.snapshot,
                published: kept.published,
                earlierSecond: earlierSecond(floor),
                time: now - .seconds(max(0, wall - kept.published)),
                updateIntervals: kept.token.version == 1 ? nil : intervals,
                number: kept.number,
                details: details
            )
            guard let previous, let changes else {
                history = History(version, limits: state.withLock(\.limits))
                continue
            }
            let weight = previous.snapshot.weight(before: kept.snapshot, changes: changes)
            previous.status.supersede()
            _ = history?.advance(to: version, weight: weight, at: version.time)
        }
        return history
    }
}

extension FeedStore.State {
    /// Adds a feed that does not exist in the store, and moves versions beyond the store's limits
    /// to `forgotten`.
    mutating func restore(_ history: History, into forgotten: inout [Version]) {
        let version = history.current
        feeds[version.feed] = Feed(history)
        names.insert(version.feed)
        cost.current += version.memoryByteCount
        cost.history += history.weight
        versionCount += history.count
        enqueue(version.feed)
        forget(attached: 0, into: &forgotten)
    }
}
