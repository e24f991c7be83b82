import FeedDiff
import FeedModel
import Synchronization

/// Versions that were made elsewhere: by another server on the same database, or by the server that
/// this one mirrors.
extension FeedStore {
    /// Applies a change that was made to a feed elsewhere.
    ///
    /// The function must not be called on two threads at once for one feed.
    package func receive(_ change: RemoteChange) {
        switch change {
        case .version(let version, let feed): receive(version, of: feed)
        case .feed(let feed): replace(feed)
        case .forgotten(let token, let feed): _ = forgetInMemory(token, of: feed)
        case .removal(let feed, let latestDeleted):
            if let second = latestDeleted.map({ Int($0) }) {
                state.withLock { $0.lastDeletedSecond = max($0.lastDeletedSecond, second) }
            }
            // Another version can become current meanwhile only through this function's own caller.
            guard let version = current(feed) else { return }
            makeVisible(VersionChange(of: feed, from: version, by: nil), isDecided: true)
        }
    }

    private func receive(_ received: VersionContent, of feed: FeedName) {
        guard let previous = current(feed), previous.token.hasSameEpoch(as: received.token),
            previous.token.version < received.token.version
        else { return }
        let changes = Changes(from: previous.snapshot, to: received.snapshot)
        let counts = changes.counts(from: previous.snapshot)
        let age = Duration.seconds(max(0, clock.wall() - received.published))
        let publication = publication(
            of: received.counting(counts.items),
            feed,
            after: previous,
            by: changes,
            counts,
            time: max(previous.time, clock.now() - age)
        )
        makeVisible(VersionChange(of: feed, from: previous, by: publication), isDecided: true)
    }

    /// Replaces the known state of a feed, so that readers never find the feed missing.
    private func replace(_ feed: RecoveredFeed) {
        guard let history = history(feed) else { return }
        var forgotten = State.Forgotten()
        let old = state.withLock { state in
            let old = state.current(feed.feed)
            if let old { state.remove(old, forgotten: &forgotten) }
            state.lastEpochs[feed.feed] = nil
            state.restore(history, into: &forgotten.versions)
            return old
        }
        old?.retireAttachment()
        trimAttached(to: attachedByteLimit)
        notifyObservers(of: feed.feed)
        forgotten.byteCount = .max
        free(&forgotten)
    }
}
