import FeedModel
import FeedStore
import HTTPServer
import Synchronization

/// The topics of feeds, there or not, for as long as somebody waits for them.
final class FeedTopics: Sendable {
    fileprivate struct Reference {
        weak var topic: Topic?
    }

    fileprivate struct State {
        var topics: [FeedName: Reference] = [:]
        /// How many there may be before those that nobody holds are looked for.
        var sweepCount = 64
    }

    private let state = Mutex(State())

    /// Makes the topics of a store's feeds; a change of a feed notifies its own.
    init(_ store: FeedStore) {
        store.observe { [weak self] feed in self?.notify(feed) }
    }

    /// The topic of a feed; whoever waits for it holds it.
    func topic(of feed: FeedName) -> Topic {
        state.withLock { state in
            if let topic = state.topics[feed]?.topic { return topic }
            let topic = Topic(shared: SharedEvents())
            state.topics[feed] = Reference(topic: topic)
            if state.topics.count >= state.sweepCount { state.sweep() }
            return topic
        }
    }

    /// The topics of some feeds, where somebody may wait for them.
    func known(_ feeds: [FeedName]) -> [Topic?] {
        state.withLock { state in feeds.map { state.topics[$0]?.topic } }
    }

    /// Wakes those who wait for a feed.
    func notify(_ feed: FeedName) {
        if let topic = state.withLock({ $0.topics[feed]?.topic }) { notify(topic) }
    }

    /// Wakes everybody, after a change of what keys may do.
    func notifyAll() {
        for topic in state.withLock({ $0.topics.values.compactMap(\.topic) }) { notify(topic) }
    }

    private func notify(_ topic: Topic) {
        (topic.shared as? SharedEvents)?.feedChanged()
        topic.notify()
    }

    /// How many topics are kept in mind, those that nobody holds any more included.
    var count: Int { state.withLock(\.topics.count) }
}

extension FeedTopics.State {
    /// Forgets the topics that nobody holds; at least as many must come before the next time.
    fileprivate mutating func sweep() {
        topics = topics.filter { $0.value.topic != nil }
        sweepCount = max(64, 2 * topics.count)
    }
}
