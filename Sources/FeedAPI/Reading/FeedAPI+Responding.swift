import Dispatch
import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// From what is asked to an answer: the one way for everything about a version of one feed.
extension FeedAPI {
    /// Answers a read of one feed.
    func respond(
        _ read: FeedRead,
        _ version: Version,
        _ responses: VersionResponses?,
        _ outcome: ReadCondition.Outcome
    ) -> Disposition {
        // Without a look for the old version: what is kept already is right without it.
        var key = ResponseKey(
            kind: DocumentChoice.kind(read.query, now: version.token),
            view: read.query.presentation.view,
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
        case .failed(let condition):
            let problem = Problem.failed(condition, Tag(version.token))
            return .answer(builder.response(problem, origin: origin))
        case .notModified(let match):
            if let coding = match.coding(for: key.coding) {
                return notModified(key, version, coding, responses, origin).disposition
            }
        case .send: break
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
            return disposition(isSmall: choice.isSmall(isCoded: isCoded), origin: origin) {
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
        guard case .notModified(let match) = outcome else {
            return .cached(document.response, completion(version, responses, origin))
        }
        let coding = match.coding(asSent: document.coding)
        return notModified(key, version, coding, responses, origin)
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
    func disposition(
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
        case .patch(let since, _): self.init(isUnchanged: since == token.version, canWait: true)
        case .outline, .rows, .item, .items: self.init(isUnchanged: false, canWait: false)
        default: self.init(isUnchanged: false, canWait: true)
        }
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
