import Dispatch
import FeedDiff
package import FeedModel
import Synchronization

/// Publishing, and making versions visible.
extension FeedStore {
    /// Publishes the snapshot that `transform` makes from the current version (`nil`: the feed does
    /// not exist), in memory only.
    ///
    /// Items that equal old ones are shared with them. If nothing changes, no version is made.
    ///
    /// - Parameters:
    ///   - feed: The feed, which need not exist.
    ///   - dryRun: Whether to keep no version and draw no epoch.
    ///   - origin: The publisher.
    ///   - refusal: Makes the error that is thrown if the feeds would exceed ``memoryByteLimit``;
    ///     without it the limit does not apply.
    ///   - approve: Called with what would be published, in a dry run too; throws to refuse it.
    ///   - prepare: Called with each version that is to be installed, before it is visible, and
    ///     never under a lock.
    ///   - transform: Makes the new snapshot. It is called again if another publish came between,
    ///     and never under a lock.
    /// - Returns: The publication.
    /// - Throws: The error of `transform`, `approve` or `refusal`; nothing was published then.
    package func publishInMemory<Failure: Error>(
        _ feed: FeedName,
        dryRun: Bool = false,
        by origin: VersionOrigin? = nil,
        refusal: ((MemoryShortage) -> Failure)? = nil,
        approve: ((Publication) throws(Failure) -> Void)? = nil,
        prepare: (Publication) -> Void = { _ in },
        _ transform: (Version?) throws(Failure) -> Snapshot
    ) throws(Failure) -> Publication {
        while true {
            let previous = current(feed)
            let snapshot = try transform(previous)
            let publication = publication(of: snapshot, feed, after: previous, dryRun, by: origin)
            try approve?(publication)
            if dryRun || !publication.isChanged { return publication }
            prepare(publication)
            switch install(publication, isLimited: refusal != nil) {
            case .done:
                announce(publication)
                return publication
            case .late: continue
            case .refused(let shortage):
                guard let refusal else {
                    preconditionFailure("nothing is refused without a limit")
                }
                throw refusal(shortage)
            }
        }
    }

    /// Removes a feed with its history.
    ///
    /// - Parameters:
    ///   - feed: The feed, which need not exist.
    ///   - condition: Checks the current version; called again if another publish came between, and
    ///     never under a lock.
    /// - Returns: Whether the feed existed.
    /// - Throws: The error of `condition`; nothing was removed then.
    package func remove<Failure: Error>(
        _ feed: FeedName,
        if condition: (Version) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        while let version = current(feed) {
            try condition(version)
            if removeVisibly(version) { return true }
        }
        return false
    }

    /// Removes a feed if `version` is its current one.
    ///
    /// - Returns: Whether it was.
    func removeVisibly(_ version: Version) -> Bool {
        var forgotten: History?
        guard state.withLock({ $0.remove(version, forgotten: &forgotten) }) else { return false }
        version.retireAttachment()
        let byteCount = version.memoryByteCount + (forgotten?.weight ?? 0)
        free(&forgotten, leaving: nil, byteCount: byteCount)
        tellObservers(of: version.feed)
        return true
    }

    /// Makes a version visible that the journal has kept.
    func makeVisible(_ publication: Publication) {
        switch install(publication, isLimited: false, isKept: true) {
        case .done: announce(publication)
        case .late, .refused: assertionFailure("the journal decides in the order of the chain")
        }
    }

    /// Retires the attachment of the previous version, and notifies the observers.
    func announce(_ publication: Publication) {
        publication.previous?.retireAttachment()
        trimAttached(to: attachedByteLimit)
        tellObservers(of: publication.current.feed)
    }

    /// Registers an observer that is called after every visible change, on the publisher's thread
    /// and under no lock; it must not block.
    package func observe(_ observer: @escaping @Sendable (FeedName) -> Void) {
        observers.withLock { $0.append(observer) }
    }

    /// Frees a large value on a background queue, so that no publisher waits for the freeing of a
    /// long feed's history.
    func free<Value: Sendable>(_ value: inout Value, leaving rest: Value, byteCount: Int) {
        guard byteCount > 1 << 20 else { return }
        var taken = rest
        swap(&taken, &value)
        freeing.async { [taken] in withExtendedLifetime(taken) {} }
    }

    /// Calls `body` on a queue of the store when all versions forgotten so far are freed.
    package func whenFreed(_ body: @escaping @Sendable () -> Void) {
        freeing.async(execute: body)
    }

    func tellObservers(of feed: FeedName) {
        for observer in observers.withLock(\.self) { observer(feed) }
    }

    /// Compares `snapshot` with `previous`, and makes the version that follows it.
    func publication(
        of snapshot: Snapshot,
        _ feed: FeedName,
        after previous: Version?,
        _ dryRun: Bool,
        by origin: VersionOrigin?
    ) -> Publication {
        let old = previous?.snapshot ?? Snapshot()
        let new = snapshot.sharing(with: old)
        let changes = Changes(from: FeedView()(old), to: FeedView()(new))
        if let previous, changes.isEmpty {
            return Publication(
                previous: previous,
                current: previous,
                changes: changes,
                counts: ChangeCounts()
            )
        }
        let epoch = previous?.token.epoch ?? (dryRun ? "" : drawEpoch())
        let next = continuity.next(after: previous, clock)
        let token = Token(epoch: epoch, version: next.version)
        let published = clock.wall()
        changes.noteTimes(from: old, to: new, at: published)
        let counts = changes.counts(from: old)
        let version = Version(
            feed: feed,
            token: token,
            snapshot: new,
            published: published,
            earlierSecond: earlierSecond(previous?.latestSecond ?? state.withLock(\.deletedSecond)),
            time: clock.now(),
            updateIntervals: previous.map { $0.updateIntervals ?? SharedUpdateIntervals() },
            number: next.number,
            details: VersionDetails(origin: origin, itemCounts: counts.items)
        )
        return Publication(
            previous: previous,
            current: version,
            changes: changes,
            counts: counts
        )
    }

    /// Returns the second after which a version must be published to have a date; without dates,
    /// the end of all time.
    func earlierSecond(_ second: Int) -> Int { hasDates ? second : .max }

    /// Returns whether the journal does not keep a feed.
    package func isVolatile(_ feed: FeedName) -> Bool { volatileFeeds.contains(feed) }

    /// Makes a publication visible, unless another one came first.
    func install(
        _ publication: Publication,
        isLimited: Bool,
        isKept: Bool = false
    ) -> State.Installation {
        let (version, previous) = (publication.current, publication.previous)
        let weight =
            previous?.snapshot.weight(before: version.snapshot, changes: publication.changes) ?? 0
        let next = State.NextVersion(
            version: version,
            previous: previous,
            previousWeight: weight,
            isLimited: isLimited,
            isKept: isKept
        )
        let (now, attached) = (clock.now(), attachedBytes.byteCount)
        var forgotten: [Version] = []
        let installation = state.withLock {
            $0.install(next, attached: attached, at: now, forgotten: &forgotten)
        }
        if case .done(let byteCount) = installation {
            free(&forgotten, leaving: [], byteCount: byteCount)
            if let previous { version.updateIntervals?.add(version.time - previous.time) }
        }
        return installation
    }
}
