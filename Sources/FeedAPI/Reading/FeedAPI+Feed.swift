import Dispatch
import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// `GET /feeds/{feed}`: the snapshot, the changes, the views of them.
extension FeedAPI {
    func readFeed(_ name: TargetPart, _ request: borrowing RoutedRequest) throws(Problem)
        -> Disposition
    {
        guard let found = try visible(name, request) else { return notFound(request.requester) }
        let read = try FeedRead(request)
        guard let current = found else { return notFound(request.requester) }
        let version = try self.version(read.query.version, after: current)
        let reached = VersionRead(version, request, self)
        if read.poll != nil, read.query.version == nil, reached.isStill(since: read.query.since) {
            return wait(read, version, request)
        }
        return respond(read, reached)
    }

    /// Holds the answer until there is something new.
    private func wait(
        _ read: consuming FeedRead,
        _ version: Version,
        _ request: borrowing RoutedRequest
    ) -> Disposition {
        let seconds = read.poll?.seconds ?? 0
        let waiting = WaitingRead(read, version.feed, request)
        return .longPoll(
            LongPoll(
                for: [topics.topic(of: version.feed)],
                time: time(ofPoll: seconds, request.caller)
            ) {
                [current = currentConfiguration] isLast in
                (current.api ?? self).attempt(waiting, isLast: isLast)
            }
        )
    }

    /// For how long an answer is held: no longer than who asks is known.
    func time(ofPoll seconds: Int, _ caller: Access.Caller) -> Duration {
        let time = min(.seconds(seconds), configuration.longestWait)
        return min(time, access.timeLeft(of: caller) ?? time)
    }

    /// Answers a read that waits; what its key may do has perhaps changed meanwhile.
    ///
    /// - Returns: `nil` while there is nothing new, unless `isLast`.
    private func attempt(_ waiting: WaitingRead, isLast: Bool) -> Disposition? {
        do throws(Problem) {
            try access.checkRead(waiting.feed, access.renewed(waiting.caller, isLast: isLast))
            guard let version = store.current(waiting.feed) else { throw .noFeed }
            let reached = VersionRead(version, waiting, self)
            if !isLast, reached.isStill(since: waiting.read.query.since) { return nil }
            return respond(waiting.read, reached)
        } catch {
            return .response(builder.response(error, for: waiting.read.requester))
        }
    }

    /// `GET /feeds/{feed}/outline`.
    func readOutline(_ name: TargetPart, _ request: borrowing RoutedRequest) throws(Problem)
        -> Disposition
    {
        guard let version = try visible(name, request) ?? nil else {
            return notFound(request.requester)
        }
        let read = VersionRead(version, request, self)
        let coding = request.head.codingChoice
        if let settled = settled(read, .withoutWait, coding, nil) { return settled }
        let key = ResponseKey(kind: .outline, coding: coding)
        if let found = read.responses[key] { return finished(found, key, read).disposition }
        return made(DocumentChoice(outlineOf: version), key, read)
    }
}

/// Which feed and which version.
extension FeedAPI {
    /// The feed of a path, when the caller may know of it.
    ///
    /// - Returns: Its current version, `nil` within when there is none; `nil` for a feed that the
    ///   caller may not read, and for a name that no feed can have.
    /// - Throws: `401` where a key is needed and none was sent.
    func visible(
        _ name: TargetPart,
        _ request: borrowing RoutedRequest
    ) throws(Problem) -> Version?? {
        guard name.isEncoded else {
            return try visible(request.head.bytes.span.extracting(name.range), request.caller)
        }
        let decoded = Array(request.head.text(name).utf8)
        return try visible(decoded.span, request.caller)
    }

    /// The same by the bytes of a name.
    func visible(
        _ name: Span<UInt8>,
        _ caller: Access.Caller
    ) throws(Problem) -> Version?? {
        let version = store.current(named: name)
        guard version != nil || FeedName.isValid(name) else { return nil }
        guard try access.mayKnow(name, caller) else { return nil }
        return .some(version)
    }

    /// `404` for a feed that is not there.
    func notFound(_ requester: Requester) -> Disposition {
        .cached(noFeed, CachedResponse.Completion(lines: builder.cors.lines(for: requester)))
    }

    /// The version that a query asks for, or the current one.
    ///
    /// - Throws: `410` when the version is forgotten.
    func version(_ token: Token?, after current: Version) throws(Problem) -> Version {
        guard let token, token != current.token else { return current }
        if let version = store.version(token, of: current.feed) { return version }
        throw Problem(
            .versionForgotten,
            .gone,
            "the version \(token) of this feed is not remembered"
        )
    }
}
