import Dispatch
import FeedFormats
import FeedModel
import HTTPServer
import Synchronization

/// The feeds of a stream whose tokens are newer than the store's versions: the stream sends nothing
/// about these feeds until the upstream (the mirrored server, or the shared database) has answered.
final class StreamFreshness: Sendable {
    /// Notified when the upstream has answered about a feed.
    let topic = Topic()
    /// The feeds with an open question, and the feeds with an answer that ``takeAnswered()`` has
    /// not returned yet.
    private let state = Mutex((open: Set<FeedName>(), settled: [FeedName]()))

    /// Asks the upstream about all tokens that are newer than the store's versions; `nil` for a
    /// server without an upstream.
    init?(_ feeds: [(name: FeedName, since: Token?)], _ api: FeedAPI) {
        guard let questions = api.service.freshness else { return nil }
        for (name, since) in feeds {
            guard let since, api.isAhead(since, of: name) else { continue }
            state.withLock { _ = $0.open.insert(name) }
            ask(name, since, questions)
        }
    }

    private func ask(_ feed: FeedName, _ token: Token, _ questions: FreshnessQueue) {
        questions.ask(feed, token) { [weak self] isAnswered in
            guard let self else { return }
            guard isAnswered else {
                // The stream still sends nothing about the feed, and the question is repeated.
                DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(1)) { [weak self] in
                    self?.ask(feed, token, questions)
                }
                return
            }
            state.withLock { state in
                state.open.remove(feed)
                state.settled.append(feed)
            }
            topic.notify()
        }
    }

    /// Whether a question is open, or an answer was not taken yet by ``takeAnswered()``.
    var isOpen: Bool { state.withLock { !$0.open.isEmpty || !$0.settled.isEmpty } }

    /// Returns whether the question about a feed is open, so that the stream must send nothing
    /// about the feed yet.
    func isAsking(about feed: FeedName) -> Bool {
        state.withLock { $0.open.contains(feed) }
    }

    /// Returns the feeds about which the upstream has answered since the last call.
    func takeAnswered() -> [FeedName] {
        state.withLock { state in
            defer { state.settled = [] }
            return state.settled
        }
    }
}
