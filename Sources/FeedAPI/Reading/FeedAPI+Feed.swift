import Dispatch
import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// `GET /feeds/{feed}`: the snapshot, the changes, the views of them.
extension FeedAPI {
    func readFeed(_ name: Text, _ call: Call) throws(Problem) -> Reception {
        let feed = try readable(name, call)
        let query = try FeedQuery(call.query)
        // The old version first: the current one is then no older.
        let old = query.since.flatMap { store.version($0, of: feed) }
        let version = try version(query.version, of: feed)
        return reception(FeedAnswer(query, old: old, version: version), call)
    }

    /// `GET /feeds/{feed}/outline`.
    func readOutline(_ name: Text, _ call: Call) throws(Problem) -> Reception {
        let version = try version(nil, of: readable(name, call))
        return reception(FeedAnswer(outlineOf: version), call)
    }

    /// The feed of a path, when the caller may read it.
    func readable(_ name: Text, _ call: Call) throws(Problem) -> FeedName {
        guard let feed = FeedName(name.string) else { throw .noFeed }
        try access.checkRead(feed, call.caller)
        return feed
    }

    /// The version that a query asks for, or the current one.
    ///
    /// - Throws: `404` without such a feed, `410` when the version is forgotten.
    func version(_ token: Token?, of feed: FeedName) throws(Problem) -> Version {
        guard let current = store.current(feed) else {
            bakery.forget(feed)
            throw .noFeed
        }
        guard let token, token != current.token else { return current }
        if let version = store.version(token, of: feed) { return version }
        throw Problem(
            .versionForgotten,
            .gone,
            "the version \(token) of this feed is not remembered"
        )
    }

    /// Answers with a document about a feed, made once for all who ask while it is current.
    private func reception(_ answer: FeedAnswer, _ call: Call) -> Reception {
        let tag = Tag(answer.version.token)
        let condition = ReadCondition(call.head).outcome(tag)
        if case .failed = condition {
            return .answer(composer.response(.otherVersion(tag), origin: call.origin))
        }
        if case .notModified(let coding) = condition {
            return .answer(notModified(answer, coding, call.origin))
        }
        return reception(answer, call) { [composer, origin = call.origin] made in
            guard case .notModifiedAsSent = condition else { return .baked(made.response) }
            return .response(
                composer.notModified(
                    answer.version,
                    made.coding,
                    isUnchanged: answer.isUnchanged,
                    origin: origin
                )
            )
        }
    }

    /// Makes the document, unless it is there already, and answers with what `finish` makes of it.
    private func reception(
        _ answer: FeedAnswer,
        _ call: Call,
        finish: @escaping @Sendable (Made) -> Answer
    ) -> Reception {
        let (composer, origin, coding) = (composer, call.origin, call.coding)
        let isCoded = coding.coding != .identity
        guard isCurrent(answer.version) else {
            return reception(isSmall: answer.isSmall(isCoded: isCoded)) {
                finish(composer.make(answer, coding, origin: origin))
            }
        }
        let answers = bakery.answers(for: answer.version)
        let key = AnswerKey(
            kind: answer.kind,
            view: answer.view,
            coding: coding,
            origin: origin
        )
        if let made = answers.made(key) { return finish(made).reception }
        let isSmall =
            answers.isSmall(isCoded: isCoded) && answer.isSmall(isCoded: isCoded)
        let queue = isSmall ? nil : workQueue
        return .later { responder in
            answers.answer(key, on: queue) {
                composer.make(answer, coding, origin: origin, with: answers)
            } finish: {
                responder(finish($0))
            }
        }
    }

    private func notModified(
        _ answer: FeedAnswer,
        _ coding: ContentCoding,
        _ origin: CORS.Origin
    ) -> Response {
        composer.notModified(
            answer.version,
            coding,
            isUnchanged: answer.isUnchanged,
            origin: origin
        )
    }

    /// Whether a version is worth keeping answers for.
    private func isCurrent(_ version: Version) -> Bool {
        store.current(version.feed) === version
    }

    /// Answers at once with what is quickly made, and from a background queue with the rest.
    func reception(isSmall: Bool, _ make: @escaping @Sendable () -> Answer) -> Reception {
        guard !isSmall else { return make().reception }
        let queue = workQueue
        return .later { responder in
            queue.async { responder(make()) }
        }
    }
}

extension FeedAnswer {
    init(outlineOf version: Version) {
        self.version = version
        old = nil
        kind = .outline
        view = View()
    }

    /// Whether it is quickly made.
    func isSmall(isCoded: Bool) -> Bool {
        guard version.snapshot.isSmall(isCoded: isCoded) else { return false }
        guard let old, old !== version else { return true }
        return old.snapshot.isSmall(isCoded: isCoded)
    }
}

extension Composer {
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
            if case .patch = answer.kind { document.mediaType = "application/json-patch+json" }
        } else {
            document = answer.document(delta: delta)
        }
        let (response, coding) = response(
            document,
            answer.version,
            choice,
            origin: origin
        )
        return Made(response: BakedResponse(response), coding: coding)
    }
}
