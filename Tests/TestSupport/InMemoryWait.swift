import Dispatch
import HTTPServer
import Synchronization

/// Holds an answer as the engine would, without a loop.
final class InMemoryWait: Sendable {
    private let wait: LongPoll
    private let answer: @Sendable (Reply) -> Void
    private let isOver = Mutex(false)

    init(_ wait: LongPoll, answer: @escaping @Sendable (Reply) -> Void) {
        self.wait = wait
        self.answer = answer
    }

    func begin() {
        for topic in wait.topics { listen(to: topic) }
        attempt(isLast: false)
        let milliseconds = Int(wait.time / .milliseconds(1))
        // Whoever listens holds it; the timer must not, which outlasts most waits.
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
            [weak self] in
            self?.attempt(isLast: true)
        }
    }

    private func listen(to topic: Topic) {
        topic.subscribe(self) {
            self.listen(to: topic)
            DispatchQueue.global().async { self.attempt(isLast: false) }
        }
    }

    private func attempt(isLast: Bool) {
        guard !isOver.withLock(\.self), let reply = wait.attempt(isLast) else { return }
        let isFirst = isOver.withLock { isOver in
            defer { isOver = true }
            return !isOver
        }
        guard isFirst else { return }
        for topic in wait.topics { topic.unsubscribe(self) }
        answer(reply)
    }
}
