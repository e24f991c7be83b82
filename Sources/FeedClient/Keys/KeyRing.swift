/// The key of a service: asks its provider once for all requests that need it.
actor KeyRing {
    private let provider: any KeyProvider
    private var key: String?
    private var hasKey = false
    private var asking: Question?
    /// What was asked before it was forgotten, and may not be answered yet.
    private var forgotten: Task<String?, any Error>?

    /// What the provider is asked.
    private struct Question {
        /// The key that is to be replaced; `nil`: there is none yet.
        let refused: String?
        let answer: Task<String?, any Error>
    }

    init(_ provider: any KeyProvider) {
        self.provider = provider
    }

    /// The key to send.
    func current() async throws(FeedServiceError) -> String? {
        if hasKey, asking == nil { return key }
        // Where there is no other one, what is asked goes with the one that there is.
        return try await ask(replacing: nil) ?? key
    }

    /// Another key than one that was refused; `nil` when there is none.
    func replacement(for refused: String?) async throws(FeedServiceError) -> String? {
        if hasKey, asking == nil, key != refused { return key }
        let fresh = try await ask(replacing: refused)
        return fresh == refused ? nil : fresh
    }

    /// Forgets the key, so that the next request asks for one.
    func forget() {
        (key, hasKey) = (nil, false)
        forgotten = asking?.answer ?? forgotten
        asking = nil
    }

    private func ask(replacing refused: String?) async throws(FeedServiceError) -> String? {
        let before = forgotten
        let question =
            asking
            ?? Question(
                refused: refused,
                answer: Task {
                    // The provider is asked one thing at a time.
                    _ = await before?.result
                    return try await provider.key(replacing: refused)
                }
            )
        asking = question
        let result = await question.answer.result
        let isFirst = asking?.answer == question.answer
        if isFirst { (asking, forgotten) = (nil, nil) }
        switch result {
        case .success(let fresh):
            // A key that nothing takes the place of is sent on: the server says what is wrong. One
            // that was forgotten while it was asked for is not kept.
            if isFirst, question.refused == nil || fresh != nil { (key, hasKey) = (fresh, true) }
            return fresh
        case .failure(let error): throw .noKey("\(error)")
        }
    }
}
