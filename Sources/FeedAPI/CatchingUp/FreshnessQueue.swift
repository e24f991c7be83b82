import FeedModel
import Synchronization

/// Asks the upstream (the mirrored server, or the shared database) about tokens that are newer than
/// the store's versions (docs/PROTOCOL.md, "Several servers").
///
/// Only one batch of questions is in flight; further questions wait for the next batch.
final class FreshnessQueue: Sendable {
    /// A question about one feed, with the callbacks of all requests that ask it.
    fileprivate struct Entry {
        let feed: FeedName
        /// The newest token that a client has; the upstream may have to ask its own upstream for
        /// that version.
        var token: Token
        /// The callbacks; the argument says whether the upstream answered.
        var asked: [@Sendable (Bool) -> Void]
    }

    private struct State {
        /// The questions that wait, in the order in which they were asked.
        var waiting: [Entry] = []
        /// The index in ``waiting`` of each feed's last question.
        var indices: [FeedName: Int] = [:]
        /// Whether a batch of questions is in flight.
        var isAsking = false
    }

    private let upstream: any Upstream
    private let state = Mutex(State())

    /// The most feeds that one batch asks about.
    static let batchCount = 100

    /// The most questions that may wait; further questions fail at once.
    static let countLimit = 10_000

    init(_ upstream: any Upstream) {
        self.upstream = upstream
    }

    /// Asks about one feed.
    ///
    /// - Parameter asked: Called once, from any thread; the argument says whether the upstream
    ///   answered.
    func ask(_ feed: FeedName, _ token: Token, asked: @escaping @Sendable (Bool) -> Void) {
        let isTaken = state.withLock { state in
            if let index = state.indices[feed], state.waiting[index].add(token) {
                state.waiting[index].asked.append(asked)
                return true
            }
            guard state.waiting.count < FreshnessQueue.countLimit else { return false }
            state.indices[feed] = state.waiting.count
            state.waiting.append(Entry(feed: feed, token: token, asked: [asked]))
            return true
        }
        guard isTaken else { return asked(false) }
        askNext()
    }

    private func askNext() {
        let batch = state.withLock { state -> [Entry] in
            guard !state.isAsking, !state.waiting.isEmpty else { return [] }
            state.isAsking = true
            var (batch, rest): ([Entry], [Entry]) = ([], [])
            var feeds: Set<FeedName> = []
            for entry in state.waiting {
                // A batch has each feed once, so a question with a token of another epoch waits.
                let isNext = batch.count < FreshnessQueue.batchCount
                if isNext, feeds.insert(entry.feed).inserted {
                    batch.append(entry)
                } else {
                    rest.append(entry)
                }
            }
            state.waiting = rest
            state.indices = [:]
            for (index, entry) in state.waiting.enumerated() { state.indices[entry.feed] = index }
            return batch
        }
        guard !batch.isEmpty else { return }
        upstream.ask(batch.map { ($0.feed, $0.token) }) { isAnswered in
            self.state.withLock { $0.isAsking = false }
            for entry in batch { for asked in entry.asked { asked(isAnswered) } }
            self.askNext()
        }
    }
}

extension FreshnessQueue.Entry {
    /// Adds another token to the question, if one question is enough for both tokens, and returns
    /// whether it was added; tokens of different epochs cannot be compared.
    fileprivate mutating func add(_ other: Token) -> Bool {
        guard token.hasSameEpoch(as: other) else { return false }
        if other.version > token.version { token = other }
        return true
    }
}
