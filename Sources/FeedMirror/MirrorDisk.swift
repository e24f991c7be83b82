import FeedDiff
import FeedModel
import FeedStore
import Synchronization

/// Writes a mirror's feeds to the journal, so that a restarted mirror has them at once.
///
/// Readers do not wait for the disk: versions that a power cut loses come from the origin again.
final class MirrorDisk: Sendable {
    /// A version in the journal.
    struct Head {
        let token: Token
        let number: Int?
    }

    /// The state of a feed in the journal.
    struct JournalState {
        /// The version after all appended entries; `nil`: the feed is deleted.
        var appended: Head?
        /// The version that is known to be durable.
        var durable: Head?
        /// The number of the last change of the feed.
        var lastChange = 0
    }

    private let journal: any Journal
    private let report: @Sendable (String) -> Void
    /// The feeds of which the journal may have another version than readers see.
    let lagging = Mutex<[FeedName: JournalState]>([:])
    /// Whether the journal did not store the last entry.
    private let trouble = Atomic(false)

    init(_ journal: any Journal, report: @escaping @Sendable (String) -> Void) {
        self.journal = journal
        self.report = report
    }

    /// Appends the change from the version of a feed that readers saw before to the one that they
    /// see now to the journal; `nil`: the feed did not exist, or is deleted.
    func keep(_ feed: FeedName, _ before: Version?, _ after: Version?) {
        guard before !== after else { return }
        let head = after.map { Head(token: $0.token, number: $0.number) }
        let change = VersionNumber.next()
        let known = lagging.withLock { lagging -> Head? in
            // The token of a version that is durable is enough.
            let start = before.map { Head(token: $0.token, number: nil) }
            let state = lagging[feed] ?? JournalState(appended: start, durable: start)
            let next = JournalState(appended: head, durable: state.durable, lastChange: change)
            // A feed that the journal does not have cannot be deleted there.
            lagging[feed] = after == nil && state.appended == nil ? nil : next
            return state.appended
        }
        guard let after else {
            if let known { append(.deletion, of: feed, since: known, head, change) }
            return
        }
        if let before, let known, before.token == known.token,
            known.token.hasSameEpoch(as: after.token), known.token.version < after.token.version
        {
            let changes = Changes(from: before.snapshot, to: after.snapshot)
            let bytes = DeltaRecord.bytes(changes, to: after.snapshot)
            append(.version(after.content, bytes), of: feed, since: known, head, change)
        } else {
            if let known { append(.deletion, of: feed, since: known, nil, nil) }
            let image = FeedImage(after.snapshot)
            append(.creation(after.content, image), of: feed, since: nil, head, change)
        }
    }

    /// Appends an entry to the journal.
    ///
    /// - Parameter number: The number of the change that the entry ends; `nil`: one more follows.
    private func append(
        _ change: JournalEntry.Change,
        of feed: FeedName,
        since known: Head?,
        _ head: Head?,
        _ number: Int?
    ) {
        let entry = JournalEntry(
            feed: feed,
            previous: known?.token,
            base: known?.number,
            change: change
        )
        journal.append(entry) { [weak self] outcome in
            guard let self else { return }
            switch outcome {
            case .durable:
                trouble.store(false, ordering: .relaxed)
                lagging.withLock { lagging in
                    if lagging[feed]?.lastChange == number {
                        lagging[feed] = nil
                    } else {
                        lagging[feed]?.durable = head
                    }
                }
            case .refused(let reason), .unknown(let reason):
                // The next change then does not follow the durable version, so the feed is written
                // as a whole.
                lagging.withLock { lagging in
                    let durable = lagging[feed]?.durable
                    lagging[feed]?.appended = durable
                }
                if !trouble.exchange(true, ordering: .relaxed) {
                    report("feeds are not kept on disk: \(reason)")
                }
            case .late: break
            }
        }
    }
}
