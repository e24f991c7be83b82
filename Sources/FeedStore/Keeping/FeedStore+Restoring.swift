import FeedDiff
import FeedModel
import Synchronization

/// Restores the feeds from the journal when the server starts.
extension FeedStore {
    /// Reads the journal's whole content, and returns that besides the feeds; called once, before
    /// the first publish.
    ///
    /// - Throws: ``JournalError`` if the journal is damaged.
    package func restore() throws(JournalError) -> RecoveredState {
        guard let journal else { return RecoveredState() }
        sharedJournal?.follow { [weak self] change in
            guard let self, !self.volatileFeeds.contains(change.name) else { return }
            self.receive(change)
        } reconnected: { [continuity] in
            continuity.noteBreak()
        }
        let recovered = try journal.recover { feed in
            // The demo makes its own feeds with these names.
            if !volatileFeeds.contains(feed.feed) { restore(feed) }
        }
        continuity.noteBreak()
        // The journal records all deletions; a store without a journal assumes the time of its
        // start.
        state.withLock { $0.lastDeletedSecond = Int(recovered.latestDeleted ?? 0) }
        return recovered
    }

    /// The latest time at which a version of a deleted feed was published, in seconds since 1970.
    package var lastDeletedSecond: Int { state.withLock(\.lastDeletedSecond) }

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
        let intervals = UpdateIntervals(between: feed.times)
        var history: History?
        for recovered in feed.versions {
            let previous = history?.current
            let changes = previous.map { Changes(from: $0.snapshot, to: recovered.snapshot) }
            var content = recovered
            if content.details.itemCounts == nil, let previous, let changes {
                content = content.counting(changes.counts(from: previous.snapshot).items)
            }
            let version = Version(
                content,
                of: feed.feed,
                earlierSecond: earlierSecond(previous?.latestSecond ?? feed.earliestSecond),
                time: now - .seconds(max(0, wall - recovered.published)),
                updateIntervals: recovered.token.version == 1 ? nil : intervals
            )
            guard let previous, let changes else {
                version.snapshot.noteTimes(at: version.published)
                history = History(version, limits: state.withLock(\.limits))
                continue
            }
            let weight = previous.snapshot.weight(before: version.snapshot, changes: changes)
            _ = history?.advance(to: version, weight: weight, at: version.time)
        }
        return history
    }
}

extension RecoveredFeed {
    /// The latest second since 1970 in which a version before the first of ``versions`` may have
    /// been published.
    fileprivate var earliestSecond: Int {
        // The journal may know the publish times of versions that it no longer has.
        let earlier = times.dropLast(versions.count).max()
        let first = versions.first.map { $0.token.version == 1 ? 0 : $0.published }
        return Int(max(floor, earlier ?? first ?? 0))
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
