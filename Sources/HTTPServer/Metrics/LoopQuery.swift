import Dispatch
import Synchronization

/// A question to all loops of a server, and their answers.
///
/// The answers are passed on when all loops have answered or when the time is over.
private final class LoopQuery<Answer: Sendable>: Sendable {
    private struct State {
        /// The answers by loop; `nil` for a loop that has not answered.
        var answers: [Answer?]
        var completion: (@Sendable ([Answer?]) -> Void)?
    }

    private let state: Mutex<State>

    init(loopCount: Int, _ completion: @escaping @Sendable ([Answer?]) -> Void) {
        let answers = [Answer?](repeating: nil, count: loopCount)
        state = Mutex(State(answers: answers, completion: completion))
    }

    /// Records a loop's answer; after the last one, passes all of them on.
    func take(_ answer: Answer, from loop: Int) {
        let isLast = state.withLock { state in
            state.answers[loop] = answer
            return state.answers.allSatisfy { $0 != nil }
        }
        if isLast { end() }
    }

    /// Passes on the answers that have arrived, unless that was done before.
    func end() {
        let (completion, answers) = state.withLock { state in
            defer { state.completion = nil }
            return (state.completion, state.answers)
        }
        completion?(answers)
    }
}

extension HTTPServer {
    /// Sends a question to every loop and collects the answers.
    ///
    /// - Parameters:
    ///   - time: The longest time to wait for a loop.
    ///   - mail: Makes the message to a loop from its index and the closure for its answer.
    ///   - completion: Called once, on any thread, with the answers by loop.
    private func ask<Answer: Sendable>(
        within time: Duration,
        _ mail: (_ loop: Int, _ answer: @escaping @Sendable (Answer) -> Void) -> Mail,
        completion: @escaping @Sendable ([Answer?]) -> Void
    ) {
        let question = LoopQuery(loopCount: loops.count, completion)
        for (index, loop) in loops.enumerated() {
            loop.mailbox.post(mail(index) { question.take($0, from: index) })
        }
        let milliseconds = Int(time / .milliseconds(1))
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
            question.end()
        }
    }

    /// Asks every loop for its counters and its open connections.
    ///
    /// - Parameters:
    ///   - time: The longest time to wait; a loop that is later is represented by its previous
    ///     report.
    ///   - completion: Called once, on any thread, with a report for each loop.
    package func report(
        within time: Duration = .seconds(1),
        _ completion: @escaping @Sendable ([LoopReport]) -> Void
    ) {
        let (known, begun) = (knownReports, ContinuousClock.now)
        ask(within: time) { index, answer in
            .report { report in
                var report = report
                report.lag = ContinuousClock.now - begun
                known.set(report, index)
                answer(report)
            }
        } completion: { (answers: [LoopReport?]) in
            var reports = known.all
            for index in answers.indices where answers[index] == nil {
                reports[index].lag = ContinuousClock.now - begun
                reports[index].isAlive = false
            }
            completion(reports)
        }
    }

    /// Asks every loop how many of its connections are subscribed to each of some topics.
    ///
    /// - Parameters:
    ///   - topics: The topics, some thousands at most: a loop serves no connection while it counts.
    ///   - time: The longest time to wait; a loop that is later counts as one without connections.
    ///   - completion: Called once, on any thread, with a number for each topic.
    package func readerCounts(
        of topics: [Topic],
        within time: Duration = .seconds(1),
        _ completion: @escaping @Sendable ([Int]) -> Void
    ) {
        guard !topics.isEmpty else { return completion([]) }
        ask(within: time) { _, answer in
            .countReaders(topics, taken: answer)
        } completion: { (answers: [[Int]?]) in
            var sums = [Int](repeating: 0, count: topics.count)
            for counts in answers.compactMap(\.self) {
                for (index, count) in counts.enumerated() { sums[index] += count }
            }
            completion(sums)
        }
    }
}
