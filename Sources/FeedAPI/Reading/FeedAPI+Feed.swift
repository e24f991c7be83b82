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
        let responses = version === current ? cache.responses(for: version) : nil
        let outcome = request.head.readOutcome(responses?.tag ?? Tag(version.token))
        if read.poll != nil, read.query.version == nil, isStill(version, read, outcome) {
            return wait(read, version, request)
        }
        return respond(read, version, responses, outcome)
    }

    /// Holds the answer until there is something new.
    private func wait(
        _ read: FeedRead,
        _ version: Version,
        _ request: borrowing RoutedRequest
    ) -> Disposition {
        let seconds = read.poll?.seconds ?? 0
        let waiting = WaitingRead(
            read: read,
            feed: version.feed,
            caller: request.caller,
            condition: ReadCondition(request.head)
        )
        return .longPoll(
            LongPoll(for: [topics.topic(of: version.feed)], time: time(ofPoll: seconds)) {
                [current = currentConfiguration] isLast in
                (current.api ?? self).attempt(waiting, isLast: isLast)
            }
        )
    }

    /// For how long an answer is held.
    func time(ofPoll seconds: Int) -> Duration {
        min(.seconds(seconds), configuration.longestWait)
    }

    /// Answers a read that waits; what its key may do has perhaps changed meanwhile.
    ///
    /// - Returns: `nil` while there is nothing new, unless `isLast`.
    private func attempt(_ waiting: WaitingRead, isLast: Bool) -> Disposition? {
        let read = waiting.read
        do throws(Problem) {
            try access.checkRead(waiting.feed, access.renewed(waiting.caller))
            guard let version = store.current(waiting.feed) else { throw .noFeed }
            let responses = cache.responses(for: version)
            let outcome = waiting.condition.outcome(responses.tag)
            if !isLast, isStill(version, read, outcome) { return nil }
            return respond(read, version, responses, outcome)
        } catch {
            return .answer(builder.response(error, origin: read.origin))
        }
    }

    /// Whether there is nothing new for the one who asks: `304`, or a document that says so.
    private func isStill(
        _ version: Version,
        _ read: FeedRead,
        _ outcome: ReadCondition.Outcome
    ) -> Bool {
        switch outcome {
        case .send: read.query.since == version.token
        case .notModified, .notModifiedAsSent: true
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
        let outcome = request.head.readOutcome(responses.tag)
        let coding = request.head.codingChoice
        let key = ResponseKey(kind: .outline, coding: coding)
        return respond(
            key,
            version,
            responses,
            outcome,
            request.origin,
            DocumentChoice(outlineOf: version)
        )
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
    func notFound(_ origin: CORS.Origin) -> Disposition {
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

/// From what is asked to an answer: the one way for everything about a version of one feed.
extension FeedAPI {
    private func respond(
        _ read: FeedRead,
        _ version: Version,
        _ responses: VersionResponses?,
        _ outcome: ReadCondition.Outcome
    ) -> Disposition {
        // Without a look for the old version: what is kept already is right without it.
        var key = ResponseKey(
            kind: DocumentChoice.kind(read.query, now: version.token),
            view: read.query.view,
            coding: read.coding
        )
        if read.query.version == nil { key.poll = read.poll?.mark }
        return respond(
            key,
            version,
            responses,
            outcome,
            read.origin,
            DocumentChoice(
                read.query,
                old: read.query.since.flatMap { self.store.version($0, of: version.feed) },
                version: version
            )
        )
    }

    /// Answers with the document that `key` names, or a `304` in its place.
    ///
    /// - Parameters:
    ///   - key: What is asked for, taking the version in `since` for one that is remembered.
    ///   - version: What it is about.
    ///   - responses: Those about it, if it is the current version.
    ///   - outcome: What comes of the request's conditions.
    ///   - origin: Where it was sent from.
    ///   - choice: How to make the document, when it is not there yet.
    func respond(
        _ key: ResponseKey,
        _ version: Version,
        _ responses: VersionResponses?,
        _ outcome: ReadCondition.Outcome,
        _ origin: CORS.Origin,
        _ choice: @autoclosure () -> DocumentChoice
    ) -> Disposition {
        switch outcome {
        case .failed:
            let problem = Problem.otherVersion(Tag(version.token))
            return .answer(builder.response(problem, origin: origin))
        case .notModified(let coding):
            return notModified(key, version, coding, responses, origin).disposition
        case .send, .notModifiedAsSent: break
        }
        if let responses, let found = responses[key] {
            return finished(found, key, version, responses, outcome, origin).disposition
        }
        return made(choice(), key, version, responses, outcome, origin)
    }

    /// Makes a document and answers with it.
    private func made(
        _ choice: DocumentChoice,
        _ asked: ResponseKey,
        _ version: Version,
        _ responses: VersionResponses?,
        _ outcome: ReadCondition.Outcome,
        _ origin: CORS.Origin
    ) -> Disposition {
        var key = asked
        key.kind = choice.kind
        let isCoded = key.coding.coding != .identity
        let (builder, known) = (builder, key)
        guard let responses else {
            return reception(isSmall: choice.isSmall(isCoded: isCoded), origin: origin) {
                let document = builder.make(choice, known, with: nil)
                return self.finished(document, known, version, nil, outcome, origin).own
            }
        }
        if key != asked, let found = responses[key] {
            return finished(found, key, version, responses, outcome, origin).disposition
        }
        let isSmall = responses.isSmall(isCoded: isCoded) && choice.isSmall(isCoded: isCoded)
        if isSmall {
            let document = builder.make(choice, key, with: responses)
            responses.keep(document, key)
            return finished(document, key, version, responses, outcome, origin).disposition
        }
        // Whoever only joins those that wait for it costs nothing more.
        let isFree = responses.isBeingMade(key)
        let ticket = isFree ? nil : waitingReads.enter()
        guard isFree || ticket != nil else { return .answer(overloadedByReads(origin)) }
        return .later { [self] responder in
            responses.response(known, on: workQueue) {
                defer { withExtendedLifetime(ticket) {} }
                return builder.make(choice, known, with: responses)
            } finish: {
                responder(self.finished($0, known, version, responses, outcome, origin))
            }
        }
    }

    /// The answer with a document, or the `304` that depends on how it is coded.
    func finished(
        _ document: CachedDocument,
        _ key: ResponseKey,
        _ version: Version,
        _ responses: VersionResponses?,
        _ outcome: ReadCondition.Outcome,
        _ origin: CORS.Origin
    ) -> FinalResponse {
        guard case .notModifiedAsSent = outcome else {
            return .cached(document.response, completion(version, responses, origin))
        }
        return notModified(key, version, document.coding, responses, origin)
    }

    /// `304` in the place of the document that `key` names.
    func notModified(
        _ key: ResponseKey,
        _ version: Version,
        _ coding: ContentCoding,
        _ responses: VersionResponses?,
        _ origin: CORS.Origin
    ) -> FinalResponse {
        let substitute = ResponseKey.Substitute(key.kind, of: version.token)
        let own = ResponseKey(
            kind: .notModified(substitute),
            coding: CodingChoice(coding),
            poll: key.poll
        )
        let completion = completion(version, responses, origin)
        if let found = responses?[own] { return .cached(found.response, completion) }
        let made = CachedDocument(
            response: builder.notModified(version, coding, substitute, key.poll),
            coding: coding
        )
        responses?.keep(made, own)
        return .cached(made.response, completion)
    }

    /// What is said to one request alone.
    func completion(
        _ version: Version,
        _ responses: VersionResponses?,
        _ origin: CORS.Origin
    ) -> CachedResponse.Completion {
        let hint =
            responses?.hint(at: store.seconds) { builder.polling.hint(version) }
            ?? builder.polling.hint(version)
        return CachedResponse.Completion(lines: builder.cors.lines(for: origin), number: hint)
    }

    /// Answers at once with what is quickly made, and from a background queue with the rest,
    /// unless too much is waiting there.
    func reception(
        isSmall: Bool,
        origin: CORS.Origin,
        _ make: @escaping @Sendable () -> FinalResponse
    ) -> Disposition {
        guard !isSmall else { return make().disposition }
        guard let ticket = waitingReads.enter() else { return .answer(overloadedByReads(origin)) }
        let queue = workQueue
        return .later { responder in
            queue.async {
                let isStale = ticket.isStale
                responder(isStale ? .response(self.overloadedByReads(origin)) : make())
            }
        }
    }

    /// The answer to a read that is not answered from memory when too many of them wait.
    func overloadedByReads(_ origin: CORS.Origin) -> Response {
        builder.response(.overloaded("too many answers are being made"), origin: origin)
    }
}

extension ResponseKey.Substitute {
    fileprivate init(_ kind: ResponseKey.Kind, of token: Token) {
        switch kind {
        case .unchanged: self.init(isUnchanged: true, canWait: true)
        case .patch(let since): self.init(isUnchanged: since == token.version, canWait: true)
        case .outline, .rows, .item, .items: self.init(isUnchanged: false, canWait: false)
        default: self.init(isUnchanged: false, canWait: true)
        }
    }
}

extension DocumentChoice {
    init(outlineOf version: Version) {
        self.version = version
        old = nil
        kind = .outline
        view = FeedView()
    }

    /// Whether it is quickly made.
    func isSmall(isCoded: Bool) -> Bool {
        guard version.snapshot.isSmall(isCoded: isCoded) else { return false }
        guard let old, old !== version else { return true }
        return old.snapshot.isSmall(isCoded: isCoded)
    }
}

extension ResponseBuilder {
    /// Makes a response for many; `responses` may have the same document in another form, and the
    /// changes from the version before.
    func make(
        _ choice: DocumentChoice,
        _ key: ResponseKey,
        with responses: VersionResponses?
    ) -> CachedDocument {
        // Those who waited are told the same under another head.
        var unmarked = key
        unmarked.poll = nil
        if key.poll != nil, let made = responses?[unmarked] {
            let document = choice.described(made.response.body)
            return cached(
                document,
                coded: made.response.body,
                made.coding,
                choice.version,
                key.poll
            )
        }
        var plain = unmarked
        plain.coding = .identity
        var document: Document
        if let made = responses?[plain] {
            document = choice.described(made.response.body)
        } else {
            let delta = choice.old.flatMap { responses?.delta(since: $0.token.version) }
            document = choice.document(delta: delta)
            counters.addDocument()
        }
        return cached(document, choice.version, key.coding, key.poll)
    }
}
