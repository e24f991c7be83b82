import Dispatch
import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire
import Synchronization

/// A server that follows another never answers with less than it is asked for
/// (docs/PROTOCOL.md, "Never older than asked").
extension FeedAPI {
    /// The longest that an answer waits for what the server follows.
    private static let inquiryTime = Duration.seconds(2)

    /// Holds a read that names newer versions than are here until the upstream was asked.
    ///
    /// - Returns: `nil` where there is nothing to ask.
    func inquiring(
        _ request: Request,
        _ routed: borrowing RoutedRequest
    ) -> Disposition? {
        guard let questions, routed.isRead else { return nil }
        let open = openQuestions(routed)
        guard !open.isEmpty else { return nil }
        let inquiry = Inquiry(open, questions)
        return .longPoll(
            LongPoll(for: [inquiry.topic], time: FeedAPI.inquiryTime) {
                [current = currentConfiguration] isLast in
                let api = current.api ?? self
                switch inquiry.outcome {
                case true?: return api.receive(request, isInquiring: false)
                case nil where !isLast: return nil
                default: return api.behind(request)
                }
            }
        )
    }

    private func behind(_ request: Request) -> Disposition {
        var problem = Problem(
            .behind,
            .serviceUnavailable,
            "what this server follows did not say whether there is the version that was named"
        )
        problem.fields[.retryAfter] = String(Int.random(in: 1...3))
        let origin = RequestOrigin(listed: builder.cors.listedOrigin(request.head))
        return .answer(builder.response(problem, origin: origin))
    }

    /// Whether a token is of a version that this server does not know to be older than its own.
    func isAhead(_ token: Token, of feed: FeedName) -> Bool {
        guard let current = store.current(feed)?.token else { return true }
        return current.epoch == token.epoch ? token.version > current.version : true
    }

    /// What a request names that is newer than what is here; nothing where the request is malformed,
    /// or who asks may not know.
    private func openQuestions(
        _ request: borrowing RoutedRequest
    ) -> [(feed: FeedName, token: Token?)] {
        switch request.route {
        case .feed(let name), .items(let name), .item(let name, _), .outline(let name),
            .section(let name, _):
            guard let feed = FeedName(request.head.text(name)),
                access.mayRead(feed, request.caller)
            else { return [] }
            var newest: Token?
            for token in tokens(request) where isAhead(token, of: feed) {
                if newest.map({ $0.epoch != token.epoch || $0.version < token.version }) ?? true {
                    newest = token
                }
            }
            return newest.map { [(feed, $0)] } ?? []
        case .pull:
            guard let selection = try? FeedSelection(request.query) else { return [] }
            return selection.entries.compactMap { entry in
                guard let feed = entry.feed, let token = entry.since,
                    access.mayRead(feed, request.caller), isAhead(token, of: feed)
                else { return nil }
                return (feed, token)
            }
        default: return []
        }
    }

    /// All tokens that a read of one feed names.
    private func tokens(_ request: borrowing RoutedRequest) -> [Token] {
        var tokens: [Token] = []
        for name in [Query.Parameter.since, .version] {
            if let token = try? request.query.token(name) { tokens.append(token) }
        }
        for field in [KnownField.ifNoneMatch, .ifMatch] where request.head.has(field) {
            request.head.withValue(field) { value in
                _ = value.scanEntityTags(lenient: true) { range, _ in
                    if let token = Token(lenient: value.extracting(range)) { tokens.append(token) }
                }
            }
        }
        return tokens
    }
}

/// The tokens of a stream that are newer than what is here: the stream stays silent on their feeds
/// until the upstream was asked.
final class StreamDoubts: Sendable {
    private struct State {
        var feeds: Set<FeedName> = []
        var settled: [FeedName] = []
    }

    /// Notified when a feed is settled.
    let topic = Topic()
    private let state = Mutex(State())

    /// Asks about all tokens that are newer than what is here.
    init(_ feeds: some Sequence<(name: FeedName, since: Token?)>, _ api: FeedAPI) {
        guard api.questions != nil else { return }
        for (name, since) in feeds {
            guard let since, api.isAhead(since, of: name) else { continue }
            state.withLock { _ = $0.feeds.insert(name) }
            ask(name, since, api)
        }
    }

    private func ask(_ feed: FeedName, _ token: Token, _ api: FeedAPI) {
        guard let questions = api.questions else { return }
        ask(feed, token, questions)
    }

    private func ask(_ feed: FeedName, _ token: Token, _ questions: QuestionQueue) {
        questions.ask(feed, token) { [weak self] isAnswered in
            guard let self else { return }
            guard isAnswered else {
                // It stays silent, and asks again.
                DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(1)) { [weak self] in
                    self?.ask(feed, token, questions)
                }
                return
            }
            state.withLock { state in
                state.feeds.remove(feed)
                state.settled.append(feed)
            }
            topic.notify()
        }
    }

    /// Whether a stream is to be silent on a feed.
    func include(_ feed: FeedName) -> Bool {
        state.withLock { $0.feeds.contains(feed) }
    }

    /// Feeds that it was silent on, each told once.
    func takeSettled() -> [FeedName] {
        state.withLock { state in
            defer { state.settled = [] }
            return state.settled
        }
    }
}
