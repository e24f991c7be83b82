import Dispatch
import FeedFormats
import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire
import Synchronization

/// Delays requests on a server that has an upstream (the server that it mirrors, or the database
/// that it shares), so that an answer is never older than the versions that the request names
/// (docs/PROTOCOL.md, "Several servers").
extension FeedAPI {
    /// The longest time for which a request waits for the upstream.
    private static let freshnessCheckTime = Duration.seconds(2)

    /// Returns a reply that waits for the upstream, if a read, or a request about older versions,
    /// names newer versions than the store has.
    ///
    /// - Parameters:
    ///   - routed: The request.
    ///   - questions: The queue of questions to the upstream.
    /// - Returns: `nil` if the request can be answered at once; a `503` for a feed that the store
    ///   does not have yet.
    func checkingFreshness(
        _ routed: borrowing RoutedRequest,
        _ questions: FreshnessQueue
    ) -> Reply? {
        guard routed.isRead || routed.route.resource.names == .versions else { return nil }
        if service.upstream?.knowsAllFeeds == false, lacksAFeed(routed) {
            let problem = Problem.unavailable(
                .notReady,
                "the feeds are being fetched",
                retryAfter: 1...3
            )
            return .response(response(problem, for: routed.requester))
        }
        let open = openQuestions(routed)
        guard !open.isEmpty else { return nil }
        let found = LookUps(names: routed.lookUps?.names, skipsUpstream: true)
        return lookingUp(for: routed, within: FeedAPI.freshnessCheckTime, orElse: .behind) { done in
            let state = Mutex((openCount: open.count, areAnswered: true))
            for (feed, token) in open {
                questions.ask(feed, token) { isAnswered in
                    let areAnswered = state.withLock { state -> Bool? in
                        state.openCount -= 1
                        if !isAnswered { state.areAnswered = false }
                        return state.openCount == 0 ? state.areAnswered : nil
                    }
                    guard let areAnswered else { return }
                    done(areAnswered ? .success(found) : .failure(.behind))
                }
            }
        }
    }

    /// Returns whether a token may name a newer version than the store has: the result is false
    /// only for a version of the same epoch that is not newer.
    func isAhead(_ token: Token, of feed: FeedName) -> Bool {
        isAhead(token, of: store.current(feed))
    }

    private func isAhead(_ token: Token, of version: Version?) -> Bool {
        guard let current = version?.token, current.hasSameEpoch(as: token) else { return true }
        return token.version > current.version
    }

    /// Returns the feeds of a request whose tokens may be newer than the store's versions, with the
    /// newest token of each.
    ///
    /// Feeds that the caller may not read are left out; the result is empty for a malformed
    /// request.
    private func openQuestions(
        _ request: borrowing RoutedRequest
    ) -> [(feed: FeedName, token: Token?)] {
        switch request.route.resource.names {
        case .none, .list: return []
        case .feed:
            let tokens = tokens(request)
            guard !tokens.isEmpty, let name = feedName(request) else { return [] }
            let current = store.current(named: name.span)
            guard let newest = tokens.filter({ isAhead($0, of: current) }).max(by: isOlder),
                let feed = FeedName(utf8: name.span), access.mayRead(feed, request.caller)
            else { return [] }
            return [(feed, newest)]
        case .versions:
            guard let feed = FeedName(request.head.text(request.route.feed)),
                (try? access.checkWrite(feed, request.caller)) != nil
            else { return [] }
            let current = store.current(feed)
            // The store's current version may be an older one elsewhere.
            let open = tokens(request).filter { $0 == current?.token || isAhead($0, of: current) }
            return open.max(by: isOlder).map { [(feed, $0)] } ?? []
        case .stream:
            // An existing feed's stream asks about its tokens itself (``StreamFreshness``).
            guard let feed = feedName(request).flatMap({ FeedName(utf8: $0.span) }),
                store.current(feed) == nil, let token = startOfEvents(of: feed, request),
                access.mayRead(feed, request.caller)
            else { return [] }
            return [(feed, token)]
        case .pull:
            guard let selection = try? FeedSelection(request) else { return [] }
            return selection.entries.compactMap { entry in
                guard let feed = entry.feed, let token = entry.since,
                    access.mayRead(feed, request.caller), isAhead(token, of: feed)
                else { return nil }
                return (feed, token)
            }
        }
    }

    /// Returns the name of the feed that a read is about, valid or not; `nil` if the read is about
    /// no feed or several.
    private func feedName(_ request: borrowing RoutedRequest) -> [UInt8]? {
        switch request.route.resource.names {
        case .none, .list, .pull: return nil
        case .feed, .stream, .versions:
            let name = request.head.text(request.route.feed)
            return format(request).map { $0.feed(in: name) } ?? Array(name.utf8)
        }
    }

    /// Returns the format for feed readers that a read asks for.
    private func format(_ request: borrowing RoutedRequest) -> SyndicationFormat? {
        guard request.route.resource.isFormatted else { return nil }
        return SyndicationFormat(endOf: request.route.feed, in: request.head.bytes.span)
    }

    /// Returns the version after which a stream of one feed begins; the id of the last event takes
    /// precedence over `since`.
    private func startOfEvents(of feed: FeedName, _ request: borrowing RoutedRequest) -> Token? {
        guard let presentation = try? Presentation(request.query) else { return nil }
        let since = try? request.query.token(.since)
        var selection = FeedSelection(feed, since: since, presentation)
        try? selection.resume(request)
        return selection.entries.first?.since
    }

    /// Returns whether `left` is certainly older: an earlier version of the same epoch.
    private func isOlder(_ left: Token, _ right: Token) -> Bool {
        left.hasSameEpoch(as: right) && left.version < right.version
    }

    /// Returns all tokens in a request for one feed.
    private func tokens(_ request: borrowing RoutedRequest) -> [Token] {
        var tokens: [Token] = []
        let namesVersions = request.route.resource.names == .versions
        let parameters: [Query.Parameter] =
            namesVersions ? [.before, .version] : [.since, .version]
        for name in parameters {
            if let token = try? request.query.token(name) { tokens.append(token) }
        }
        if namesVersions, let token = Token(request.id.string) { tokens.append(token) }
        let isFormat = request.route.resource.isFormatted
        for field in [KnownField.ifNoneMatch, .ifMatch] where request.head.has(field) {
            request.head.withValue(field) { value in
                _ = value.scanEntityTags(lenient: true) { range, _ in
                    let tag = value.extracting(range)
                    let token = isFormat ? tokenOfFormat(tag) : Token(lenient: tag)
                    if let token { tokens.append(token) }
                }
            }
        }
        return tokens
    }

    /// Returns the token in the entity tag of a document for feed readers: the text before the
    /// hyphen; a hash of the document's settings follows the hyphen.
    private func tokenOfFormat(_ tag: Span<UInt8>) -> Token? {
        let end = tag.firstIndex(of: UInt8(ascii: "-"), in: 0..<tag.count) ?? tag.count
        return Token(utf8: tag.extracting(0..<end))
    }
}

/// Refuses requests that a server with an upstream cannot answer by itself.
extension FeedAPI {
    /// Returns whether a read lists all feeds, or names a feed that the caller may read and the
    /// store lacks.
    ///
    /// The result matters only until the store has all feeds of the upstream.
    private func lacksAFeed(_ request: borrowing RoutedRequest) -> Bool {
        switch request.route.resource.names {
        case .list: return true
        case .pull:
            guard let selection = try? FeedSelection(request) else { return false }
            return selection.entries.contains { isLacking($0.feed, request.caller) }
        case .none, .feed, .stream, .versions:
            let feed = feedName(request).flatMap { FeedName(utf8: $0.span) }
            return isLacking(feed, request.caller)
        }
    }

    private func isLacking(_ feed: FeedName?, _ caller: AccessKey?) -> Bool {
        guard let feed, access.mayRead(feed, caller) else { return false }
        return store.current(feed) == nil
    }

    /// Wakes all streams once the store has all feeds of the upstream: they can now report feeds as
    /// missing.
    package func upstreamBecameReady() {
        guard let api = service.newestAPI else { return }
        // Setting the same configuration counts as a change of it, after which a stream checks all
        // its feeds instead of waiting for a shared event.
        service.setNewest(api)
        service.topics.notifyAll()
        service.changes.topic.notify()
    }

    /// Refuses a request that would change a feed, whatever its key; called on a mirror, which
    /// takes all its feeds from another server.
    ///
    /// - Throws: `421` with the address for publishes, if the configuration has one.
    func refusePublish(_ head: borrowing RequestHead) throws(Problem) {
        let isChange =
            switch head.method {
            case .put, .patch, .delete, .post: true
            default: false
            }
        switch (try? Route(head))?.resource.refusal {
        case .changes: guard isChange else { return }
        // Only callers that may write read these resources: they do so where they publish.
        case .everything: guard isChange || head.method.isRead else { return }
        case .nothing, nil: return
        }
        let address = configuration.publishURL.map { ": publish at \($0)" } ?? ""
        throw Problem(
            .mirror,
            .misdirectedRequest,
            "this server follows another, and takes no publishes itself\(address)"
        )
    }
}

extension Problem {
    /// The `503` for a read of a version about which the upstream gave no answer.
    fileprivate static var behind: Problem {
        .unavailable(
            .behind,
            "what this server follows did not say whether there is the version that was named",
            retryAfter: 1...3
        )
    }
}
