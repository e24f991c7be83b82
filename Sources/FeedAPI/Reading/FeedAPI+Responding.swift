import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// From what is asked to an answer: the one way for everything about a version of one feed.
extension FeedAPI {
    /// Answers a read of one feed.
    func respond(
        _ read: borrowing FeedRead,
        _ version: Version,
        _ responses: VersionResponses,
        _ outcome: ReadCondition.Outcome
    ) -> Disposition {
        // Without a look for the old version: what is kept already is right without it.
        var key = ResponseKey(
            kind: DocumentChoice.kind(read.query, now: version.token),
            view: read.query.presentation.view,
            coding: read.coding
        )
        if read.query.version == nil { key.poll = read.poll?.mark }
        if let known = known(key, version, responses, outcome, read.origin) { return known }
        let old = read.query.since.flatMap { store.version($0, of: version.feed) }
        let choice = DocumentChoice(read.query, old: old, version: version)
        return made(choice, key, version, responses, outcome, read.origin)
    }

    /// The answer where no document has to be made for it: what failed, a `304`, and a document
    /// that is there.
    ///
    /// - Parameters:
    ///   - key: What is asked for, taking the version in `since` for one that is remembered.
    ///   - version: What it is about.
    ///   - responses: Those about it, if it is the current version.
    ///   - outcome: What comes of the request's conditions.
    ///   - origin: Where it was sent from.
    func known(
        _ key: ResponseKey,
        _ version: Version,
        _ responses: VersionResponses,
        _ outcome: ReadCondition.Outcome,
        _ origin: RequestOrigin
    ) -> Disposition? {
        switch outcome {
        case .failed(let condition):
            let problem = Problem.failed(condition, Tag(version.token))
            return .answer(builder.response(problem, origin: origin))
        case .notModified(let match):
            if let coding = match.coding(for: key.coding) {
                let response = notModified(key, version, coding, responses)
                return .cached(response, completion(version, responses, origin))
            }
            guard let found = responses[key] else { return nil }
            return finished(found, key, version, responses, outcome, origin).disposition
        case .send:
            guard let found = responses[key] else { return nil }
            return .cached(found, completion(version, responses, origin))
        }
    }

    /// Makes a document and answers with it.
    func made(
        _ choice: DocumentChoice,
        _ asked: ResponseKey,
        _ version: Version,
        _ responses: VersionResponses,
        _ outcome: ReadCondition.Outcome,
        _ origin: RequestOrigin
    ) -> Disposition {
        var key = asked
        key.kind = choice.kind
        let known = key
        if key != asked, let found = responses[key] {
            return finished(found, key, version, responses, outcome, origin).disposition
        }
        let isCoded = key.coding.coding != .identity
        if responses.isSmall(isCoded: isCoded), choice.isSmall(isCoded: isCoded) {
            let document = builder.makeAtOnce(choice, key, with: responses)
            responses.keep(document, key)
            return finished(document, key, version, responses, outcome, origin).disposition
        }
        if let head = withoutDocument(choice, key, version, responses, outcome, origin) {
            return head.disposition
        }
        let pool = work.reads(WorkSize(byteCount: choice.cost(isCoded: isCoded)))
        return .later { [self] responder in
            let waiter = VersionResponses.Waiter(isWanted: responder.isWanted) { document in
                guard let document else {
                    responder(self.overloadedByReads(origin))
                    return
                }
                responder(self.finished(document, known, version, responses, outcome, origin))
            }
            let turn = responses.turn(known, for: origin, waiter) { [builder] isWanted in
                builder.make(choice, known, with: responses, while: isWanted)
            }
            turn?.submit(to: pool)
        }
    }

    /// The answer with a document, or the `304` that depends on how it is coded.
    func finished(
        _ document: CachedResponse,
        _ key: ResponseKey,
        _ version: Version,
        _ responses: VersionResponses,
        _ outcome: ReadCondition.Outcome,
        _ origin: RequestOrigin
    ) -> FinalResponse {
        let completion = completion(version, responses, origin)
        guard case .notModified(let match) = outcome else {
            return .cached(document, completion)
        }
        let coding = match.coding(asSent: document.coding)
        return .cached(notModified(key, version, coding, responses), completion)
    }

    /// `304` in the place of the document that `key` names.
    func notModified(
        _ key: ResponseKey,
        _ version: Version,
        _ coding: ContentCoding,
        _ responses: VersionResponses
    ) -> CachedResponse {
        let substitute = ResponseKey.Substitute(key.kind, of: version.token)
        let own = ResponseKey(
            kind: .notModified(substitute),
            coding: CodingChoice(coding),
            poll: key.poll
        )
        if let found = responses[own] { return found }
        let made = builder.notModified(version, coding, substitute, key.poll)
        responses.keep(made, own)
        return made
    }

    /// What is said to one request alone.
    func completion(
        _ version: Version,
        _ responses: VersionResponses,
        _ origin: RequestOrigin
    ) -> CachedResponse.Completion {
        let hint = responses.hint(at: store.seconds) { builder.polling.hint(version) }
        return CachedResponse.Completion(lines: builder.cors.lines(for: origin), number: hint)
    }

    /// Answers at once with what is made in microseconds, and later with the rest, unless there
    /// is too much to do.
    ///
    /// - Parameters:
    ///   - size: How much work it is; `nil`: microseconds.
    ///   - feed: What it is about; `nil`: several.
    ///   - origin: Who asks.
    ///   - make: Makes the answer, on any thread.
    func disposition(
        _ size: WorkSize?,
        _ feed: FeedName?,
        _ origin: RequestOrigin,
        _ make: @escaping @Sendable () -> FinalResponse
    ) -> Disposition {
        guard let size else { return make().disposition }
        let pool = work.reads(size)
        return .later { responder in
            let work = QueuedWork(
                flow: WorkFlow(client: origin.client, feed: feed),
                time: pool.now,
                isWanted: responder.isWanted,
                run: { responder(make()) },
                refuse: { responder(self.overloadedByReads(origin)) }
            )
            pool.submit(work)
        }
    }

    /// The answer to a read that is not answered from memory when too many of them wait.
    func overloadedByReads(_ origin: RequestOrigin) -> Response {
        builder.response(.overloaded("too many answers are being made"), origin: origin)
    }
}

extension ResponseKey.Substitute {
    fileprivate init(_ kind: ResponseKey.Kind, of token: Token) {
        switch kind {
        case .unchanged: self.init(isUnchanged: true, canWait: true)
        case .patch(let since, _): self.init(isUnchanged: since == token.version, canWait: true)
        case .outline, .rows, .item, .items: self.init(isUnchanged: false, canWait: false)
        default: self.init(isUnchanged: false, canWait: true)
        }
    }
}
