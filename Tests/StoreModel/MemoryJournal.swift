import Dispatch
package import FeedModel
package import FeedStore
import Synchronization

/// A journal in memory, for tests: the shortest implementation of ``Journal``, which tests can make
/// fail on purpose.
///
/// It shows the contract in few lines, and tests make it fail on purpose.
package final class MemoryJournal: Journal {
    /// The kept entries.
    ///
    /// A second journal on the same medium finds them, like files on a disk.
    package final class Medium: Sendable {
        fileprivate struct Kept {
            var versions: [VersionContent]
            /// The older versions that the feed can be taken back to, the oldest first.
            var older: [KeptVersion] = []
        }

        fileprivate struct State {
            var feeds: [FeedName: Kept] = [:]
            /// The numbers of the newest versions that were appended since the last recovery.
            var numbers: [FeedName: Int] = [:]
            var answers: [JournalAnswer] = []
            var latestDeleted: Double?
            var sources: SourceStates = [:]
        }

        fileprivate let state = Mutex(State())

        package init() {}
    }

    private let medium: Medium
    private let queue = DispatchQueue(label: "freshet.journal.memory")
    private let fault = Mutex<JournalOutcome?>(nil)

    package init(_ medium: Medium = Medium()) {
        self.medium = medium
    }

    package var trouble: String? { nil }

    /// The outcome with which every entry fails; `nil`: entries are kept.
    package var failure: JournalOutcome? {
        get { fault.withLock(\.self) }
        set { fault.withLock { $0 = newValue } }
    }

    /// Runs `body` while the journal is paused: no entry is decided meanwhile.
    package func whileStill<Result>(_ body: () throws -> Result) rethrows -> Result {
        queue.suspend()
        defer { queue.resume() }
        return try body()
    }

    package func recover(_ body: (RecoveredFeed) -> Void) throws(JournalError) -> RecoveredState {
        let state = medium.state.withLock { state in
            state.numbers = [:]
            return state
        }
        for (feed, kept) in state.feeds {
            let times = kept.versions.map(\.published).suffix(33)
            body(
                RecoveredFeed(
                    feed: feed,
                    versions: kept.versions,
                    times: Array(times),
                    floor: state.latestDeleted ?? 0
                )
            )
        }
        var recovered = RecoveredState()
        recovered.answers = state.answers
        recovered.latestDeleted = state.latestDeleted
        recovered.sources = state.sources
        return recovered
    }

    package func append(
        _ entry: JournalEntry,
        decided: @escaping @Sendable (JournalOutcome) -> Void
    ) {
        queue.async {
            if let failure = self.failure { return decided(failure) }
            let refusal = self.medium.state.withLock { $0.keep(entry) }
            decided(refusal.map { .refused($0) } ?? .durable)
        }
    }

    package func findKept(
        _ query: KeptQuery,
        of feed: FeedName,
        epoch: String,
        completion: @escaping @Sendable (Result<[KeptVersion], JournalError>) -> Void
    ) {
        queue.async {
            let older = self.medium.state.withLock { state in
                let kept = state.feeds[feed]
                return kept?.versions.last?.token.epoch == epoch ? kept?.older ?? [] : []
            }
            completion(.success(query.selection(of: older)))
        }
    }

    package func forget(
        _ order: ForgetOrder,
        completion: @escaping @Sendable (JournalOutcome) -> Void
    ) {
        queue.async {
            if let failure = self.failure { return completion(failure) }
            completion(self.medium.state.withLock { $0.forget(order) })
        }
    }

    package func keep(
        _ states: SourceStates,
        completion: @escaping @Sendable (Bool) -> Void
    ) {
        queue.async {
            guard self.failure == nil else { return completion(false) }
            self.medium.state.withLock { state in
                for (name, bytes) in states { state.sources[name] = bytes.isEmpty ? nil : bytes }
            }
            completion(true)
        }
    }

    package func close() {
        queue.sync {}
    }
}

extension KeptQuery {
    /// Returns the versions that the query asks for.
    ///
    /// - Parameter versions: All versions, the oldest first.
    fileprivate func selection(of versions: [KeptVersion]) -> [KeptVersion] {
        switch self {
        case .list(let end, let limit):
            return versions.reversed().filter { $0.version < end }.prefix(limit).map { version in
                var version = version
                version.content = []
                return version
            }
        case .content(let version, let end):
            let found = versions.filter { version..<end ~= $0.version }
            let whole = found.firstIndex { $0.isWhole }
            return Array(whole.map { found[...$0] } ?? found[...])
        }
    }
}

extension MemoryJournal.Medium.State {
    /// Applies an entry.
    ///
    /// - Returns: The reason why the entry is refused; `nil`: it was applied.
    fileprivate mutating func keep(_ entry: JournalEntry) -> String? {
        let last = feeds[entry.feed]?.versions.last
        guard entry.follows(last?.token, number: numbers[entry.feed]) else {
            return "an earlier publish of this feed was not kept"
        }
        switch entry.change {
        case .creation(let version, _), .version(let version, _):
            // A number is of one process.
            let kept = VersionContent(
                token: version.token,
                snapshot: version.snapshot,
                published: version.published,
                details: version.details
            )
            feeds[entry.feed, default: .init(versions: [])].versions.append(kept)
            keepOlder(entry)
            numbers[entry.feed] = version.number
        case .deletion:
            latestDeleted = max(latestDeleted ?? 0, last?.published ?? 0)
            feeds[entry.feed] = nil
            numbers[entry.feed] = nil
        case .nothing: break
        }
        if let answer = entry.answer {
            let oldest = answer.time - JournalAnswer.lifetime
            answers.removeAll { $0.time < oldest }
            answers.append(answer)
        }
        return nil
    }
}

extension MemoryJournal.Medium.State {
    /// Keeps the version that the entry supersedes, and removes versions that are too old or too
    /// many.
    ///
    /// An entry without ``JournalEntry/keeping`` removes all.
    fileprivate mutating func keepOlder(_ entry: JournalEntry) {
        guard let keeping = entry.keeping else {
            feeds[entry.feed]?.older = []
            return
        }
        var older = (feeds[entry.feed]?.older ?? []) + [keeping.previous]
        older.removeFirst(max(0, older.count - keeping.retention.limit))
        let now = keeping.previous.superseded
        feeds[entry.feed]?.older = Array(
            older.drop { !keeping.retention.isYoung($0.superseded, at: now) }
        )
    }

    fileprivate mutating func forget(_ order: ForgetOrder) -> JournalOutcome {
        guard var kept = feeds[order.feed], let newest = kept.versions.last?.token,
            newest.epoch == order.epoch, order.version < newest.version
        else { return .late }
        let found = kept.older.filter { $0.version <= order.version }.suffix(2).reversed()
        guard let change = order.change(of: Array(found)) else { return .late }
        if let replacement = change.replacement {
            kept.older = kept.older.map { $0.version == replacement.version ? replacement : $0 }
        }
        if change.isKept { kept.older.removeAll { $0.version == order.version } }
        kept.versions.removeAll { $0.token.version == order.version }
        feeds[order.feed] = kept
        return .durable
    }
}
