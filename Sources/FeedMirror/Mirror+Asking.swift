import FeedAPI
package import FeedModel
import FeedStore
import HTTPClient
import HTTPTypes
import Synchronization

/// Asks the origin by `GET /pull`, when a client has a newer token of a feed than the store, or
/// when stream and answers disagree (``Arrivals``).
extension Mirror {
    /// A feed to ask about, and a token of it that a client has or that is in the store.
    private typealias Question = (feed: FeedName, token: Token?)

    /// A feed of which the store has another version than the origin.
    private struct Lag {
        /// The question that has shown it.
        let question: Question
        /// The origin's version; `nil`: the feed does not exist.
        let head: Token?
        /// The version of which the origin is to send the changes; `nil`: it sends the whole feed.
        let known: Token?

        /// The feed, to be sent as a whole.
        var whole: Lag { Lag(question: question, head: head, known: nil) }

        /// The question by which the origin confirms its version, or names one that replaced it.
        var confirmation: Question { (question.feed, head ?? question.token) }
    }

    /// The next request about a feed, after an answer that was not enough.
    private enum Repetition {
        case ask(Question)
        case fetch(Lag)
    }

    /// The most requests for a feed's content for one question.
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

    /// Brings feeds up to date, and returns whether all are; feeds that are not followed are
    /// skipped.
    private func bring(_ questions: [Question]) async throws -> Bool {
        var open = questions.filter { follows($0.feed) }
        var lags: [Lag] = []
        for _ in 0..<Mirror.attemptLimit where !(open.isEmpty && lags.isEmpty) {
            lags += try await compare(open)
            open = []
            let repetitions = try await fetch(lags)
            lags = []
            for repetition in repetitions {
                switch repetition {
                case .ask(let question): open.append(question)
                case .fetch(let lag): lags.append(lag)
                }
            }
        }
        return open.isEmpty && lags.isEmpty
    }

    /// Compares the origin's current versions of feeds with those in the store.
    private func compare(_ questions: [Question]) async throws -> [Lag] {
        guard !questions.isEmpty else { return [] }
        // The origin gets the tokens: if it is a mirror, too, it asks its own origin first. With
        // `limit=0` the answer has no items.
        let heads = try await pull(questions, "&limit=0")
        return zip(questions, heads).compactMap { question, head in
            let known = store.current(question.feed)?.token
            guard known != head.token || head.token == nil else { return nil }
            return Lag(question: question, head: head.token, known: known)
        }
    }

    /// Fetches the origin's current versions of feeds.
    ///
    /// - Returns: The requests to go on with, since answers may be outdated or did not fit.
    private func fetch(_ lags: [Lag]) async throws -> [Repetition] {
        guard !lags.isEmpty else { return [] }
        let question = state.withLock { $0.arrivals.begin() }
        defer { state.withLock { _ = $0.arrivals.end(question) } }
        let documents = try await pull(lags.map { ($0.question.feed, $0.known) }, "")
        return await onQueue {
            let overtaking = self.state.withLock { $0.arrivals.end(question) }
            return zip(lags, documents).compactMap { self.take(answer: $1, to: $0, overtaking) }
        }
    }

    /// Applies the answer about a feed; called on the mirror's queue.
    ///
    /// - Parameter overtaking: The feeds that had news while the answer was under way.
    /// - Returns: The request to go on with; `nil`: none.
    private func take(
        answer document: ServedDocument,
        to lag: Lag,
        _ overtaking: Arrivals.Overtaking
    ) -> Repetition? {
        let feed = lag.question.feed
        let current = store.current(feed)?.token
        if !document.isUnreadable {
            // Only versions of one epoch have an order. With another epoch, the answer may be older
            // than the news that came meanwhile, or than the version that the origin named: several
            // servers may share its address, and the one that answered may be behind.
            let isOvertaken = current?.epoch != document.token?.epoch && overtaking.includes(feed)
            guard !isOvertaken, lag.head?.epoch == document.token?.epoch else {
                return .ask(lag.confirmation)
            }
            if let head = lag.head, let token = document.token, token.version < head.version {
                return .fetch(lag)
            }
        }
        guard take(document, isStream: false) else {
            return .fetch(lag.whole)
        }
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

    /// Asks the origin about feeds, and returns a document about each, in their order.
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
        let documents = Dictionary(
            try ServedDocument.pulled(parsing: response.body).map { ($0.feed, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        return try feeds.map { feed, _ in
            guard let document = documents[feed.rawValue] else {
                throw HTTPClientError.broken("no answer about \(feed)")
            }
            return document
        }
    }
}

extension ServedDocument {
    fileprivate var isUnreadable: Bool { if case .unreadable = content { true } else { false } }
}
