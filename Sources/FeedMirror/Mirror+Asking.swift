import FeedAPI
package import FeedModel
import FeedStore
import HTTPClient
import HTTPTypes
import Synchronization

/// Questions to the origin about tokens that are newer than the versions in the store.
extension Mirror {
    /// A feed, and the token of a version that a client has of it.
    private typealias Question = (feed: FeedName, token: Token?)

    /// The most fetches of a feed for one question, if the stream reports it meanwhile.
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

    /// Brings feeds up to date; feeds that are not followed are left out.
    ///
    /// - Returns: Whether all feeds are up to date.
    private func bring(_ questions: [Question]) async throws -> Bool {
        let questions = questions.filter { follows($0.feed) }
        guard !questions.isEmpty else { return true }
        // The tokens are passed on, so that an origin that is a mirror asks its own origin first;
        // no items are sent.
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
    /// - Returns: The questions to ask once more.
    private func fetch(_ feeds: [Question]) async throws -> [Question] {
        let question = state.withLock { $0.arrivals.begin() }
        defer { state.withLock { _ = $0.arrivals.end(question) } }
        let documents = try await pull(feeds, "")
        return await onQueue {
            let overtaking = self.state.withLock { $0.arrivals.end(question) }
            return documents.compactMap { self.take(answer: $0, overtaking) }
        }
    }

    /// Takes an answer in; on the mirror's queue.
    ///
    /// - Parameters:
    ///   - document: The answer.
    ///   - overtaking: The feeds that had news while the answer was under way.
    /// - Returns: The question to ask once more, if there is one.
    private func take(
        answer document: ServedDocument,
        _ overtaking: Arrivals.Overtaking
    ) -> Question? {
        guard let feed = FeedName(document.feed), follows(feed) else { return nil }
        let current = store.current(feed)?.token
        // Versions of one epoch have an order. Otherwise it is not known which is older: the
        // answer, or the news that came meanwhile.
        if current?.epoch != document.token?.epoch, overtaking.includes(feed) {
            return (feed, current)
        }
        guard take(document, isStream: false) else { return (feed, nil) }
        let epoch = store.current(feed)?.token.epoch
        state.withLock { state in
            guard epoch != current?.epoch || state.arrivals.awaits(feed) else { return }
            state.arrivals.answer(feed, became: epoch)
        }
        if epoch != nil { confirm() }
        return nil
    }

    /// Asks again about feeds whose answers the stream does not agree with, until it agrees or they
    /// are gone.
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

    /// Some of the feeds to ask about again; `nil`: there are none.
    private func unheardFeeds() -> [FeedName]? {
        state.withLock { state in
            let isOver = state.arrivals.unheard.isEmpty || state.task?.isCancelled == true
            state.isConfirming = !isOver
            return isOver ? nil : Array(state.arrivals.unheard.prefix(Mirror.confirmedCount))
        }
    }

    /// The number of feeds that are asked about again at once.
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
