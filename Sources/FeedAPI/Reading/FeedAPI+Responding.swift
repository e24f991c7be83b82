import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// From what is asked to an answer: the one way for everything about a version of one feed.
extension FeedAPI {
    /// Answers a read of one feed.
    func respond(_ read: borrowing FeedRead, _ reached: borrowing VersionRead) -> Disposition {
        let version = reached.version
        // Without a look for the old version: what is kept already is right without it.
        let kind = DocumentChoice.kind(read.query, now: version.token)
        let mark = read.query.version == nil ? read.poll?.mark : nil
        let substitute = ResponseKey.Substitute(kind, of: version.token)
        if let settled = settled(reached, substitute, read.coding, mark) { return settled }
        let key = ResponseKey(
            kind: kind,
            view: read.query.presentation.view,
            coding: read.coding,
            poll: mark
        )
        if let found = reached.responses[key] {
            return finished(found, key, reached).disposition
        }
        let old = read.query.since.flatMap { store.version($0, of: version.feed) }
        return made(DocumentChoice(read.query, old: old, version: version), key, reached)
    }

    /// The answer that needs no document: what failed, and a `304` whose tag can be told.
    ///
    /// - Parameters:
    ///   - read: What it answers.
    ///   - substitute: What a `304` has of the response that it stands for.
    ///   - choice: How an answer should be coded.
    ///   - mark: What it says to those who were ready to wait.
    func settled(
        _ read: borrowing VersionRead,
        _ substitute: ResponseKey.Substitute,
        _ choice: CodingChoice,
        _ mark: WaitPreference.Mark?
    ) -> Disposition? {
        switch read.outcome {
        case .send: return nil
        case .failed(let condition):
            let problem = Problem.failed(condition, Tag(read.version.token))
            return .response(builder.response(problem, for: read.requester))
        case .notModified(let match):
            guard let coding = match.coding(for: choice) else { return nil }
            let response = notModified(read, substitute, coding, mark)
            return .cached(response, completion(read))
        }
    }

    /// Makes a document and answers with it.
    func made(
        _ choice: DocumentChoice,
        _ asked: ResponseKey,
        _ read: borrowing VersionRead
    ) -> Disposition {
        let responses = read.responses
        let key = ResponseKey(
            kind: choice.kind,
            view: asked.view,
            coding: asked.coding,
            poll: asked.poll
        )
        if key != asked, let document = responses[key] {
            return finished(document, key, read).disposition
        }
        let isCoded = key.coding.coding != .identity
        if responses.isSmall(isCoded: isCoded), choice.isSmall(isCoded: isCoded) {
            let document = alwaysWanted {
                builder.make(choice, key, with: responses, while: $0)
            }
            responses.keep(document, key)
            return finished(document, key, read).disposition
        }
        if let head = withoutDocument(choice, key, read) { return head.disposition }
        return later(choice, key, copy read, WorkSize(byteCount: choice.cost(isCoded: isCoded)))
    }

    /// The same when its turn has come.
    private func later(
        _ choice: DocumentChoice,
        _ key: ResponseKey,
        _ read: VersionRead,
        _ size: WorkSize
    ) -> Disposition {
        let pool = work.reads(size)
        return .later { [self, responses = read.responses] responder in
            let waiter = VersionResponses.Waiter(isWanted: responder.isWanted) { document in
                guard let document else {
                    responder(self.overloadedByReads(read.requester))
                    return
                }
                responder(self.finished(document, key, read))
            }
            let turn = responses.turn(key, for: read.requester, waiter) { [builder] isWanted in
                builder.make(choice, key, with: responses, while: isWanted)
            }
            turn?.submit(to: pool)
        }
    }

    /// The answer with a document, or the `304` that depends on how it is coded.
    func finished(
        _ document: CachedResponse,
        _ key: ResponseKey,
        _ read: borrowing VersionRead
    ) -> FinalResponse {
        guard case .notModified(let match) = read.outcome else {
            return .cached(document, completion(read))
        }
        let substitute = ResponseKey.Substitute(key.kind, of: read.version.token)
        let coding = match.coding(asSent: document.coding)
        return .cached(notModified(read, substitute, coding, key.poll), completion(read))
    }

    /// `304` in the place of a document in a coding.
    func notModified(
        _ read: borrowing VersionRead,
        _ substitute: ResponseKey.Substitute,
        _ coding: ContentCoding,
        _ mark: WaitPreference.Mark?
    ) -> CachedResponse {
        // Nearly all do not wait.
        if mark == nil, let found = read.responses[code: substitute.code(coding)] { return found }
        let key = ResponseKey(
            kind: .notModified(substitute),
            coding: CodingChoice(coding),
            poll: mark
        )
        if mark != nil, let found = read.responses[key] { return found }
        let made = builder.notModified(read.version, coding, substitute, mark)
        read.responses.keep(made, key)
        return made
    }

    /// What is said to one request alone.
    func completion(_ read: borrowing VersionRead) -> CachedResponse.Completion {
        completion(read.version, read.responses, read.requester)
    }

    /// The same.
    func completion(
        _ version: Version,
        _ responses: VersionResponses,
        _ requester: Requester
    ) -> CachedResponse.Completion {
        let hint = responses.hint(at: store.seconds) { builder.polling.hint(version) }
        return CachedResponse.Completion(lines: builder.cors.lines(for: requester), number: hint)
    }

    /// Answers at once with what is made in microseconds, and later with the rest, unless there
    /// is too much to do.
    ///
    /// - Parameters:
    ///   - size: How much work it is; `nil`: microseconds.
    ///   - feed: What it is about; `nil`: several.
    ///   - requester: Who asks.
    ///   - make: Makes the answer, on any thread.
    func disposition(
        _ size: WorkSize?,
        _ feed: FeedName?,
        _ requester: Requester,
        _ make: @escaping @Sendable () -> FinalResponse
    ) -> Disposition {
        guard let size else { return make().disposition }
        let pool = work.reads(size)
        return .later { responder in
            let work = QueuedWork(
                flow: WorkFlow(client: requester.client, feed: feed),
                time: pool.now,
                isWanted: responder.isWanted,
                run: { responder(make()) },
                refuse: { responder(self.overloadedByReads(requester)) }
            )
            pool.submit(work)
        }
    }

    /// The answer to a read that is not answered from memory when too many of them wait.
    func overloadedByReads(_ requester: Requester) -> Response {
        builder.response(.overloaded("too many answers are being made"), for: requester)
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
