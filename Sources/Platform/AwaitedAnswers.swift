import Dispatch
import Synchronization

/// Collects answers from several threads, and passes them on together when all have come or when a
/// time is over.
package final class AwaitedAnswers<Answer: Sendable>: Sendable {
    private struct State {
        /// The answers by index, `nil` for each that has not come; the list is `nil` once passed
        /// on.
        var answers: [Answer?]?
        /// The number of answers that have not come.
        var missing: Int
    }

    private let state: Mutex<State>
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
        let none = [Answer?](repeating: nil, count: count)
        state = Mutex(State(answers: none, missing: count))
        self.completion = completion
        guard let time else { return }
        let end = DispatchTime.now() + .milliseconds(Int(time / .milliseconds(1)))
        DispatchQueue.global().asyncAfter(deadline: end) { self.passOn { _ in true } }
    }

    /// Records an answer, and passes all answers on if none is missing; a late answer is ignored.
    ///
    /// Each index has one answer.
    package func take(_ answer: Answer, at index: Int = 0) {
        passOn { state in
            state.answers?[index] = answer
            state.missing -= 1
            return state.missing == 0
        }
    }

    /// Changes the state, and passes the answers on, once, if `isComplete` returns true.
    private func passOn(when isComplete: (inout State) -> Bool) {
        let complete = state.withLock { isComplete(&$0) ? $0.answers.take() : nil }
        if let complete { completion(complete) }
    }
}
