import FeedDiff
package import FeedJournal
import FeedModel
import Synchronization

/// Versions that were made elsewhere: by another server on the same database, or by the server that
/// this one mirrors.
extension FeedStore {
    /// Shows what became of a feed elsewhere.
    ///
    /// Not to be called from two threads at once for one feed.
    ///
    /// - Parameters:
    ///   - step: What became of it.
    ///   - prepare: Is shown a version that follows another one, before anybody can see it.
    package func receive(_ step: FeedStep, prepare: (Publication) -> Void = { _ in }) {
        switch step {
        case .version(let version, let feed): receive(version, of: feed, prepare)
        case .feed(let feed): replace(feed)
        case .removal(let feed, let latestDeleted):
            if let second = latestDeleted.map({ Int($0) }) {
                state.withLock { $0.deletedSecond = max($0.deletedSecond, second) }
            }
            // Another version may become current meanwhile only by whom this is called.
            if let version = current(feed) { _ = removeVisibly(version) }
        }
    }

    private func receive(
        _ received: RecoveredFeed.Version,
        of feed: FeedName,
        _ prepare: (Publication) -> Void
    ) {
        guard let previous = current(feed), previous.token.hasSameEpoch(as: received.token),
            previous.token.version < received.token.version
        else { return }
        let changes = Changes(
            from: FeedView()(previous.snapshot),
            to: FeedView()(received.snapshot)
        )
        changes.noteTimes(from: previous.snapshot, to: received.snapshot, at: received.published)
        let version = Version(
            feed: feed,
            token: received.token,
            snapshot: received.snapshot,
            published: received.published,
            earlierSecond: earlierSecond(previous.latestSecond),
            time: max(
                previous.time,
                clock.now() - .seconds(max(0, clock.wall() - received.published))
            ),
            updateIntervals: previous.updateIntervals ?? SharedUpdateIntervals(),
            number: received.number,
            itemCounts: changes.counts(from: previous.snapshot).items
        )
        let publication = Publication(
            previous: previous,
            current: version,
            changes: changes,
            counts: ChangeCounts()
        )
        prepare(publication)
        makeVisible(publication)
    }

    /// Takes a feed in the place of what was known of it, so that readers never find none.
    private func replace(_ feed: RecoveredFeed) {
        guard let history = history(feed) else { return }
        let (old, removed, forgotten) = state.withLock { state in
            var (removed, forgotten): (History?, [Version]) = (nil, [])
            let old = state.current(feed.feed)
            if let old { _ = state.remove(old, forgotten: &removed) }
            state.lastEpochs[feed.feed] = nil
            state.restore(history, into: &forgotten)
            return (old, removed, forgotten)
        }
        old?.retireAttachment()
        trimAttached(to: attachedByteLimit)
        tellObservers(of: feed.feed)
        freeLater(removed, forgotten)
    }

    private func freeLater(_ removed: History?, _ forgotten: [Version]) {
        var kept = (removed, forgotten)
        free(&kept, leaving: (nil, []), byteCount: .max)
    }
}
