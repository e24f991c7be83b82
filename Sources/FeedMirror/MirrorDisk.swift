import FeedDiff
import FeedModel
import FeedStore
import Synchronization

/// Keeps a mirror's feeds on its own disk, so that it starts with them.
///
/// Nothing waits for the disk: versions that a power cut takes come from the origin again.
final class MirrorDisk: Sendable {
    /// A version that is kept.
    private struct Head: Equatable {
        let token: Token
        let number: Int?
    }

    /// The kept version of a feed: after all that was appended, and as far as it is durable.
    private struct Kept {
        var appended: Head?
        var durable: Head?
    }

    private let journal: any Journal
    private let report: @Sendable (String) -> Void
    private let kept = Mutex<[FeedName: Kept]>([:])
    private let trouble = Atomic(false)

    init(_ journal: any Journal, report: @escaping @Sendable (String) -> Void) {
        self.journal = journal
        self.report = report
    }

    /// Appends the change from one version to another.
    ///
    /// - Parameters:
    ///   - feed: The feed.
    ///   - before: The version that was shown before; `nil`: none.
    ///   - after: The version that is shown now.
    func keep(_ feed: FeedName, _ before: Version?, _ after: Version?) {
        guard before !== after else { return }
        let known = kept.withLock { kept -> Head? in
            // Versions that were there at the start were kept before the process began.
            let start = before.map { Head(token: $0.token, number: nil) }
            var state = kept[feed] ?? Kept(appended: start, durable: start)
            defer { kept[feed] = state }
            let known = state.appended
            state.appended = after.map { Head(token: $0.token, number: $0.number) }
            return known
        }
        guard let after else {
            if let known { remove(feed, known) }
            return
        }
        if let before, let known, before.token == known.token,
            known.token.hasSameEpoch(as: after.token), known.token.version < after.token.version
        {
            let changes = Changes(from: FeedView()(before.snapshot), to: FeedView()(after.snapshot))
            let bytes = DeltaRecord.bytes(changes, from: before.snapshot, to: after.snapshot)
            append(feed, after, known, .version(bytes))
        } else {
            if let known { remove(feed, known) }
            let image = FeedImage(after.snapshot)
            append(feed, after, nil, .creation(image))
        }
    }

    private func append(
        _ feed: FeedName,
        _ version: Version,
        _ known: Head?,
        _ change: JournalEntry.Change
    ) {
        let entry = JournalEntry(
            feed: feed,
            token: version.token,
            previous: known?.token,
            number: version.number,
            base: known?.number,
            published: version.published,
            change: change,
            source: version.content
        )
        append(entry, Head(token: version.token, number: version.number))
    }

    private func remove(_ feed: FeedName, _ known: Head) {
        append(
            JournalEntry(
                feed: feed,
                token: nil,
                previous: known.token,
                base: known.number,
                published: 0,
                change: .deletion
            ),
            nil
        )
    }

    private func append(_ entry: JournalEntry, _ head: Head?) {
        journal.append(entry) { [weak self] outcome in
            guard let self else { return }
            switch outcome {
            case .durable:
                trouble.store(false, ordering: .relaxed)
                kept.withLock { $0[entry.feed]?.durable = head }
            case .refused(let reason), .unknown(let reason):
                // The feed is kept as a whole the next time it changes.
                kept.withLock { kept in
                    let durable = kept[entry.feed]?.durable
                    kept[entry.feed]?.appended = durable
                }
                if !trouble.exchange(true, ordering: .relaxed) {
                    report("feeds are not kept on disk: \(reason)")
                }
            case .late: break
            }
        }
    }
}
