import Dispatch
import Synchronization

/// Asks all loops how many connections wait for some topics, and answers when they have, or their
/// time is up.
final class ReaderCounts: Sendable {
    private struct State {
        var waiting: Int
        var counts: [Int]
        var completion: (@Sendable ([Int]) -> Void)?
    }

    private let state: Mutex<State>

    init(topicCount: Int, loopCount: Int, _ completion: @escaping @Sendable ([Int]) -> Void) {
        let counts = [Int](repeating: 0, count: topicCount)
        state = Mutex(State(waiting: loopCount, counts: counts, completion: completion))
    }

    /// A loop has answered.
    func take(_ counts: [Int]) {
        let isLast = state.withLock { state in
            for (index, count) in counts.enumerated() { state.counts[index] += count }
            state.waiting -= 1
            return state.waiting == 0
        }
        if isLast { end() }
    }

    /// Answers with what is known by now.
    func end() {
        let (completion, counts) = state.withLock { state in
            defer { state.completion = nil }
            return (state.completion, state.counts)
        }
        completion?(counts)
    }
}

extension HTTPServer {
    /// Asks every loop how many of its connections wait for some topics.
    ///
    /// - Parameters:
    ///   - topics: A loop looks each of them up while its connections wait: at most some thousands.
    ///   - time: How long a loop may take; one that takes longer counts as one without connections.
    ///   - completion: Is called once, on any thread, with a number for each topic.
    package func readerCounts(
        of topics: [Topic],
        within time: Duration = .seconds(1),
        _ completion: @escaping @Sendable ([Int]) -> Void
    ) {
        guard !topics.isEmpty else { return completion([]) }
        let counts = ReaderCounts(topicCount: topics.count, loopCount: loops.count, completion)
        for loop in loops { loop.mailbox.post(.countReaders(topics) { counts.take($0) }) }
        let milliseconds = Int(time / .milliseconds(1))
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
            counts.end()
        }
    }
}
