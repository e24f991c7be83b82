/// Holds the key of a service. The provider is asked once for all requests that wait for the key.
actor KeyRing {
    private let provider: any KeyProvider
    private var key: String?
    private var hasKey = false
    private var asking: Question?
    /// The call of the provider that was under way when the key was forgotten; it may not have
    /// ended yet.
    private var forgotten: Question?

    /// A call of the provider.
    private final class Question: Sendable {
        enum Answer: Equatable {
            case pending
            case key(String?)
            case failed(String)
        }

        /// The key to replace; `nil`: there is none yet.
        let refused: String?
        let answer = ChangeMonitor(Answer.pending)

        init(replacing refused: String?) { self.refused = refused }
    }

    init(_ provider: any KeyProvider) {
        self.provider = provider
    }

    /// Returns the key to send.
    ///
    /// - Throws: ``FeedServiceError/noKey(_:)``; `CancellationError` at once when the task is
    ///   cancelled, while the call of the provider continues.
    func current() async throws -> String? {
        if hasKey, asking == nil { return key }
        // If the provider has no replacement, the request is sent with the old key.
        return try await ask(replacing: nil) ?? key
    }

    /// Returns another key in place of a refused one; `nil`: there is none.
    ///
    /// - Throws: The errors of ``current()``.
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
            // Calls of the provider never overlap.
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
        // A key that was requested before a sign-out is not kept.
        if asking === question {
            (asking, forgotten) = (nil, nil)
            // Without a replacement the old key stays in use: the server's refusal says what is
            // wrong.
            if case .key(let fresh) = answer, question.refused == nil || fresh != nil {
                (key, hasKey) = (fresh, true)
            }
        }
        question.answer.update { $0 = answer }
    }
}
