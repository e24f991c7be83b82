/// Holds the key of a service. The provider is asked once for all requests that wait for the key.
actor KeyRing {
    private let provider: any KeyProvider
    private var key: String?
    private var hasKey = false
    /// The call of the provider that is under way; `nil`: none.
    private var asking: SharedTask<String?>?
    /// The call of the provider that was under way when the key was forgotten; it may not have
    /// ended yet.
    private var forgotten: SharedTask<String?>?
    /// The number of times that the key was forgotten.
    private var session = 0

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
        session += 1
    }

    private func ask(replacing refused: String?) async throws -> String? {
        let call =
            asking
            ?? SharedTask { [forgotten, session] in
                // Calls of the provider never overlap.
                _ = try? await forgotten?.value()
                return try await self.call(replacing: refused, in: session)
            }
        asking = call
        return try await call.value()
    }

    private func call(replacing refused: String?, in session: Int) async throws -> String? {
        defer { if session == self.session { (asking, forgotten) = (nil, nil) } }
        do {
            let fresh = try await provider.key(replacing: refused)
            // A key that was requested before a sign-out is not kept. Without a replacement the old
            // key stays in use: the server's refusal says what is wrong.
            if session == self.session, refused == nil || fresh != nil {
                (key, hasKey) = (fresh, true)
            }
            return fresh
        } catch {
            throw FeedServiceError.noKey("\(error)")
        }
    }
}
