import Platform
import Synchronization

/// Asks all event loops of a server for reports.
extension HTTPServer {
    /// Sends a question to every loop and collects the answers.
    ///
    /// - Parameters:
    ///   - time: The longest time to wait for a loop.
    ///   - mail: Makes the message to a loop from its index and the closure for its answer.
    ///   - completion: Called once, on any thread, with the answers in the order of the loops;
    ///     `nil` for a loop that has not answered in time.
    private func ask<Answer: Sendable>(
        within time: Duration,
        _ mail: (_ loop: Int, _ answer: @escaping @Sendable (Answer) -> Void) -> Mail,
        completion: @escaping @Sendable ([Answer?]) -> Void
    ) {
        let answers = AwaitedAnswers(count: loops.count, within: time, completion: completion)
        for (index, loop) in loops.enumerated() {
            loop.mailbox.post(mail(index) { answers.take($0, at: index) })
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
        let (context, begun) = (context, ContinuousClock.now)
        ask(within: time) { index, answer in
            .report { report in
                var report = report
                report.lag = ContinuousClock.now - begun
                context.lastReports.withLock { $0[index] = report }
                answer(report)
            }
        } completion: { (answers: [LoopReport?]) in
            var reports = context.lastReports.withLock(\.self)
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
