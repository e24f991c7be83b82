import FeedModel
import FeedStore
import Synchronization

/// Applies the origin's documents to the store.
extension Mirror {
    /// Applies a document about a feed; called on the mirror's queue.
    ///
    /// - Parameter isStream: Whether the document came by the stream; otherwise it is an answer to
    ///   a question.
    /// - Returns: `false` if the document does not fit the version in the store; the feed is then
    ///   fetched as a whole the next time.
    func take(_ document: ServedDocument, isStream: Bool) -> Bool {
        guard let feed = FeedName(document.feed), follows(feed) else { return true }
        let isPast = isStream && self.isPast(document, feed)
        state.withLock { $0.arrivals.recordArrival(feed, byStream: isStream && !isPast) }
        if isPast { return true }
        let current = store.current(feed)
        switch document.content {
        case .missing: remove(feed)
        case .unchanged: break
        case .unreadable: return drop(feed)
        case .snapshot(let snapshot):
            let isUnfit = state.withLock { $0.unfit.contains(feed) }
            guard let token = document.token,
                isNewer(token, than: current, feed, isStream)
                    || isUnfit && token == current?.token
            else { break }
            guard ServedDocument.Check(of: snapshot) == document.check else { return drop(feed) }
            show(snapshot.indexed(), token, of: feed, after: current)
        case .changes(let changes, let since):
            guard let token = document.token, isNewer(token, than: current, feed, isStream)
            else { break }
            // The store may be ahead of the stream, through an answer; so the changes start from
            // the version that they name.
            guard let old = store.version(since, of: feed),
                let next = try? old.snapshot.applying(changes),
                ServedDocument.Check(of: next) == document.check
            else { return drop(feed) }
            show(next.indexed(), token, of: feed, after: current)
        }
        return true
    }

    /// Returns whether a document of the stream may be older than the last answer about the feed.
    private func isPast(_ document: ServedDocument, _ feed: FeedName) -> Bool {
        let isGone = if case .missing = document.content { true } else { false }
        guard isGone || document.token != nil else { return false }
        let isPast = state.withLock { $0.arrivals.isPast(document.token?.epoch, of: feed) }
        if isPast { confirm() }
        return isPast
    }

    /// Removes a feed from the store; called on the mirror's queue.
    func remove(_ feed: FeedName) {
        if store.current(feed) != nil { receive(.removal(feed, latestDeleted: nil), of: feed) }
        state.withLock { state in
            state.regressed[feed] = nil
            state.unfit.remove(feed)
        }
    }

    /// Marks a feed to be fetched as a whole the next time, and returns `false`.
    private func drop(_ feed: FeedName) -> Bool {
        state.withLock { _ = $0.unfit.insert(feed) }
        return false
    }

    /// Returns whether a version is newer than the one in the store, or of another epoch.
    ///
    /// Records that the origin has gone back if the stream brings an older version.
    private func isNewer(
        _ token: Token,
        than current: Version?,
        _ feed: FeedName,
        _ isStream: Bool
    ) -> Bool {
        guard let known = current?.token, known.hasSameEpoch(as: token) else {
            state.withLock { $0.regressed[feed] = nil }
            return true
        }
        if token.version < known.version {
            // An answer may be late; only the stream tells that the origin's version is older.
            guard isStream else { return false }
            state.withLock { state in
                if state.regressed[feed] == nil { state.regressed[feed] = .now }
            }
        } else {
            state.withLock { $0.regressed[feed] = nil }
        }
        return token.version > known.version
    }

    private func show(
        _ snapshot: Snapshot,
        _ token: Token,
        of feed: FeedName,
        after current: Version?
    ) {
        let version = VersionContent(
            token: token,
            snapshot: snapshot,
            published: store.clock.wall(),
            number: VersionNumber.next()
        )
        state.withLock { _ = $0.unfit.remove(feed) }
        if let current, current.token.hasSameEpoch(as: token), current.token != token {
            receive(.version(version, of: feed), of: feed)
        } else {
            let whole = RecoveredFeed(
                feed: feed,
                versions: [version],
                times: [version.published],
                floor: 0
            )
            receive(.feed(whole), of: feed)
        }
    }

    private func receive(_ change: RemoteChange, of feed: FeedName) {
        let before = store.current(feed)
        store.receive(change)
        disk?.keep(feed, before, store.current(feed))
    }
}
