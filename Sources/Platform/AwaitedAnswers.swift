import Dispatch
import Synchronization

/// Collects answers from several threads, and passes them on together when all have come or when a
/// time is over.
package final class AwaitedAnswers<Answer: Sendable>: Sendable {
    /// The answers by index, `nil` for each answer that has not come; the list is `nil` once passed
    /// on.
    private let answers: Mutex<[Answer?]?>
    private let completion: @Sendable ([Answer?]) -> Void

    /// Begins to wait for answers.
    ///
    /// - Parameters:
    ///   - count: The number of answers.
    ///   - time: The longest time to wait for them; `nil`: there is no limit.
    ///   - completion: Called once, on any thread, with the answers by index, `nil` for each answer
    ///     that has not come in time.
    package init(
        count: Int,
        within time: Duration? = nil,
        completion: @escaping @Sendable ([Answer?]) -> Void
    ) {
        answers = Mutex([Answer?](repeating: nil, count: count))
        self.completion = completion
        guard let time else { return }
        let end = DispatchTime.now() + .milliseconds(Int(time / .milliseconds(1)))
        DispatchQueue.global().asyncAfter(deadline: end) { self.passOn { _ in true } }
    }

    /// Records an answer, and passes all answers on if none is missing; a late answer is ignored.
    package func take(_ answer: Answer, at index: Int = 0) {
        passOn { answers in
            answers[index] = answer
            return answers.allSatisfy { $0 != nil }
        }
    }

    /// Changes the answers, and passes them on if `isComplete` returns true.
    private func passOn(when isComplete: (inout [Answer?]) -> Bool) {
        let complete = answers.withLock { answers -> [Answer?]? in
            guard var known = answers else { return nil }
            let isComplete = isComplete(&known)
            answers = isComplete ? nil : known
            return isComplete ? known : nil
        }
        if let complete { completion(complete) }
    }
}
