import FeedModel
import HTTPServer
import Synchronization

/// Questions to what the server follows, about tokens that are newer than what is here: gathered,
/// one in flight, about a hundred feeds at most (docs/PROTOCOL.md, "Never older than asked").
final class QuestionQueue: Sendable {
    /// A question, and who waits for the answer to it.
    private struct Entry {
        let feed: FeedName
        let token: Token?
        var asked: [@Sendable (Bool) -> Void]
    }

    private struct State {
        /// In the order in which they were asked.
        var waiting: [Entry] = []
        var places: [FeedName: Int] = [:]
        var isAsking = false
    }

    private let upstream: any Upstream
    private let state = Mutex(State())

    /// Feeds of one question.
    static let batchCount = 100

    /// Feeds that may wait to be asked about; one more is not asked about.
    static let countLimit = 10_000

    init(_ upstream: any Upstream) {
        self.upstream = upstream
    }

    /// Asks about one feed.
    ///
    /// - Parameters:
    ///   - feed: The feed.
    ///   - token: What somebody has of it.
    ///   - asked: Called once, from any thread, with whether there was an answer.
    func ask(_ feed: FeedName, _ token: Token?, asked: @escaping @Sendable (Bool) -> Void) {
        let isTaken = state.withLock { state in
            if let place = state.places[feed] {
                state.waiting[place].asked.append(asked)
                return true
            }
            guard state.waiting.count < QuestionQueue.countLimit else { return false }
            state.places[feed] = state.waiting.count
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
            let batch = Array(state.waiting.prefix(QuestionQueue.batchCount))
            state.waiting.removeFirst(batch.count)
            state.places = [:]
            for (place, entry) in state.waiting.enumerated() { state.places[entry.feed] = place }
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

/// What one request waits for: the answers to some questions.
final class Inquiry: Sendable {
    private struct State {
        var openCount: Int
        var isAnswered = true
    }

    /// Notified when all are answered.
    let topic = Topic()
    private let state: Mutex<State>

    init(_ questions: [(feed: FeedName, token: Token?)], _ queue: QuestionQueue) {
        state = Mutex(State(openCount: questions.count))
        for question in questions {
            queue.ask(question.feed, question.token) { isAnswered in
                let isDone = self.state.withLock { state in
                    state.openCount -= 1
                    if !isAnswered { state.isAnswered = false }
                    return state.openCount == 0
                }
                if isDone { self.topic.notify() }
            }
        }
    }

    /// Whether all were answered; `nil` while some are open.
    var outcome: Bool? {
        state.withLock { $0.openCount == 0 ? $0.isAnswered : nil }
    }
}
