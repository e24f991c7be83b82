import FeedDiff
package import FeedModel
import Synchronization

/// Publishing: a version is computed, kept by the journal, and only then visible. Without a
/// journal, the same steps run on the caller's thread.
///
/// No thread waits for the disk. The next publish of a feed is made on top of versions that the
/// journal has not kept yet, so that several publishes share a sync. The result of that publish,
/// even an error, is reported after the earlier ones are decided.
extension FeedStore {
    /// Publishes the snapshot that `transform` makes from the newest version (`nil`: the feed does
    /// not exist).
    ///
    /// The journal keeps the new version before it becomes visible.
    ///
    /// Equal items are shared with the version before. If nothing changes, no version is made.
    ///
    /// - Parameters:
    ///   - feed: The feed, which need not exist.
    ///   - dryRun: Whether to keep no version and draw no epoch.
    ///   - origin: The publisher.
    ///   - refusal: Makes the error for a publish with which the feeds would exceed
    ///     ``memoryByteLimit``; without it the limit does not apply.
    ///   - approve: Called with what would be published, in a dry run too; throws to refuse it.
    ///   - prepare: Called with each version that is to be kept, before it is visible, and never
    ///     under a lock.
    ///   - answer: Makes the response that is kept with the change, if one is to be kept.
    ///   - transform: Makes the new snapshot. It is called again if another publish came between,
    ///     and never under a lock.
    ///   - completion: Called with the outcome, on any thread; after ``PublishOutcome/unknown(_:)``
    ///     once more when the outcome is known. For a feed that no journal keeps it is called
    ///     before this returns.
    package func publish<Failure: Error>(
        _ feed: FeedName,
        dryRun: Bool = false,
        by origin: VersionOrigin? = nil,
        refusal: ((MemoryShortage) -> Failure)? = nil,
        approve: ((Publication) throws(Failure) -> Void)? = nil,
        prepare: (Publication) -> Void = { _ in },
        answer: ((Publication) -> JournalAnswer)? = nil,
        _ transform: (Version?) throws(Failure) -> Snapshot,
        completion: @escaping @Sendable (PublishOutcome<Publication, Failure>) -> Void
    ) {
        let journal = journal(of: feed)
        while true {
            let base = state.withLock { $0.chainEnd(of: feed) }
            let made = PublishOutcome { () throws(Failure) in
                let snapshot = try transform(base.version)
                let publication = publication(
                    of: snapshot,
                    feed,
                    after: base.version,
                    dryRun: dryRun,
                    by: origin
                )
                try approve?(publication)
                return publication
            }
            guard case .done(let publication) = made, !dryRun,
                publication.isChanged || journal != nil && answer != nil
            else { return report(made, of: feed, base, completion) }
            if publication.isChanged { prepare(publication) }
            let change = VersionChange(publication, isLimited: refusal != nil)
            let entry = journal.map { ($0, self.entry(publication, answer?(publication))) }
            switch make(change, after: base, keptBy: entry, publication, completion) {
            case .taken: return
            case .late: continue
            case .refused(let shortage):
                guard let refusal else {
                    preconditionFailure("nothing is refused without a limit")
                }
                return base.report(.failed(refusal(shortage)), completion)
            }
        }
    }

    /// Removes a feed with its history, after the journal has kept the deletion.
    ///
    /// - Parameters:
    ///   - feed: The feed, which need not exist.
    ///   - answer: The response that is kept with the deletion, if one is to be kept.
    ///   - condition: Checks the newest version. It is called again if another publish came
    ///     between, and never under a lock.
    ///   - completion: Called with whether the feed existed, like the one of ``publish(_:…)``.
    package func remove<Failure: Error>(
        _ feed: FeedName,
        answer: JournalAnswer? = nil,
        if condition: (Version) throws(Failure) -> Void,
        completion: @escaping @Sendable (PublishOutcome<Bool, Failure>) -> Void
    ) {
        let journal = journal(of: feed)
        while true {
            let base = state.withLock { $0.chainEnd(of: feed) }
            let checked = PublishOutcome { () throws(Failure) in
                if let version = base.version { try condition(version) }
                return base.version != nil
            }
            guard case .done(true) = checked, let version = base.version else {
                return report(checked, of: feed, base, completion)
            }
            let change = VersionChange(removing: version)
            let entry = journal.map { ($0, self.entry(removing: version, answer)) }
            if case .taken = make(change, after: base, keptBy: entry, true, completion) { return }
        }
    }

    /// Returns the journal for a feed; `nil`: the feed is only in memory.
    func journal(of feed: FeedName) -> (any Journal)? {
        isVolatile(feed) ? nil : journal
    }

    /// Returns whether the journal never keeps a feed, such as one of the demo.
    package func isVolatile(_ feed: FeedName) -> Bool { volatileFeeds.contains(feed) }
}

/// Publishing to feeds that no journal keeps, where the outcome is known at once.
extension FeedStore {
    /// Publishes, like ``publish(_:…)``, to a feed that no journal keeps.
    ///
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
        try atOnce { completion in
            publish(
                feed,
                dryRun: dryRun,
                by: origin,
                refusal: refusal,
                approve: approve,
                prepare: prepare,
                transform,
                completion: completion
            )
        }
    }

    /// Removes a feed that no journal keeps, like ``remove(_:answer:if:completion:)``.
    ///
    /// - Returns: Whether the feed existed.
    /// - Throws: The error of `condition`; nothing was removed then.
    package func remove<Failure: Error>(
        _ feed: FeedName,
        if condition: (Version) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        try atOnce { remove(feed, if: condition, completion: $0) }
    }

    /// Returns the result of a change that is decided before `make` returns.
    private func atOnce<Value, Failure>(
        _ make: (@escaping @Sendable (PublishOutcome<Value, Failure>) -> Void) -> Void
    ) throws(Failure) -> Value {
        let result = Mutex<PublishOutcome<Value, Failure>?>(nil)
        make { outcome in result.withLock { $0 = outcome } }
        switch result.withLock(\.self) {
        case .done(let value): return value
        case .failed(let error): throw error
        default: preconditionFailure("a journal keeps the feed, and decides later")
        }
    }
}

/// The parts of a publish.
extension FeedStore {
    /// Compares `snapshot` with `previous`, and makes the version that follows it.
    ///
    /// - Parameters:
    ///   - snapshot: The content of the version.
    ///   - feed: The feed.
    ///   - previous: The version before; `nil`: the feed is new.
    ///   - dryRun: Whether the version is not to be kept.
    ///   - origin: The publisher.
    /// - Returns: The publication, which is neither kept nor visible yet.
    package func publication(
        of snapshot: Snapshot,
        _ feed: FeedName,
        after previous: Version?,
        dryRun: Bool,
        by origin: VersionOrigin? = nil
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
        let (token, number) = nextToken(after: previous, dryRun: dryRun)
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
            number: number,
            details: VersionDetails(origin: origin, itemCounts: counts.items)
        )
        return Publication(
            previous: previous,
            current: version,
            changes: changes,
            counts: counts
        )
    }

    /// Returns the token and the number of the version that follows `previous`; in a dry run, a new
    /// feed has no epoch.
    private func nextToken(after previous: Version?, dryRun: Bool) -> (Token, number: Int) {
        let epoch = previous?.token.epoch ?? (dryRun ? "" : drawEpoch())
        let next = continuity.next(after: previous, clock)
        return (Token(epoch: epoch, version: next.version), next.number)
    }

    /// Returns the second after which a version must be published to have a Last-Modified date;
    /// without dates, the largest number.
    func earlierSecond(_ second: Int) -> Int { hasDates ? second : .max }

    /// Returns the journal entry for a publish.
    private func entry(_ publication: Publication, _ answer: JournalAnswer?) -> JournalEntry {
        let (previous, version) = (publication.previous, publication.current)
        let change: JournalEntry.Change
        if !publication.isChanged {
            change = .nothing
        } else if let previous {
            change = .version(
                DeltaRecord.bytes(
                    publication.changes,
                    from: previous.snapshot,
                    to: version.snapshot,
                    details: version.details
                )
            )
        } else {
            change = .creation(FeedImage(version.snapshot))
        }
        return JournalEntry(
            feed: version.feed,
            token: version.token,
            previous: previous?.token,
            number: version.number,
            base: previous?.number,
            published: publication.isChanged ? version.published : clock.wall(),
            change: change,
            keeping: keeping(publication),
            answer: answer,
            source: version.content
        )
    }

    /// Returns the journal entry for a deletion.
    private func entry(removing version: Version, _ answer: JournalAnswer?) -> JournalEntry {
        JournalEntry(
            feed: version.feed,
            token: nil,
            previous: version.token,
            base: version.number,
            published: clock.wall(),
            change: .deletion,
            answer: answer
        )
    }
}

/// Deciding changes.
extension FeedStore {
    /// Makes a change the next one of its feed, and reports its outcome when it is decided.
    ///
    /// The change is not made if another change came first, or if the feeds would take too much
    /// memory.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - base: The end of the chain that it was made from.
    ///   - kept: The journal that keeps the feed, and the entry; `nil`: the change is decided here.
    ///   - value: The result of the change once it is visible.
    ///   - completion: Called with the outcome of a change that was taken.
    private func make<Value, Failure>(
        _ change: VersionChange,
        after base: State.ChainEnd,
        keptBy kept: (journal: any Journal, entry: JournalEntry)?,
        _ value: Value,
        _ completion: @escaping @Sendable (PublishOutcome<Value, Failure>) -> Void
    ) -> State.Verdict {
        guard let kept else {
            let verdict = makeVisible(change, after: base)
            if case .taken = verdict { completion(.done(value)) }
            return verdict
        }
        // The journal only queues the entry here, so that chain and journal have the same order.
        return state.withLock { state in
            let verdict = state.verdict(on: change, after: base)
            guard case .taken = verdict else { return verdict }
            let pending = state.propose(change, after: base)
            kept.journal.append(kept.entry) { outcome in
                self.decide(pending, outcome) { completion(PublishOutcome(outcome, value)) }
            }
            return verdict
        }
    }

    /// Records the journal's decision about a change, and reports it to the change's author before
    /// the authors of later changes.
    private func decide(_ pending: PendingChange, _ outcome: JournalOutcome, tell: () -> Void) {
        switch outcome {
        case .durable:
            if pending.change.isVisible { makeVisible(pending.change) }
            state.withLock { $0.settle(pending) }
        case .refused, .late: state.withLock { $0.drop(pending) }
        case .unknown:
            // The change stays in the chain; the outcomes of changes on top of it are not valid.
            state.withLock { $0.unknowns[pending.change.feed] = State.ChainEnd(pending) }
        }
        tell()
        pending.decide(outcome)
    }

    /// Reports an outcome that is based on the newest version.
    ///
    /// If other servers publish too, the journal must first confirm that it is the newest.
    private func report<Value, Failure>(
        _ outcome: PublishOutcome<Value, Failure>,
        of feed: FeedName,
        _ base: State.ChainEnd,
        _ completion: @escaping @Sendable (PublishOutcome<Value, Failure>) -> Void
    ) {
        guard let sharedJournal, !isVolatile(feed) else { return base.report(outcome, completion) }
        let entry = JournalEntry(
            feed: feed,
            token: base.version?.token,
            previous: base.version?.token,
            base: base.version?.number,
            published: clock.wall(),
            change: .nothing
        )
        sharedJournal.append(entry) { completion(outcome.based(on: $0)) }
    }
}

extension FeedStore.State.ChainEnd {
    /// Reports an outcome that is based on this version, after the version has become visible.
    fileprivate func report<Value, Failure>(
        _ outcome: PublishOutcome<Value, Failure>,
        _ completion: @escaping @Sendable (PublishOutcome<Value, Failure>) -> Void
    ) {
        guard let pending else { return completion(outcome) }
        pending.whenDecided { completion(outcome.based(on: $0)) }
    }
}
