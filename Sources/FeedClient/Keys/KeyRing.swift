/// The key of a service: asks its provider once for all requests that need it.
actor KeyRing {
    private let provider: any KeyProvider
    private var key: String?
    private var hasKey = false
    private var asking: Question?
    /// The question that was asked before the key was forgotten, and may not be answered yet.
    private var forgotten: Question?

    /// A question to the provider.
    private final class Question: Sendable {
        enum Answer: Equatable {
            case pending
            case key(String?)
            case failed(String)
        }

        /// The key that is to be replaced; `nil`: there is none yet.
        let refused: String?
        let answer = ChangeMonitor(Answer.pending)

        init(replacing refused: String?) { self.refused = refused }
    }

    init(_ provider: any KeyProvider) {
        self.provider = provider
    }

    /// The key to send.
    ///
    /// - Throws: ``FeedServiceError/noKey(_:)``, and `CancellationError` at once where the task is
    ///   cancelled; the provider is asked all the same.
    func current() async throws -> String? {
        if hasKey, asking == nil { return key }
        // Where there is no other one, what is asked goes with the one that there is.
        return try await ask(replacing: nil) ?? key
    }

    /// Another key than one that was refused; `nil` when there is none.
    ///
    /// - Throws: As ``current()``.
    func replacement(for refused: String?) async throws -> String? {
        if hasKey, asking == nil, key != refused { return key }
        let fresh = try await ask(replacing: refused)
        return fresh == refused ? nil : fresh
    }

    /// Forgets the key, so that the next request asks for one.
    func forget() {
        (key, hasKey) = (nil, false)
        forgotten = asking ?? forgotten
        asking = nil
    }

    private func ask(replacing refused: String?) async throws -> String? {
        let question = asking ?? begin(Question(replacing: refused))
        await question.answer.waitForChange(from: .pending)
        switch question.answer.value {
        case .pending: throw CancellationError()
        case .key(let key): return key
        case .failed(let reason): throw FeedServiceError.noKey(reason)
        }
    }

    private func begin(_ question: Question) -> Question {
        let before = forgotten
        asking = question
        Task {
            // The provider is asked one thing at a time.
            await before?.answer.waitForChange(from: .pending)
            let answer: Question.Answer
            do {
                answer = .key(try await provider.key(replacing: question.refused))
            } catch {
                answer = .failed("\(error)")
            }
            end(question, answer)
        }
        return question
    }

    private func end(_ question: Question, _ answer: Question.Answer) {
        // What was forgotten while it was asked for is not kept.
        if asking === question {
            (asking, forgotten) = (nil, nil)
            // A key that nothing takes the place of is sent on: the server says what is wrong.
            if case .key(let fresh) = answer, question.refused == nil || fresh != nil {
                (key, hasKey) = (fresh, true)
            }
        }
        question.answer.update { $0 = answer }
    }
}
