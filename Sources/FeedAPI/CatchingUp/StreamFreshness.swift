import Dispatch
import FeedFormats
import FeedModel
import HTTPServer
import Synchronization

/// The tokens of a stream that are newer than what is here: the stream stays silent on their feeds
/// until the upstream was asked.
final class StreamFreshness: Sendable {
    private struct State {
        var feeds: Set<FeedName> = []
        var settled: [FeedName] = []
    }

    /// Notified when a feed is settled.
    let topic = Topic()
    private let state = Mutex(State())

    /// Asks about all tokens that are newer than what is here.
    init(_ feeds: some Sequence<(name: FeedName, since: Token?)>, _ api: FeedAPI) {
        guard api.service.freshness != nil else { return }
        for (name, since) in feeds {
            guard let since, api.isAhead(since, of: name) else { continue }
            state.withLock { _ = $0.feeds.insert(name) }
            ask(name, since, api)
        }
    }

    private func ask(_ feed: FeedName, _ token: Token, _ api: FeedAPI) {
        guard let questions = api.service.freshness else { return }
        ask(feed, token, questions)
    }

    private func ask(_ feed: FeedName, _ token: Token, _ questions: FreshnessQueue) {
        questions.ask(feed, token) { [weak self] isAnswered in
            guard let self else { return }
            guard isAnswered else {
                // It stays silent, and asks again.
                DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(1)) { [weak self] in
                    self?.ask(feed, token, questions)
                }
                return
            }
            state.withLock { state in
                state.feeds.remove(feed)
                state.settled.append(feed)
            }
            topic.notify()
        }
    }

    /// Whether there is a feed that a stream is silent on, or has yet to be told that it need not
    /// be.
    var isOpen: Bool { state.withLock { !$0.feeds.isEmpty || !$0.settled.isEmpty } }

    /// Whether a stream is to be silent on a feed.
    func include(_ feed: FeedName) -> Bool {
        state.withLock { $0.feeds.contains(feed) }
    }

    /// Feeds that it was silent on, each told once.
    func takeSettled() -> [FeedName] {
        state.withLock { state in
            defer { state.settled = [] }
            return state.settled
        }
    }
}
