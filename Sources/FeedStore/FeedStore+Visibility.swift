import Dispatch
package import FeedModel
import Synchronization

/// Makes changes visible.
extension FeedStore {
    /// Makes a change visible, frees versions that are forgotten, and notifies the observers.
    ///
    /// - Parameter isDecided: Whether the journal or another server has accepted the change
    ///   already; it is then dropped only if its previous version is not the current one.
    /// - Returns: The decision; with any other than `taken`, the change was dropped.
    @discardableResult
    func makeVisible(_ change: VersionChange, isDecided: Bool) -> State.Verdict {
        let (now, attached) = (clock.now(), attachedBytes.byteCount)
        var forgotten = State.Forgotten()
        let verdict = state.withLock { state in
            let verdict = isDecided ? state.verdict(onDecided: change) : state.verdict(on: change)
            if case .taken = verdict {
                state.install(change, attached: attached, at: now, forgotten: &forgotten)
            }
            return verdict
        }
        guard case .taken = verdict else {
            assert(!isDecided || change.next == nil, "the journal decides in the chain's order")
            return verdict
        }
        free(&forgotten)
        if let previous = change.previous, let next = change.next {
            next.updateIntervals?.add(next.time - previous.time)
        }
        change.previous?.retireAttachment()
        if change.next != nil { trimAttached(to: attachedByteLimit) }
        notifyObservers(of: change.feed)
        return verdict
    }

    /// Registers an observer that is called after every visible change, on the publisher's thread
    /// and under no lock; it must not block.
    package func observe(_ observer: @escaping @Sendable (FeedName) -> Void) {
        observers.withLock { $0.append(observer) }
    }

    /// Notifies the observers that a feed has changed.
    func notifyObservers(of feed: FeedName) {
        for observer in observers.withLock(\.self) { observer(feed) }
    }

    /// Frees more than 1 MiB on a background queue, so that no publisher waits until a long feed's
    /// history is freed.
    func free(_ forgotten: inout State.Forgotten) {
        guard forgotten.byteCount > 1 << 20 else { return }
        var taken = State.Forgotten()
        swap(&taken, &forgotten)
        freeing.async { [taken] in withExtendedLifetime(taken) {} }
    }

    /// Calls `body` on a queue of the store after all versions forgotten so far were freed.
    package func whenFreed(_ body: @escaping @Sendable () -> Void) {
        freeing.async(execute: body)
    }
}

extension FeedStore.State {
    /// The versions that were removed from the state, to be freed after the lock is released.
    struct Forgotten: Sendable {
        var versions: [Version] = []
        /// The history of a feed that is gone.
        var history: History?
        /// The approximate memory of all of them in bytes.
        var byteCount = 0
    }

    /// The decision whether a change may be made.
    enum Verdict {
        /// The change may be made, or was made.
        case taken
        /// Another change of the feed came first.
        case late
        /// The feeds would take too much memory.
        case refused(MemoryShortage)
    }

    /// Returns whether a change may be the next one of its feed.
    ///
    /// The epoch of a new feed must differ from the last one under that name, and no feed may have
    /// been deleted since it was made.
    ///
    /// - Parameter below: The undecided change that it builds on; `nil`: it builds on the visible
    ///   version.
    func verdict(on change: VersionChange, above below: VersionChange? = nil) -> Verdict {
        let end = chainEnd(of: change.feed)
        guard end.version === change.previous, end.change === below else { return .late }
        if change.previous == nil, let version = change.next {
            guard lastEpochs[change.feed] != version.token.epoch,
                version.earlierSecond >= lastDeletedSecond
            else { return .late }
        }
        let sum = cost.current + pendingGrowth + change.growth
        if change.isLimited, change.growth > 0, sum > feedByteLimit {
            return .refused(MemoryShortage(byteCount: sum, byteLimit: feedByteLimit))
        }
        return .taken
    }

    /// Returns whether a change that the journal or another server has accepted can still be made.
    func verdict(onDecided change: VersionChange) -> Verdict {
        current(change.feed) === change.previous ? .taken : .late
    }

    /// Makes a change whose previous version is the current one.
    ///
    /// - Parameter attached: The bytes of the attachments of versions.
    mutating func install(
        _ change: VersionChange,
        attached: Int,
        at now: Duration,
        forgotten: inout Forgotten
    ) {
        guard let version = change.next else {
            if let last = change.previous { remove(last, forgotten: &forgotten) }
            return
        }
        let feed = change.feed
        let remembered = cost.history + change.previousWeight
        if change.previous != nil {
            forgotten.versions +=
                changeHistory(of: feed) { history in
                    history.advance(to: version, weight: change.previousWeight, at: now)
                } ?? []
            enqueue(feed)
        } else {
            lastEpochs[feed] = nil
            feeds[feed] = Feed(History(version, limits: limits))
            names.insert(feed)
            versionCount += 1
        }
        cost.current += change.growth
        forget(attached: attached, into: &forgotten.versions)
        forgotten.byteCount = remembered - cost.history
    }

    /// Removes a feed with its current version and its history.
    mutating func remove(_ version: Version, forgotten: inout Forgotten) {
        let feed = version.feed
        guard let removed = feeds.removeValue(forKey: feed) else { return }
        names.remove(feed)
        forgotten.history = removed.history
        forgotten.byteCount = version.memoryByteCount + removed.history.weight
        cost.history -= removed.history.weight
        versionCount -= removed.history.count
        cost.current -= version.memoryByteCount
        if lastEpochs.count >= Self.epochLimit { lastEpochs.remove(at: lastEpochs.startIndex) }
        lastEpochs[feed] = version.token.epoch
        lastDeletedSecond = max(lastDeletedSecond, version.latestSecond)
        dropStaleEntries()
    }
}
