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
        let kind = DocumentChoice.kind(read.query, now: version.token)
        let mark = read.query.version == nil ? read.poll?.mark : nil
        if let settled = settled(
            outcome,
            ResponseKey.Substitute(kind, of: version.token),
            read.coding,
            mark,
            version,
            responses,
            read.origin
        ) {
            return settled
        }
        let key = ResponseKey(
            kind: kind,
            view: read.query.presentation.view,
            coding: read.coding,
            poll: mark
        )
        if let found = responses[key] {
            return finished(found, key, version, responses, outcome, read.origin).disposition
        }
        let old = read.query.since.flatMap { store.version($0, of: version.feed) }
        let choice = DocumentChoice(read.query, old: old, version: version)
        return made(choice, key, version, responses, outcome, read.origin)
    }

    /// The answer that needs no document: what failed, and a `304` whose tag can be told.
    ///
    /// - Parameters:
    ///   - outcome: What comes of the request's conditions.
    ///   - substitute: What a `304` has of the response that it stands for.
    ///   - choice: How an answer should be coded.
    ///   - mark: What it says to those who were ready to wait.
    ///   - version: What it is about.
    ///   - responses: Those about it, if it is the current version.
    ///   - origin: Where it was sent from.
    func settled(
        _ outcome: ReadCondition.Outcome,
        _ substitute: ResponseKey.Substitute,
        _ choice: CodingChoice,
        _ mark: WaitPreference.Mark?,
        _ version: Version,
        _ responses: VersionResponses,
        _ origin: RequestOrigin
    ) -> Disposition? {
        switch outcome {
        case .send: return nil
        case .failed(let condition):
            let problem = Problem.failed(condition, Tag(version.token))
            return .answer(builder.response(problem, origin: origin))
        case .notModified(let match):
            guard let coding = match.coding(for: choice) else { return nil }
            let response = notModified(substitute, mark, version, coding, responses)
            return .cached(response, completion(version, responses, origin))
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
        let substitute = ResponseKey.Substitute(key.kind, of: version.token)
        return .cached(notModified(substitute, key.poll, version, coding, responses), completion)
    }

    /// `304` in the place of a document.
    func notModified(
        _ substitute: ResponseKey.Substitute,
        _ mark: WaitPreference.Mark?,
        _ version: Version,
        _ coding: ContentCoding,
        _ responses: VersionResponses
    ) -> CachedResponse {
        if mark == nil, let found = responses[code: substitute.code(coding)] { return found }
        let key = ResponseKey(
            kind: .notModified(substitute),
            coding: CodingChoice(coding),
            poll: mark
        )
        if mark != nil, let found = responses[key] { return found }
        let made = builder.notModified(version, coding, substitute, mark)
        responses.keep(made, key)
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
    init(_ kind: ResponseKey.Kind, of token: Token) {
        switch kind {
        case .unchanged: self.init(isUnchanged: true, canWait: true)
        case .patch(let since, _): self.init(isUnchanged: since == token.version, canWait: true)
        case .outline, .rows, .item, .items: self.init(isUnchanged: false, canWait: false)
        default: self.init(isUnchanged: false, canWait: true)
        }
    }
}
