import FeedModel
import FeedStore
import HTTPServer
import Synchronization

/// The topic of each feed that a request waits for; the feed need not exist.
final class FeedTopics: Sendable {
    fileprivate struct State {
        var topics: [FeedName: WeakReference<Topic>] = [:]
        /// The number of topics at which unused ones are removed.
        var sweepCount = 64
    }

    private let state = Mutex(State())

    /// Makes the topics of a store's feeds; a change of a feed notifies the feed's topic.
    init(_ store: FeedStore) {
        store.observe { [weak self] feed in self?.notify(feed) }
    }

    /// Returns the topic of a feed; it exists only as long as a caller has a reference to it.
    func topic(of feed: FeedName) -> Topic {
        state.withLock { state in
            if let topic = state.topics[feed]?.object { return topic }
            let topic = Topic()
            state.topics[feed] = WeakReference(object: topic)
            if state.topics.count >= state.sweepCount { state.sweep() }
            return topic
        }
    }

    /// Returns the topics of some feeds, in their order; `nil` for a feed that no request waits
    /// for.
    func known(_ feeds: [FeedName]) -> [Topic?] {
        state.withLock { state in feeds.map { state.topics[$0]?.object } }
    }

    /// Notifies the topic of a feed.
    func notify(_ feed: FeedName) {
        state.withLock { $0.topics[feed]?.object }?.notify()
    }

    /// Notifies all topics, because rights have changed.
    func notifyAll() {
        for topic in state.withLock({ $0.topics.values.compactMap(\.object) }) { topic.notify() }
    }

    /// The number of stored topics, including unused ones.
    var count: Int { state.withLock(\.topics.count) }
}

extension FeedTopics.State {
    /// Removes unused topics; the next removal is due when the number has doubled.
    fileprivate mutating func sweep() {
        topics = topics.filter { $0.value.object != nil }
        sweepCount = max(64, 2 * topics.count)
    }
}

/// A reference that does not keep its object alive.
struct WeakReference<Object: AnyObject & Sendable>: Sendable {
    weak var object: Object?
}
