import FeedDiff
package import FeedModel
import Synchronization

/// Publishes: a version is computed, the journal stores it, and only then do readers see it.
/// Without a journal, the same steps run on the caller's thread.
///
/// No thread waits for the disk. The next publish of a feed builds on versions that the journal has
/// not stored yet, so that several publishes share a sync. A change is undecided until the journal
/// reports its outcome; a feed's undecided changes form a chain (``VersionChange``). The result of
/// a publish, even an error, is reported after the outcomes of the changes that it builds on.
extension FeedStore {
    /// Changes a feed: publishes the snapshot that `transform` makes from its newest version, or
    /// deletes the feed with its history.
    ///
    /// The closures are called in the order of the parameters. The journal stores a change before
    /// readers see it. Equal items are shared with the version before. If nothing changes, no
    /// version is made.
    ///
    /// - Parameters:
    ///   - feed: The feed, which need not exist.
    ///   - dryRun: Whether only to compute the result: no version is stored, and a new feed gets no
    ///     epoch.
    ///   - transform: Makes the new snapshot from the newest version, which is `nil` if the feed
    ///     does not exist; returns `nil` to delete the feed. `transform`, `check` and `answer` are
    ///     called again if another publish came first, and never under a lock.
    ///   - check: Called with the publication before it is stored, in a dry run too; throws to
    ///     refuse it.
    ///   - answer: Makes the response that the journal stores with the change, for repeated
    ///     requests; its argument is `nil` for a deletion. `nil`: no response is stored.
    ///   - refusal: Makes the error for a publish with which the feeds would exceed
    ///     ``memoryByteLimit``; `nil`: the limit does not apply.
    ///   - decided: Called with the outcome, on any thread; after ``PublishOutcome/unknown(_:)``
    ///     once more when the outcome is known. For a feed that no journal stores, it is called
    ///     before this function returns.
    package func publish<Failure: Error>(
        _ feed: FeedName,
        dryRun: Bool = false,
        by origin: VersionOrigin? = nil,
        _ transform: (Version?) throws(Failure) -> Snapshot?,
        check: ((Publication) throws(Failure) -> Void)? = nil,
        answer: ((Publication?) -> JournalAnswer)? = nil,
        refusal: ((MemoryShortage) -> Failure)? = nil,
        decided: @escaping @Sendable (PublishOutcome<Failure>) -> Void
    ) {
        let journal = journal(of: feed)
        let answer = journal == nil ? nil : answer
        while true {
            let (previous, below) = state.withLock { $0.chainEnd(of: feed) }
            let publication: Publication?
            do throws(Failure) {
                publication = try transform(previous).map {
                    self.publication(of: $0, feed, after: previous, dryRun: dryRun, by: origin)
                }
                if let publication { try check?(publication) }
            } catch {
                return report(.failed(error), of: feed, at: previous, below, decided)
            }
            let outcome: PublishOutcome<Failure> =
                if let publication { .done(publication) } else { .deleted(previous) }
            let isChange = publication?.isChanged ?? (previous != nil)
            guard !dryRun, isChange || publication != nil && answer != nil else {
                return report(outcome, of: feed, at: previous, below, decided)
            }
            let change = VersionChange(
                of: feed,
                from: previous,
                by: publication,
                on: below,
                isLimited: refusal != nil
            )
            let verdict = propose(change, above: below, answer?(publication), in: journal) {
                decided(outcome.after($0))
            }
            switch verdict {
            case .taken: return
            case .late: continue
            case .refused(let shortage):
                guard let refusal else {
                    preconditionFailure("nothing is refused without a limit")
                }
                return report(.failed(refusal(shortage)), below, decided)
            }
        }
    }

    /// Appends a change to the journal, if no other change came first; without a journal, makes it
    /// visible.
    ///
    /// - Parameters:
    ///   - below: The undecided change that it builds on; `nil`: it builds on the visible version.
    ///   - decided: Called with the journal's outcome, after the change has become visible or was
    ///     dropped.
    private func propose(
        _ change: VersionChange,
        above below: VersionChange?,
        _ answer: JournalAnswer?,
        in journal: (any Journal)?,
        decided: @escaping @Sendable (JournalOutcome) -> Void
    ) -> State.Verdict {
        guard let journal else {
            let verdict = makeVisible(change, isDecided: false)
            if case .taken = verdict { decided(.durable) }
            return verdict
        }
        let entry = entry(change, answer)
        // The journal only queues the entry here, so that chain and journal have the same order.
        return state.withLock { state in
            let verdict = state.verdict(on: change, above: below)
            guard case .taken = verdict else { return verdict }
            state.propose(change)
            journal.append(entry) { self.decide(change, $0, decided) }
            return verdict
        }
    }

    /// Returns the journal for a feed; `nil`: the feed is only in memory.
    func journal(of feed: FeedName) -> (any Journal)? {
        isVolatile(feed) ? nil : journal
    }

    /// Returns whether the journal never stores a feed, such as a feed of the demo.
    package func isVolatile(_ feed: FeedName) -> Bool { volatileFeeds.contains(feed) }
}

/// Makes the version and the journal entry of a publish, and reports its outcome.
extension FeedStore {
    /// Compares `snapshot` with `previous` (`nil`: the feed is new), and makes the version that
    /// follows it, whose publication is neither stored nor visible yet, and never stored for a
    /// `dryRun`.
    package func publication(
        of snapshot: Snapshot,
        _ feed: FeedName,
        after previous: Version?,
        dryRun: Bool,
        by origin: VersionOrigin? = nil
    ) -> Publication {
        let old = previous?.snapshot ?? Snapshot()
        let (new, changes) = snapshot.following(old)
        if let previous, changes.isEmpty {
            return Publication(
                previous: previous,
                current: previous,
                changes: changes,
                counts: ChangeCounts()
            )
        }
        let next = continuity.next(after: previous, clock)
        // In a dry run, a new feed has no epoch.
        let token =
            previous.map { Token(epochCode: $0.token.epochCode, version: next.version) }
            ?? Token(epoch: dryRun ? "" : drawEpoch(), version: next.version)
        let counts = changes.counts(from: old)
        let content = VersionContent(
            token: token,
            snapshot: new,
            published: clock.wall(),
            number: next.number,
            details: VersionDetails(origin: origin, itemCounts: counts.items)
        )
        let time = clock.now()
        return publication(of: content, feed, after: previous, by: changes, counts, time: time)
    }

    /// Makes the version that follows `previous`, or an empty feed if it is `nil`, by changes that
    /// were worked out; `time` is that of the store's monotonic clock.
    func publication(
        of content: VersionContent,
        _ feed: FeedName,
        after previous: Version?,
        by changes: Changes,
        _ counts: ChangeCounts,
        time: Duration
    ) -> Publication {
        let old = previous?.snapshot ?? Snapshot()
        changes.noteTimes(from: old, to: content.snapshot, at: content.published)
        let earlier = previous?.latestSecond ?? state.withLock(\.lastDeletedSecond)
        let version = Version(
            content,
            of: feed,
            earlierSecond: earlierSecond(earlier),
            time: time,
            updateIntervals: previous.map { $0.updateIntervals ?? UpdateIntervals() }
        )
        return Publication(
            previous: previous,
            current: version,
            changes: changes,
            counts: counts
        )
    }

    /// Returns the second after which a version must be published to have a Last-Modified date;
    /// without dates, the largest number.
    func earlierSecond(_ second: Int) -> Int { hasDates ? second : .max }

    /// Returns the journal entry for a change.
    private func entry(_ change: VersionChange, _ answer: JournalAnswer?) -> JournalEntry {
        let (previous, publication) = (change.previous, change.publication)
        let record: JournalEntry.Change
        if let publication, publication.isChanged {
            let new = publication.current.content
            record =
                previous == nil
                ? .creation(new, FeedImage(new.snapshot))
                : .version(
                    new,
                    DeltaRecord.bytes(publication.changes, to: new.snapshot, details: new.details)
                )
        } else {
            record = publication == nil ? .deletion : .nothing
        }
        return JournalEntry(
            feed: change.feed,
            previous: previous?.token,
            base: previous?.number,
            change: record,
            keeping: keeping(publication),
            answer: answer
        )
    }

    /// Records the journal's outcome for a change, and reports it: first to `decided`, then to the
    /// publishes that build on the change.
    private func decide(
        _ change: VersionChange,
        _ outcome: JournalOutcome,
        _ decided: (JournalOutcome) -> Void
    ) {
        switch outcome {
        case .durable:
            if change.previous !== change.next { makeVisible(change, isDecided: true) }
            state.withLock { $0.commit(change) }
        case .refused, .late: state.withLock { $0.drop(change) }
        // The change stays in the chain; the outcomes of changes on top of it are not valid.
        case .unknown: state.withLock { $0.unknowns[change.feed] = change }
        }
        decided(outcome)
        change.decide(outcome)
    }

    /// Reports an outcome that changes nothing, and depends on the newest version.
    ///
    /// If other servers publish too, the journal must first confirm that the version is still the
    /// newest one.
    ///
    /// - Parameters:
    ///   - version: The newest version, visible or not.
    ///   - change: The undecided change that makes the version, if there is one.
    private func report<Failure>(
        _ outcome: PublishOutcome<Failure>,
        of feed: FeedName,
        at version: Version?,
        _ change: VersionChange?,
        _ decided: @escaping @Sendable (PublishOutcome<Failure>) -> Void
    ) {
        guard let sharedJournal, !isVolatile(feed) else { return report(outcome, change, decided) }
        let entry = JournalEntry(
            feed: feed,
            previous: version?.token,
            base: version?.number,
            change: .nothing
        )
        sharedJournal.append(entry) { decided(outcome.based(on: $0)) }
    }

    /// Reports an outcome after the change that it is based on has become visible.
    private func report<Failure>(
        _ outcome: PublishOutcome<Failure>,
        _ change: VersionChange?,
        _ decided: @escaping @Sendable (PublishOutcome<Failure>) -> Void
    ) {
        guard let change else { return decided(outcome) }
        change.whenDecided { decided(outcome.based(on: $0)) }
    }
}

/// The outcome of a publish.
package enum PublishOutcome<Failure: Error>: Sendable {
    /// The publish is complete: it is durable if a journal stores the feed, and visible.
    case done(Publication)
    /// The feed is deleted, whose last version is given; `nil`: it did not exist.
    case deleted(Version?)
    /// The publish is not possible in the feed's current state.
    case failed(Failure)
    /// The journal refused the publish, for this reason, and nothing was changed.
    case refused(String)
    /// The journal may have stored the publish or not, for this reason. Readers see the version
    /// before.
    case unknown(String)
    /// Another server that shares the journal was first: nothing was changed, and the publish
    /// should be tried again.
    case late

    /// Returns this outcome of a change, given the journal's outcome for the change.
    fileprivate func after(_ decision: JournalOutcome) -> PublishOutcome {
        switch decision {
        case .durable: self
        case .refused(let reason): .refused(reason)
        case .unknown(let reason): .unknown(reason)
        case .late: .late
        }
    }

    /// Returns this outcome, given the journal's outcome for the version that it is based on.
    fileprivate func based(on decision: JournalOutcome) -> PublishOutcome {
        if case .unknown(let reason) = decision { .refused(reason) } else { after(decision) }
    }
}

/// The result of a publish.
package struct Publication: Sendable {
    /// The version that was current before; `nil` if the feed is new.
    package let previous: Version?

    /// The version that is now current.
    ///
    /// If nothing changed, this is the same object as `previous`. After a dry run, the version is
    /// neither stored nor visible.
    package let current: Version

    /// The changes from `previous`, or from an empty feed, to `current`.
    package let changes: Changes

    /// The numbers of changed items and sections.
    package let counts: ChangeCounts

    /// Whether the publish made a new version.
    package var isChanged: Bool { previous !== current }
}
