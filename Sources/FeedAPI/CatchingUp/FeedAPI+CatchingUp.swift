import FeedFormats
import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire
import Platform

/// Delays requests on a server that has an upstream (the server that it mirrors, or the database
/// that it shares), so that an answer is never older than the versions that the request names
/// (docs/PROTOCOL.md, "Several servers").
extension FeedAPI {
    /// The longest time for which a request waits for the upstream.
    private static let freshnessCheckTime = Duration.seconds(2)

    /// Returns a reply that waits for the upstream, if a read, or a request about older versions,
    /// names newer versions than the store has; `nil` if the request can be answered at once.
    ///
    /// - Throws: `503` for a feed that the store does not have yet.
    func checkingFreshness(
        _ routed: borrowing RoutedRequest,
        _ questions: FreshnessQueue
    ) throws(Problem) -> Reply? {
        guard routed.isRead || routed.route.resource.names == .versions else { return nil }
        let named = named(routed)
        if service.upstream?.knowsAllFeeds == false,
            routed.route.resource.names == .list || lacksAny(of: named, routed.caller)
        {
            throw .unavailable(.notReady, "the feeds are being fetched", retryAfter: 1...3)
        }
        let open = openQuestions(named, routed)
        guard !open.isEmpty else { return nil }
        let found = LookUps(names: routed.lookUps?.names, skipsUpstream: true)
        return lookingUp(for: routed, within: FeedAPI.freshnessCheckTime, orElse: .behind) { done in
            let answers = AwaitedAnswers(count: open.count) { (areAnswered: [Bool?]) in
                done(areAnswered.contains(false) ? .failure(.behind) : .success(found))
            }
            for (index, (feed, token)) in open.enumerated() {
                questions.ask(feed, token) { answers.take($0, at: index) }
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

    /// Returns the feeds whose tokens may be newer than the store's versions, with the newest token
    /// of each; feeds that the caller has no right to are left out.
    private func openQuestions(
        _ named: [NamedFeed],
        _ request: borrowing RoutedRequest
    ) -> [(feed: FeedName, token: Token)] {
        let (names, caller) = (request.route.resource.names, request.caller)
        return named.compactMap { feed, tokens in
            let current = store.current(feed)
            // An existing feed's stream asks about its tokens itself (``StreamFreshness``).
            if names == .stream, current != nil { return nil }
            let newest = tokens.filter { token in
                // The store's current version may be an older one elsewhere.
                isAhead(token, of: current) || names == .versions && token == current?.token
            }.max(by: isOlder)
            guard let newest else { return nil }
            let mayAsk =
                names == .versions
                ? (try? access.checkWrite(feed, caller)) != nil : access.mayRead(feed, caller)
            return mayAsk ? (feed, newest) : nil
        }
    }

    /// Returns whether the store lacks one of these feeds that the caller may read.
    ///
    /// The result matters only until the store has all feeds of the upstream.
    private func lacksAny(of named: [NamedFeed], _ caller: AccessKey?) -> Bool {
        named.contains { access.mayRead($0.feed, caller) && store.current($0.feed) == nil }
    }

    private typealias NamedFeed = (feed: FeedName, tokens: [Token])

    /// Returns the feeds that a request names; none if it is malformed.
    private func named(_ request: borrowing RoutedRequest) -> [NamedFeed] {
        let resource = request.route.resource
        switch resource.names {
        case .none, .list: return []
        case .pull:
            let feeds = (try? FeedSelection(request))?.feeds ?? []
            return feeds.map { ($0.name, $0.since.map { [$0] } ?? []) }
        case .feed, .stream, .versions:
            let text = request.head.text(request.route.feed)
            let format =
                resource.isFormatted
                ? SyndicationFormat(endOf: request.route.feed, in: request.head.bytes.span) : nil
            let name = format?.feed(in: text) ?? Array(text.utf8)
            guard let feed = FeedName(utf8: name.span) else { return [] }
            guard resource.names == .stream else { return [(feed, tokens(request))] }
            return [(feed, startOfEvents(of: feed, request).map { [$0] } ?? [])]
        }
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
