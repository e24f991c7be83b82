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
        let mark = read.query.version == nil ? read.wait?.mark : nil
        let traits = HeadTraits(kind, to: version.token)
        if let settled = settled(reached, traits, read.coding, mark) { return settled }
        let key = ResponseKey(
            kind: kind,
            view: read.query.presentation.view,
            coding: read.coding,
            waitMark: mark
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
    ///   - reached: What it answers.
    ///   - traits: What the head says of the document.
    ///   - codingChoice: How an answer should be coded.
    ///   - mark: What it says to those who were ready to wait.
    func settled(
        _ reached: borrowing VersionRead,
        _ traits: HeadTraits,
        _ codingChoice: CodingChoice,
        _ mark: WaitPreference.Mark?
    ) -> Disposition? {
        switch reached.outcome {
        case .send: return nil
        case .failed(let condition):
            let problem = Problem.failed(condition, Tag(reached.version.token))
            return .response(builder.response(problem, for: reached.requester))
        case .notModified(let match):
            guard let coding = match.coding(for: codingChoice) else { return nil }
            let response = notModified(reached, traits, coding, mark)
            return .cached(response, completion(reached))
        }
    }

    /// Makes a document and answers with it.
    func made(
        _ choice: DocumentChoice,
        _ asked: ResponseKey,
        _ reached: borrowing VersionRead
    ) -> Disposition {
        let responses = reached.responses
        let key = ResponseKey(
            kind: choice.kind,
            view: asked.view,
            coding: asked.coding,
            waitMark: asked.waitMark
        )
        if key != asked, let response = responses[key] {
            return finished(response, key, reached).disposition
        }
        let isCoded = key.coding.coding != .identity
        if responses.isInstant(isCoded: isCoded), choice.isInstant(isCoded: isCoded) {
            let response = alwaysWanted {
                builder.make(choice, key, with: responses, while: $0)
            }
            responses.keep(response, key)
            return finished(response, key, reached).disposition
        }
        if let head = withoutDocument(choice, key, reached) { return head.disposition }
        return later(choice, key, copy reached, WorkSize(byteCount: choice.cost(isCoded: isCoded)))
    }

    /// The same when its turn has come.
    private func later(
        _ choice: DocumentChoice,
        _ key: ResponseKey,
        _ reached: VersionRead,
        _ size: WorkSize
    ) -> Disposition {
        let pool = work.reads(size)
        return .later { [self, responses = reached.responses] responder in
            let waiter = VersionResponses.Waiter(isWanted: responder.isWanted) { response in
                guard let response else {
                    responder(self.overloadedByReads(reached.requester))
                    return
                }
                responder(self.finished(response, key, reached))
            }
            let job = responses.join(key, for: reached.requester, waiter) { [builder] isWanted in
                builder.make(choice, key, with: responses, while: isWanted)
            }
            job?.submit(to: pool)
        }
    }

    /// The answer with a document, or the `304` that depends on how it is coded.
    func finished(
        _ response: CachedResponse,
        _ key: ResponseKey,
        _ reached: borrowing VersionRead
    ) -> FinalResponse {
        guard case .notModified(let match) = reached.outcome else {
            return .cached(response, completion(reached))
        }
        let traits = HeadTraits(key.kind, to: reached.version.token)
        let coding = match.coding(asSent: response.coding)
        return .cached(notModified(reached, traits, coding, key.waitMark), completion(reached))
    }

    /// `304` in the place of a document in a coding.
    func notModified(
        _ reached: borrowing VersionRead,
        _ traits: HeadTraits,
        _ coding: ContentCoding,
        _ mark: WaitPreference.Mark?
    ) -> CachedResponse {
        // Nearly all do not wait.
        if mark == nil,
            let found = reached.responses[code: ResponseKey.codeOfNotModified(traits, coding)]
        {
            return found
        }
        let key = ResponseKey(
            kind: .notModified(traits),
            coding: CodingChoice(coding),
            waitMark: mark
        )
        if mark != nil, let found = reached.responses[key] { return found }
        let made = builder.notModified(reached.version, coding, traits, mark)
        reached.responses.keep(made, key)
        return made
    }

    /// What is said to one request alone.
    func completion(_ reached: borrowing VersionRead) -> CachedResponse.Completion {
        completion(reached.version, reached.responses, reached.requester)
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
