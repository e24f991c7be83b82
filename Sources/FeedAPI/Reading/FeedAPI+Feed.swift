import Dispatch
import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// `GET /feeds/{feed}`: the snapshot, the changes, the views of them.
extension FeedAPI {
    func readFeed(_ request: borrowing RoutedRequest) throws(Problem) -> Reply {
        let lookup = try lookUp(request)
        if lookup.isHidden { return notFound(request.requester) }
        let read = try FeedRead(request)
        guard let current = lookup.version else { return notFound(request.requester) }
        let version = try self.version(read.query.version, after: current, request.kept)
        let context = VersionRead(version, request, self)
        if read.wait != nil, read.query.version == nil, context.isStill(since: read.query.since) {
            return wait(read, version, request)
        }
        return respond(read, context)
    }

    /// Holds the answer until there is something new.
    private func wait(
        _ read: consuming FeedRead,
        _ version: Version,
        _ request: borrowing RoutedRequest
    ) -> Reply {
        let seconds = read.wait?.seconds ?? 0
        let waiting = WaitingRead(read, version.feed, request)
        return .wait(
            LongPoll(
                for: [service.topics.topic(of: version.feed)],
                time: time(ofWait: seconds, request.caller)
            ) {
                [newest = service.newest] isLast in
                (newest.api ?? self).attempt(waiting, isLast: isLast)
            }
        )
    }

    /// The time for which an answer is held: no longer than the caller's key or token counts.
    func time(ofWait seconds: Int, _ caller: Access.Caller) -> Duration {
        let time = min(.seconds(seconds), configuration.longestWait)
        return min(time, access.timeLeft(of: caller) ?? time)
    }

    /// Answers a read that waits; what its key may do has perhaps changed meanwhile.
    ///
    /// - Returns: `nil` while there is nothing new, unless `isLast`.
    private func attempt(_ waiting: WaitingRead, isLast: Bool) -> Reply? {
        let requester = waiting.read.requester.renewed(waiting.origin, by: builder.cors)
        do throws(Problem) {
            try access.checkRead(waiting.feed, access.renewed(waiting.caller, isLast: isLast))
            guard let version = store.current(waiting.feed) else { throw .noFeed }
            let context = VersionRead(version, waiting, requester, self)
            if !isLast, context.isStill(since: waiting.read.query.since) { return nil }
            return respond(waiting.read, context)
        } catch {
            return .response(builder.response(error, for: requester))
        }
    }

    /// `GET /feeds/{feed}/outline`.
    func readOutline(_ request: borrowing RoutedRequest) throws(Problem) -> Reply {
        guard let version = try lookUp(request).version else {
            return notFound(request.requester)
        }
        return respond(.outline, version, request)
    }
}

/// The result of looking up a feed for a caller.
///
/// All results but ``found(_:)`` are answered alike. But a caller that may know whether there is
/// such a feed is told what is wrong with the query, whether there is one or not.
enum FeedLookup {
    /// The caller may not know whether there is such a feed, or no feed can have that name.
    case hidden
    /// There is none.
    case absent
    /// Its current version.
    case found(Version)

    var isHidden: Bool {
        if case .hidden = self { true } else { false }
    }

    var version: Version? {
        if case .found(let version) = self { version } else { nil }
    }
}

/// Which feed and which version.
extension FeedAPI {
    /// Looks up the feed of a path.
    ///
    /// - Throws: `401` where a key is needed and none was sent.
    func lookUp(_ request: borrowing RoutedRequest) throws(Problem) -> FeedLookup {
        let name = request.route.feed
        guard name.isEncoded else {
            return try lookUp(request.head.bytes.span.extracting(name.range), request.caller)
        }
        let decoded = Array(request.head.text(name).utf8)
        return try lookUp(decoded.span, request.caller)
    }

    /// Looks up a feed by its name's bytes.
    func lookUp(_ name: Span<UInt8>, _ caller: Access.Caller) throws(Problem) -> FeedLookup {
        let version = store.current(named: name)
        guard version != nil || FeedName.isValid(name), try access.mayKnow(name, caller) else {
            return .hidden
        }
        return version.map { .found($0) } ?? .absent
    }

    /// `404` for a feed that is not there.
    func notFound(_ requester: Requester) -> Reply {
        .cached(noFeed, Response.OwnFields(lines: requester.originLines))
    }

    /// The version that a query asks for, or the current one.
    ///
    /// - Parameter kept: The version, where it is not remembered but kept.
    /// - Throws: `410` when the version is forgotten.
    func version(
        _ token: Token?,
        after current: Version,
        _ kept: Version? = nil
    ) throws(Problem) -> Version {
        guard let token, token != current.token else { return current }
        if let version = store.version(token, of: current.feed) { return version }
        if let kept, kept.token == token { return kept }
        throw Problem(
            .versionForgotten,
            .gone,
            "the version \(token) of this feed is not remembered"
        )
    }
}
