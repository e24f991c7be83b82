import Dispatch
import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// `GET /feeds/{feed}`: the snapshot, or the changes since a version, in a view.
extension FeedAPI {
    func readFeed(_ request: borrowing RoutedRequest) throws(Problem) -> Reply {
        let lookup = try lookUp(request)
        if lookup.isHidden { return notFound(request.requester) }
        let read = try FeedRead(request)
        guard let current = lookup.version else { return notFound(request.requester) }
        let version = try self.version(read.query.version, after: current, request.look.keptVersion)
        let context = VersionRead(version, request, self)
        if read.wait != nil, read.query.version == nil, context.isStill(since: read.query.since) {
            return wait(read, version, request)
        }
        return respond(read, context)
    }

    /// Holds the answer until something is new.
    private func wait(
        _ read: consuming FeedRead,
        _ version: Version,
        _ request: borrowing RoutedRequest
    ) -> Reply {
        let seconds = read.wait?.seconds ?? 0
        let (feed, parts) = (version.feed, ReadParts(request, waits: true))
        let read = read
        return .wait(
            LongPoll(
                for: [service.topics.topic(of: version.feed)],
                time: time(ofWait: seconds, request.caller)
            ) {
                [newest = service.newest] isLast in
                (newest.api ?? self).attempt(read, of: feed, parts, isLast: isLast)
            }
        )
    }

    /// Returns the time for which an answer is held: it ends with the caller's key or token.
    func time(ofWait seconds: Int, _ caller: AccessKey?) -> Duration {
        let time = min(.seconds(seconds), configuration.longestWait)
        return min(time, access.timeLeft(of: caller) ?? time)
    }

    /// Answers a read that waits, by the caller's current rights.
    ///
    /// - Returns: `nil` while nothing is new, unless `isLast`.
    private func attempt(
        _ read: borrowing FeedRead,
        of feed: FeedName,
        _ parts: ReadParts,
        isLast: Bool
    ) -> Reply? {
        var parts = parts
        do throws(Problem) {
            try parts.renew(by: self, isLast: isLast)
            try access.checkRead(feed, parts.caller)
            guard let version = store.current(feed) else { throw .noFeed }
            let context = VersionRead(version, parts, self)
            if !isLast, context.isStill(since: read.query.since) { return nil }
            return respond(read, context)
        } catch {
            return .response(builder.response(error, for: parts.requester))
        }
    }

    /// `GET /feeds/{feed}/outline`: the sections without their items.
    func readOutline(_ request: borrowing RoutedRequest) throws(Problem) -> Reply {
        guard let version = try lookUp(request).version else {
            return notFound(request.requester)
        }
        return respond(.outline, version, request)
    }
}

/// Look-up of feeds and versions.
extension FeedAPI {
    /// Looks up the feed in the path.
    ///
    /// - Returns: The current version; `nil` if the feed does not exist, or is hidden: the caller
    ///   may not know whether there is such a feed, or no feed can have that name. Both get `404`,
    ///   but a caller that may know gets the errors of its query first.
    /// - Throws: `401` if a key is needed and none was sent.
    func lookUp(
        _ request: borrowing RoutedRequest
    ) throws(Problem) -> (version: Version?, isHidden: Bool) {
        let name = request.route.feed
        guard name.isEncoded else {
            return try lookUp(request.head.bytes.span.extracting(name.range), request.caller)
        }
        let decoded = Array(request.head.text(name).utf8)
        return try lookUp(decoded.span, request.caller)
    }

    /// Looks up a feed by the bytes of its name.
    func lookUp(
        _ name: Span<UInt8>,
        _ caller: AccessKey?
    ) throws(Problem) -> (version: Version?, isHidden: Bool) {
        let version = store.current(named: name)
        guard version != nil || FeedName.isValid(name), try access.mayKnow(name, caller) else {
            return (nil, isHidden: true)
        }
        return (version, isHidden: false)
    }

    /// Returns the `404` for a missing feed.
    func notFound(_ requester: Requester) -> Reply {
        .cached(noFeed, Response.OwnFields(lines: requester.originLines))
    }

    /// Returns the version that a query asks for, or the current one.
    ///
    /// - Parameter kept: The version, if it is not remembered and the journal had it.
    /// - Throws: `410` if the version is forgotten.
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
