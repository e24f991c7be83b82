package import FeedModel
import Synchronization

/// Publishing with a journal: a version is computed, kept, and only then visible.
///
/// No thread waits for the disk. The next publish of a feed is made on top of those that are being
/// kept, so that they can share a sync. Its result, also an error, is reported when they are
/// decided.
extension FeedStore {
    /// Publishes the snapshot that `transform` makes from the newest version, like
    /// ``publishInMemory(_:…)``, and has it kept before it becomes visible.
    ///
    /// - Parameters:
    ///   - feed: The feed, which need not exist.
    ///   - dryRun: Whether to keep no version and draw no epoch.
    ///   - origin: The publisher.
    ///   - refusal: Makes the error for a publish that would take too much memory.
    ///   - approve: Called with what would be published, in a dry run too; throws to refuse it.
    ///   - prepare: Called with each version that is to be kept, under no lock.
    ///   - answer: Makes the response that is kept with the change, if one is to be kept.
    ///   - transform: Makes the new snapshot; called perhaps several times, never under a lock.
    ///   - completion: Called with the outcome, on any thread; after ``PublishOutcome/unknown(_:)``
    ///     once more when the outcome is known.
    package func publish<Failure: Error>(
        _ feed: FeedName,
        dryRun: Bool = false,
        by origin: VersionOrigin? = nil,
        refusal: @escaping @Sendable (MemoryShortage) -> Failure,
        approve: ((Publication) throws(Failure) -> Void)? = nil,
        prepare: (Publication) -> Void = { _ in },
        answer: ((Publication) -> JournalAnswer)? = nil,
        _ transform: (Version?) throws(Failure) -> Snapshot,
        completion: @escaping @Sendable (PublishOutcome<Publication, Failure>) -> Void
    ) {
        guard let journal, !volatileFeeds.contains(feed) else {
            return completion(
                PublishOutcome { () throws(Failure) in
                    try publishInMemory(
                        feed,
                        dryRun: dryRun,
                        by: origin,
                        refusal: refusal,
                        approve: approve,
                        prepare: prepare,
                        transform
                    )
                }
            )
        }
        while true {
            let base = state.withLock { $0.chainEnd(of: feed) }
            let made = PublishOutcome { () throws(Failure) in
                let snapshot = try transform(base.version)
                let publication = publication(
                    of: snapshot,
                    feed,
                    after: base.version,
                    dryRun,
                    by: origin
                )
                try approve?(publication)
                return publication
            }
            guard case .done(let publication) = made, !dryRun,
                publication.isChanged || answer != nil
            else { return report(made, of: feed, base, completion) }
            if publication.isChanged { prepare(publication) }
            let entry = FeedStore.entry(
                publication,
                answer?(publication),
                keeping: keeping(publication),
                at: clock.wall()
            )
            switch propose(entry, publication, after: base, to: journal, completion) {
            case .taken: return
            case .late: continue
            case .refused(let shortage):
                return base.report(.failed(refusal(shortage)), completion)
            }
        }
    }

    /// Removes a feed with its history, after the journal has kept the deletion.
    ///
    /// - Parameters:
    ///   - feed: The feed, which need not exist.
    ///   - answer: The response that is kept with the deletion, if one is to be kept.
    ///   - condition: Checks the newest version; called perhaps several times, never under a lock.
    ///   - completion: Called with whether the feed existed, like the one of ``publish(_:…)``.
    package func remove<Failure: Error>(
        _ feed: FeedName,
        answer: JournalAnswer? = nil,
        if condition: (Version) throws(Failure) -> Void,
        completion: @escaping @Sendable (PublishOutcome<Bool, Failure>) -> Void
    ) {
        guard let journal, !volatileFeeds.contains(feed) else {
            return completion(
                PublishOutcome { () throws(Failure) in try remove(feed, if: condition) }
            )
        }
        while true {
            let base = state.withLock { $0.chainEnd(of: feed) }
            let checked = PublishOutcome { () throws(Failure) in
                if let version = base.version { try condition(version) }
                return base.version != nil
            }
            guard case .done(true) = checked, let version = base.version else {
                return report(checked, of: feed, base, completion)
            }
            let entry = JournalEntry(
                feed: feed,
                token: nil,
                previous: version.token,
                base: version.number,
                published: clock.wall(),
                change: .deletion,
                answer: answer
            )
            if propose(entry, removing: version, after: base, to: journal, completion) { return }
        }
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
        guard let sharedJournal else { return base.report(outcome, completion) }
        let entry = JournalEntry(
            feed: feed,
            token: base.version?.token,
            previous: base.version?.token,
            base: base.version?.number,
            published: clock.wall(),
            change: .nothing
        )
        sharedJournal.append(entry) { journalOutcome in
            switch journalOutcome {
            case .durable: completion(outcome)
            case .refused(let reason), .unknown(let reason): completion(.refused(reason))
            case .late: completion(.late)
            }
        }
    }

    /// Returns the journal entry for a publish.
    private static func entry(
        _ publication: Publication,
        _ answer: JournalAnswer?,
        keeping: JournalEntry.Keeping?,
        at time: Double
    ) -> JournalEntry {
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
            published: publication.isChanged ? version.published : time,
            change: change,
            keeping: keeping,
            answer: answer,
            source: version
        )
    }
}

extension FeedStore {
    /// Adds a publish to the feed's chain and hands it to the journal.
    private func propose<Failure>(
        _ entry: JournalEntry,
        _ publication: Publication,
        after base: State.ChainEnd,
        to journal: any Journal,
        _ completion: @escaping @Sendable (PublishOutcome<Publication, Failure>) -> Void
    ) -> State.Proposal {
        let version = publication.current
        // The journal only queues the entry here, so that chain and journal have the same order.
        return state.withLock { state in
            let pending = state.change(of: version.feed, to: version, after: base)
            let proposal = state.propose(pending, to: version, after: base, isLimited: true)
            guard case .taken = proposal else { return proposal }
            journal.append(entry) { journalOutcome in
                if case .durable = journalOutcome, publication.isChanged {
                    self.makeVisible(publication)
                }
                self.decide(journalOutcome, of: pending, to: version) {
                    completion(PublishOutcome(journalOutcome, publication))
                }
            }
            return .taken
        }
    }

    /// Adds a deletion to the feed's chain and hands it to the journal.
    ///
    /// - Returns: Whether the deletion was taken; if not, another change came first.
    private func propose<Failure>(
        _ entry: JournalEntry,
        removing version: Version,
        after base: State.ChainEnd,
        to journal: any Journal,
        _ completion: @escaping @Sendable (PublishOutcome<Bool, Failure>) -> Void
    ) -> Bool {
        state.withLock { state in
            let pending = state.change(of: version.feed, to: nil, after: base)
            let proposal = state.propose(pending, to: nil, after: base, isLimited: false)
            guard case .taken = proposal else { return false }
            journal.append(entry) { journalOutcome in
                if case .durable = journalOutcome { _ = self.removeVisibly(version) }
                self.decide(journalOutcome, of: pending, to: nil) {
                    completion(PublishOutcome(journalOutcome, true))
                }
            }
            return true
        }
    }

    /// Records the journal's decision about a change, and reports it to the change's author before
    /// the authors of later changes.
    private func decide(
        _ journalOutcome: JournalOutcome,
        of pending: PendingChange,
        to version: Version?,
        tell: () -> Void
    ) {
        switch journalOutcome {
        case .durable:
            state.withLock { $0.settle(pending) }
            tell()
            pending.decide(.durable)
        case .refused(let reason):
            state.withLock { $0.drop(pending) }
            tell()
            pending.decide(.refused(reason))
        case .unknown(let reason):
            // The change stays in the chain; the outcomes of changes on top of it are not valid.
            state.withLock {
                $0.unknowns[pending.feed] = State.ChainEnd(version: version, pending: pending)
            }
            tell()
            pending.decide(.refused(reason))
        case .late:
            state.withLock { $0.drop(pending) }
            tell()
            pending.decide(.late)
        }
    }
}

extension FeedStore.State.ChainEnd {
    /// Reports an outcome that is based on this version, after the version has become visible.
    fileprivate func report<Value, Failure>(
        _ outcome: PublishOutcome<Value, Failure>,
        _ completion: @escaping @Sendable (PublishOutcome<Value, Failure>) -> Void
    ) {
        guard let pending else { return completion(outcome) }
        pending.whenDecided { fate in
            switch fate {
            case .durable: completion(outcome)
            case .refused(let reason): completion(.refused(reason))
            case .late: completion(.late)
            }
        }
    }
}
