import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// From what is asked to an answer: the one way for everything about a version of one feed.
extension FeedAPI {
    /// Answers a read of one feed.
    func respond(_ read: borrowing FeedRead, _ context: borrowing VersionRead) -> Disposition {
        let version = context.version
        // Without a look for the old version: what is kept already is right without it.
        let kind = DocumentChoice.kind(read.query, now: version.token)
        let mark = read.query.version == nil ? read.wait?.mark : nil
        let traits = CachingTraits(kind, to: version.token)
        if let response = conditionalResponse(context, traits, read.coding, mark) {
            return response
        }
        let key = ResponseKey(
            kind: kind,
            view: read.query.presentation.view,
            coding: read.coding,
            waitMark: mark
        )
        if let found = context.responses[key] {
            return .now(completed(found, key, context))
        }
        let old = read.query.since.flatMap { store.version($0, of: version.feed) }
        return makeResponse(DocumentChoice(read.query, old: old, version: version), key, context)
    }

    /// The answer that needs no document: what failed, and a `304` whose tag can be told.
    ///
    /// - Parameters:
    ///   - context: What it answers.
    ///   - traits: What the head says of the document.
    ///   - codingChoice: How an answer should be coded.
    ///   - mark: What it says to those who were ready to wait.
    func conditionalResponse(
        _ context: borrowing VersionRead,
        _ traits: CachingTraits,
        _ codingChoice: CodingChoice,
        _ mark: WaitPreference.Mark?
    ) -> Disposition? {
        switch context.outcome {
        case .send: return nil
        case .failed(let condition):
            let problem = Problem.failed(condition, Tag(context.version.token))
            return .response(builder.response(problem, for: context.requester))
        case .notModified(let match):
            guard let coding = match.coding(for: codingChoice) else { return nil }
            let response = notModified(context, traits, coding, mark)
            return .cached(response, perRequest(context))
        }
    }

    /// Makes a document and answers with it.
    func makeResponse(
        _ choice: DocumentChoice,
        _ asked: ResponseKey,
        _ context: borrowing VersionRead
    ) -> Disposition {
        let responses = context.responses
        let key = ResponseKey(
            kind: choice.kind,
            view: asked.view,
            coding: asked.coding,
            waitMark: asked.waitMark
        )
        if key != asked, let response = responses[key] {
            return .now(completed(response, key, context))
        }
        let isCoded = key.coding.coding != .identity
        if choice.isInstant(isCoded: isCoded, with: responses) {
            let response = alwaysWanted {
                builder.make(choice, key, with: responses, while: $0)
            }
            responses.keep(response, key)
            return .now(completed(response, key, context))
        }
        if let head = headOnly(choice, key, context) { return .now(head) }
        return makeOnThread(
            choice,
            key,
            copy context,
            WorkSize(byteCount: choice.cost(isCoded: isCoded))
        )
    }

    /// The same when its turn has come.
    private func makeOnThread(
        _ choice: DocumentChoice,
        _ key: ResponseKey,
        _ context: VersionRead,
        _ size: WorkSize
    ) -> Disposition {
        let pool = work.reads(size)
        return .later { [self, responses = context.responses] responder in
            let waiter = VersionResponses.Waiter(isWanted: responder.isWanted) { response in
                guard let response else {
                    responder(self.overloadedByReads(context.requester))
                    return
                }
                responder(self.completed(response, key, context))
            }
            let job = responses.join(key, for: context.requester, waiter) { [builder] isWanted in
                builder.make(choice, key, with: responses, while: isWanted)
            }
            job?.submit(to: pool)
        }
    }

    /// The answer with a document, or the `304` that depends on how it is coded.
    func completed(
        _ response: CachedResponse,
        _ key: ResponseKey,
        _ context: borrowing VersionRead
    ) -> FinalResponse {
        if let unchanged = notModified(key, sent: response.coding, context) { return unchanged }
        return .cached(response, perRequest(context))
    }

    /// `304` in the place of a document; `nil` where that is sent.
    ///
    /// - Parameters:
    ///   - key: Of the document.
    ///   - coding: The one that it would be sent in; `nil`: that cannot be told.
    ///   - context: What it answers.
    func notModified(
        _ key: ResponseKey,
        sent coding: ContentCoding?,
        _ context: borrowing VersionRead
    ) -> FinalResponse? {
        guard case .notModified(let match) = context.outcome else { return nil }
        let traits = CachingTraits(key.kind, to: context.version.token)
        let matched = match.coding(asSent: coding)
        return .cached(notModified(context, traits, matched, key.waitMark), perRequest(context))
    }

    /// `304` in the place of a document in a coding.
    func notModified(
        _ context: borrowing VersionRead,
        _ traits: CachingTraits,
        _ coding: ContentCoding,
        _ mark: WaitPreference.Mark?
    ) -> CachedResponse {
        // Nearly all do not wait.
        if mark == nil,
            let found = context.responses[code: ResponseKey.codeOfNotModified(traits, coding)]
        {
            return found
        }
        let key = ResponseKey(
            kind: .notModified(traits),
            coding: CodingChoice(coding),
            waitMark: mark
        )
        if mark != nil, let found = context.responses[key] { return found }
        let made = builder.notModified(context.version, coding, traits, mark)
        context.responses.keep(made, key)
        return made
    }

    /// What is said to one request alone.
    func perRequest(_ context: borrowing VersionRead) -> CachedResponse.PerRequestFields {
        perRequest(context.version, context.responses, context.requester)
    }

    /// The same.
    func perRequest(
        _ version: Version,
        _ responses: VersionResponses,
        _ requester: Requester
    ) -> CachedResponse.PerRequestFields {
        let hint = responses.hint(at: store.seconds) { builder.polling.hint(version) }
        return CachedResponse.PerRequestFields(
            lines: requester.originLines,
            number: hint
        )
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
        guard let size else { return .now(make()) }
        return .later { responder in
            self.onThread(size, feed, requester, responder) { responder(make()) }
        }
    }

    /// Has a request answered on a thread for reads, when its turn comes, or refuses it.
    ///
    /// - Parameters:
    ///   - size: How much work it is.
    ///   - feed: What it is about; `nil`: several feeds, or none.
    ///   - requester: Who asks.
    ///   - responder: Where the answer goes.
    ///   - byteCount: Bytes that it holds meanwhile.
    ///   - run: Answers.
    func onThread(
        _ size: WorkSize,
        _ feed: FeedName?,
        _ requester: Requester,
        _ responder: Responder,
        holding byteCount: Int = 0,
        _ run: @escaping @Sendable () -> Void
    ) {
        let pool = work.reads(size)
        let work = QueuedWork(
            flow: WorkFlow(client: requester.client, feed: feed),
            time: pool.now,
            byteCount: byteCount,
            isWanted: responder.isWanted,
            run: run,
            refuse: { responder(self.overloadedByReads(requester)) }
        )
        pool.submit(work)
    }

    /// The answer to a read that is not answered from memory when too many of them wait.
    func overloadedByReads(_ requester: Requester) -> Response {
        builder.response(.overloaded("too many answers are being made"), for: requester)
    }
}

/// HEAD and `304` of what is not made already: nothing is made for them, but where it takes the
/// document to tell how that is coded, and so which tag they have.
extension FeedAPI {
    /// The answer where no content is sent, and it can be told which tag it has: nothing is made
    /// then.
    ///
    /// Where it cannot be told how the document would be coded, and making it would cost much, a
    /// `304` has the first tag that matched.
    func headOnly(
        _ choice: DocumentChoice,
        _ key: ResponseKey,
        _ context: borrowing VersionRead
    ) -> FinalResponse? {
        guard context.isNotModified || context.requester.isHead else { return nil }
        guard let coding = choice.foreseenCoding(key.coding) else {
            guard context.namesItsTag, !isCheap(choice, context.responses) else { return nil }
            return notModified(key, sent: nil, context)
        }
        if let unchanged = notModified(key, sent: coding, context) { return unchanged }
        return head(choice.described([]), coding, key.waitMark, context)
    }

    /// The answer where no content is sent, and its coding is known: nothing is made then.
    func headOnly(
        _ document: ResponseBuilder.Document,
        _ coding: ContentCoding,
        _ key: ResponseKey,
        _ context: borrowing VersionRead
    ) -> FinalResponse? {
        if let unchanged = notModified(key, sent: coding, context) { return unchanged }
        return context.requester.isHead ? head(document, coding, key.waitMark, context) : nil
    }

    /// The head of a document.
    private func head(
        _ document: ResponseBuilder.Document,
        _ coding: ContentCoding,
        _ mark: WaitPreference.Mark?,
        _ context: borrowing VersionRead
    ) -> FinalResponse {
        var response = builder.head(document, context.version, coding, mark)
        let perRequest = perRequest(context)
        response.fields[.refreshAfter] = perRequest.number.map(String.init)
        builder.cors.addListed(to: &response.fields, context.requester.listedOrigin)
        return .response(response)
    }

    /// Whether a document of a long feed costs little all the same.
    func isCheap(_ choice: DocumentChoice, _ responses: VersionResponses) -> Bool {
        var knowsDelta = false
        if case .changes(let since, _) = choice.kind {
            knowsDelta = responses.delta(since: since) != nil
        }
        return choice.isCheap(knowsDelta: knowsDelta)
    }
}
