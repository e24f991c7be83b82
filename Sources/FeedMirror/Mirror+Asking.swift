import FeedAPI
package import FeedModel
import FeedStore
import HTTPClient
import HTTPTypes
import Synchronization

/// Asking the origin by `GET /pull`, when a client has a newer token of a feed than the store, or
/// when stream and answers disagree (``Arrivals``).
extension Mirror {
    /// A feed to ask about, and a token of it that a client has or that is in the store.
    private typealias Question = (feed: FeedName, token: Token?)

    /// The most fetches of a feed for one question; a fetch is repeated if the stream brings news
    /// of the feed meanwhile.
    private static let attemptLimit = 3

    package func ask(
        _ questions: [(feed: FeedName, token: Token?)],
        completion: @escaping @Sendable (Bool) -> Void
    ) {
        Task {
            do {
                completion(try await bring(questions))
            } catch {
                completion(false)
            }
        }
    }

    /// Brings feeds up to date.
    ///
    /// Feeds that are not followed are skipped.
    ///
    /// - Returns: Whether all feeds are up to date.
    private func bring(_ questions: [Question]) async throws -> Bool {
        let questions = questions.filter { follows($0.feed) }
        guard !questions.isEmpty else { return true }
        // The origin gets the tokens: if it is a mirror, too, it asks its own origin first. With
        // `limit=0` the answer has no items.
        let heads = try await pull(questions, "&limit=0")
        var behind: [Question] = []
        for head in heads {
            guard let feed = FeedName(head.feed) else { continue }
            let known = store.current(feed)?.token
            if known != head.token || head.token == nil { behind.append((feed, known)) }
        }
        for _ in 0..<Mirror.attemptLimit where !behind.isEmpty { behind = try await fetch(behind) }
        return behind.isEmpty
    }

    /// Fetches the origin's current versions of feeds.
    ///
    /// - Returns: The questions to ask again, since their answers may be outdated or did not fit.
    private func fetch(_ feeds: [Question]) async throws -> [Question] {
        let question = state.withLock { $0.arrivals.begin() }
        defer { state.withLock { _ = $0.arrivals.end(question) } }
        let documents = try await pull(feeds, "")
        return await onQueue {
            let overtaking = self.state.withLock { $0.arrivals.end(question) }
            return documents.compactMap { self.take(answer: $0, overtaking) }
        }
    }

    /// Applies the answer about a feed; called on the mirror's queue.
    ///
    /// - Parameters:
    ///   - document: The answer.
    ///   - overtaking: The feeds that had news while the answer was under way.
    /// - Returns: The question to ask again; `nil`: none.
    private func take(
        answer document: ServedDocument,
        _ overtaking: Arrivals.Overtaking
    ) -> Question? {
        guard let feed = FeedName(document.feed), follows(feed) else { return nil }
        let current = store.current(feed)?.token
        // Only versions of one epoch have an order. With another epoch, the answer may be older
        // than the news that came meanwhile.
        if current?.epoch != document.token?.epoch, overtaking.includes(feed) {
            return (feed, current)
        }
        guard take(document, isStream: false) else { return (feed, nil) }
        let epoch = store.current(feed)?.token.epoch
        state.withLock { state in
            guard epoch != current?.epoch || state.arrivals.isUnconfirmed(feed) else { return }
            state.arrivals.answer(feed, became: epoch)
        }
        if epoch != nil { confirm() }
        return nil
    }

    /// Asks again about ``Arrivals/unconfirmed`` feeds, until the stream agrees with the answers or
    /// the feeds are gone.
    ///
    /// Only one task asks at a time.
    func confirm() {
        let isFirst = state.withLock { state in
            defer { state.isConfirming = true }
            return !state.isConfirming
        }
        guard isFirst else { return }
        Task { [weak self] in
            var backoff = Mirror.backoff
            while true {
                guard let pause = self?.settings.pause else { return }
                try? await pause(backoff.delay(random: .random(in: 0.5...1)))
                guard let self, let feeds = self.unheardFeeds() else { return }
                _ = try? await self.bring(feeds.map { ($0, nil) })
            }
        }
    }

    /// Returns some of the feeds to ask about again; `nil`: there are none, or the mirror was
    /// stopped.
    private func unheardFeeds() -> [FeedName]? {
        state.withLock { state in
            let isOver = state.arrivals.unconfirmed.isEmpty || state.task?.isCancelled == true
            state.isConfirming = !isOver
            return isOver ? nil : Array(state.arrivals.unconfirmed.prefix(Mirror.confirmedCount))
        }
    }

    /// The most feeds that are asked about again by one request.
    private static let confirmedCount = 100

    private func pull(_ feeds: [Question], _ view: String) async throws -> [ServedDocument] {
        let list = feeds.map { feed, token in
            "feed=\(feed)" + (token.map { "@\($0)" } ?? "")
        }
        let path = "/pull?" + list.joined(separator: "&") + view
        var request = request(.get, path)
        request.limits.whole = settings.answerTime * (view.isEmpty ? 10 : 1)
        request.limits.bodyByteCount = 1 << 30
        let response = try await client.response(to: request)
        guard response.status == 200 else { throw HTTPClientError.broken("\(response.status)") }
        return try ServedDocument.pulled(parsing: response.body)
    }
}
