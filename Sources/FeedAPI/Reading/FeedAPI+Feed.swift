import Dispatch
import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// `GET /feeds/{feed}`: the snapshot, the changes, the views of them.
extension FeedAPI {
    func readFeed(_ name: ExactString, _ call: Call) throws(Problem) -> Reception {
        let feed = try readable(name, call)
        let read = FeedRead(
            feed: feed,
            query: try FeedQuery(call.query),
            caller: call.caller,
            parts: ReadParts(call)
        )
        let hold = try Hold(call)
        let answer = try answer(read)
        guard let hold, read.query.version == nil else { return reception(answer, read.parts) }
        guard isStill(answer, read.parts) else {
            return reception(answer, read.parts).marked(hold)
        }
        return .wait(
            Wait(for: [topics.topic(of: feed)], time: time(of: hold)) { [live] isLast in
                (live.api ?? self).attempt(read, hold, isLast: isLast)
            }
        )
    }

    /// For how long an answer is held.
    func time(of hold: Hold) -> Duration {
        min(.seconds(hold.seconds), configuration.longestWait)
    }

    /// What answers a read now.
    private func answer(_ read: FeedRead) throws(Problem) -> FeedAnswer {
        // The old version first: the current one is then no older.
        let old = read.query.since.flatMap { store.version($0, of: read.feed) }
        return FeedAnswer(
            read.query,
            old: old,
            version: try version(read.query.version, of: read.feed)
        )
    }

    /// Answers a read that waits; what its key may do has perhaps changed meanwhile.
    ///
    /// - Returns: `nil` while there is nothing new, unless `isLast`.
    private func attempt(_ read: FeedRead, _ hold: Hold, isLast: Bool) -> Reception? {
        do throws(Problem) {
            try access.checkRead(read.feed, access.renewed(read.caller))
            let answer = try answer(read)
            if !isLast, isStill(answer, read.parts) { return nil }
            return reception(answer, read.parts).marked(hold, bakery.found(answer.version))
        } catch {
            return .answer(composer.response(error, origin: read.parts.origin))
        }
    }

    /// Whether there is nothing new for the one who asks: `304`, or a document that says so.
    private func isStill(_ answer: FeedAnswer, _ parts: ReadParts) -> Bool {
        switch parts.condition.outcome(Tag(answer.version.token)) {
        case .send: answer.isUnchanged
        case .notModified, .notModifiedAsSent: true
        case .failed: false
        }
    }

    /// `GET /feeds/{feed}/outline`.
    func readOutline(_ name: ExactString, _ call: Call) throws(Problem) -> Reception {
        let version = try version(nil, of: readable(name, call))
        return reception(FeedAnswer(outlineOf: version), ReadParts(call))
    }

    /// The feed of a path, when the caller may read it.
    func readable(_ name: ExactString, _ call: Call) throws(Problem) -> FeedName {
        guard let feed = FeedName(name.string) else { throw .noFeed }
        try access.checkRead(feed, call.caller)
        return feed
    }

    /// The version that a query asks for, or the current one.
    ///
    /// - Throws: `404` without such a feed, `410` when the version is forgotten.
    func version(_ token: Token?, of feed: FeedName) throws(Problem) -> Version {
        guard let current = store.current(feed) else { throw .noFeed }
        guard let token, token != current.token else { return current }
        if let version = store.version(token, of: feed) { return version }
        throw Problem(
            .versionForgotten,
            .gone,
            "the version \(token) of this feed is not remembered"
        )
    }

    /// Answers with a document about a feed, made once for all who ask while it is current.
    private func reception(_ answer: FeedAnswer, _ parts: ReadParts) -> Reception {
        let tag = Tag(answer.version.token)
        let condition = parts.condition.outcome(tag)
        if case .failed = condition {
            return .answer(composer.response(.otherVersion(tag), origin: parts.origin))
        }
        if case .notModified(let coding) = condition {
            return .answer(composer.notModified(answer, coding, parts.origin))
        }
        return reception(answer, parts) { [composer] made in
            guard case .notModifiedAsSent = condition else { return .baked(made.response) }
            return .response(composer.notModified(answer, made.coding, parts.origin))
        }
    }

    /// Makes the document, unless it is there already, and answers with what `finish` makes of it.
    private func reception(
        _ answer: FeedAnswer,
        _ parts: ReadParts,
        finish: @escaping @Sendable (Made) -> Answer
    ) -> Reception {
        let (composer, origin, coding) = (composer, parts.origin, parts.coding)
        let isCoded = parts.isCoded
        guard isCurrent(answer.version) else {
            return reception(isSmall: answer.isSmall(isCoded: isCoded), origin: origin) {
                finish(composer.make(answer, coding, origin: origin)).own
            }
        }
        let atHand = bakery.atHand(answer.version)
        let answers = atHand.answers
        let key = AnswerKey(
            kind: answer.kind,
            view: answer.view,
            coding: coding,
            origin: origin
        )
        if let made = atHand.made(key) { return finish(made).reception }
        let isSmall =
            answers.isSmall(isCoded: isCoded) && answer.isSmall(isCoded: isCoded)
        // Whoever only joins those that wait for it costs nothing more.
        let isFree = isSmall || answers.isBeingMade(key)
        let ticket = isFree ? nil : waitingReads.enter()
        guard isFree || ticket != nil else { return .answer(overloadedByReads(origin)) }
        let queue = isSmall ? nil : workQueue
        return .later { responder in
            answers.answer(key, on: queue) {
                defer { withExtendedLifetime(ticket) {} }
                return composer.make(answer, coding, origin: origin, with: answers)
            } finish: {
                responder(finish($0))
            }
        }
    }

    /// Whether a version is worth keeping answers for.
    func isCurrent(_ version: Version) -> Bool {
        store.current(version.feed) === version
    }

    /// Answers at once with what is quickly made, and from a background queue with the rest,
    /// unless too much is waiting there.
    func reception(
        isSmall: Bool,
        origin: CORS.Origin,
        _ make: @escaping @Sendable () -> Answer
    ) -> Reception {
        guard !isSmall else { return make().reception }
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
        composer.response(.overloaded("too many answers are being made"), origin: origin)
    }
}

extension FeedAnswer {
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

extension Composer {
    /// `304` in the place of an answer.
    func notModified(
        _ answer: FeedAnswer,
        _ coding: ContentCoding,
        _ origin: CORS.Origin
    ) -> Response {
        notModified(
            answer.version,
            coding,
            isUnchanged: answer.isUnchanged,
            canBeHeld: answer.canBeHeld,
            origin: origin
        )
    }

    /// Makes an answer for many; `answers` may have the same document uncompressed, and the
    /// changes from the version before.
    func make(
        _ answer: FeedAnswer,
        _ choice: CodingChoice,
        origin: CORS.Origin,
        with answers: BakedAnswers? = nil
    ) -> Made {
        let delta = answer.old.flatMap { answers?.delta(since: $0.token.version) }
        var document: Document
        let plain = AnswerKey(kind: answer.kind, view: answer.view, origin: origin)
        if let made = answers?.made(plain) {
            document = Document(body: made.response.body, isUnchanged: answer.isUnchanged)
            document.canBeHeld = answer.canBeHeld
            if case .patch = answer.kind { document.mediaType = "application/json-patch+json" }
        } else {
            document = answer.document(delta: delta)
            tally.addDocument()
        }
        let hint = pacing.hint(answer.version)
        let (response, coding) = response(
            document,
            answer.version,
            choice,
            origin: origin,
            hint: hint
        )
        return Made(response: BakedResponse(response), coding: coding, hint: hint)
    }
}
