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
        guard let found = try visible(name, request) else { return notFound(request.origin) }
        let read = try FeedRead(request)
        guard let current = found else { return notFound(request.origin) }
        let version = try self.version(read.query.version, after: current)
        let responses = cache.responses(for: version)
        let outcome = request.head.readOutcome(responses.tag, version, by: store)
        if read.poll != nil, read.query.version == nil, isStill(version, read, outcome) {
            return wait(read, version, request)
        }
        return respond(read, version, responses, outcome)
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
            let responses = cache.responses(for: version)
            let outcome = waiting.condition.outcome(
                responses.tag,
                version,
                at: store.wallSeconds
            )
            if !isLast, isStill(version, waiting.read, outcome) { return nil }
            return respond(waiting.read, version, responses, outcome)
        } catch {
            return .answer(builder.response(error, origin: waiting.read.origin))
        }
    }

    /// Whether there is nothing new for the one who asks: `304`, or a document that says so; a date
    /// alone does not wait.
    private func isStill(
        _ version: Version,
        _ read: borrowing FeedRead,
        _ outcome: ReadCondition.Outcome
    ) -> Bool {
        switch outcome {
        case .notModified(let match) where !match.isByDate: true
        case .send, .notModified: read.query.since == version.token
        case .failed: false
        }
    }

    /// `GET /feeds/{feed}/outline`.
    func readOutline(_ name: TargetPart, _ request: borrowing RoutedRequest) throws(Problem)
        -> Disposition
    {
        guard let version = try visible(name, request) ?? nil else {
            return notFound(request.origin)
        }
        let responses = cache.responses(for: version)
        let outcome = request.head.readOutcome(responses.tag, version, by: store)
        let coding = request.head.codingChoice
        if let settled = settled(
            outcome,
            .withoutWait,
            coding,
            nil,
            version,
            responses,
            request.origin
        ) {
            return settled
        }
        let key = ResponseKey(kind: .outline, coding: coding)
        if let found = responses[key] {
            return finished(found, key, version, responses, outcome, request.origin).disposition
        }
        let choice = DocumentChoice(outlineOf: version)
        return made(choice, key, version, responses, outcome, request.origin)
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
    func notFound(_ origin: RequestOrigin) -> Disposition {
        .cached(noFeed, CachedResponse.Completion(lines: builder.cors.lines(for: origin)))
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

extension DocumentChoice {
    init(outlineOf version: Version) {
        self.version = version
        old = nil
        kind = .outline
        view = FeedView()
    }

    /// Whether it is made in microseconds.
    func isSmall(isCoded: Bool) -> Bool {
        guard version.snapshot.isSmall(isCoded: isCoded) else { return false }
        guard let old, old !== version else { return true }
        return old.snapshot.isSmall(isCoded: isCoded)
    }

    /// How much work it is when it is not made in microseconds, as ``WorkSize`` counts.
    func cost(isCoded: Bool) -> Int {
        let snapshot = version.snapshot
        let whole = max(snapshot.itemByteCount, old?.snapshot.itemByteCount ?? 0)
        let count = max(1, snapshot.count, old?.snapshot.count ?? 0)
        // Of what a view hides nothing is looked at.
        let shown = min(count, max(0, view.limit ?? .max))
        let shownByteCount = Int(Double(whole) / Double(count) * Double(shown))
        // Differences cost by the item, and patches more: the places of all that moves are found.
        let items = old == nil ? 0 : shown
        let isPatch = if case .patch = kind { true } else { false }
        // All sections are listed, whatever is in the view.
        let sections = snapshot.sections.count * 100
        return (shownByteCount + sections) * (isCoded ? 20 : 1) + items * (isPatch ? 1000 : 200)
    }
}
