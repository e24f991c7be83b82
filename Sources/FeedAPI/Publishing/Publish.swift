import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire
import Synchronization

/// Receives the bodies of publishes, and starts each ``Publish``.
extension FeedAPI {
    /// Receives the body of a publish, if it has one, and starts the publish.
    func beginPublish(_ request: PublishRequest, _ action: Publish.Action) -> Reply {
        guard request.takesBody else {
            return .later { Publish(request, action, content: [], in: self, $0).lookUp() }
        }
        // An overload is reported before the body is sent, if possible.
        guard service.work.publishes(.small).admits(request.client) else {
            return .response(Problem.publishesOverload.response)
        }
        return .body(limit: configuration.bodyByteLimit) { refusal in
            Problem(refusal).response
        } then: { body in
            .later { responder in
                if case .content(let content) = body {
                    Publish(request, action, content: content, in: self, responder).lookUp()
                } else {
                    self.decode(body, of: request, action, responder)
                }
            }
        }
    }

    /// Decompresses a body on a thread, since it takes too long for an event loop, and starts the
    /// publish.
    private func decode(
        _ body: ReceivedBody,
        of request: PublishRequest,
        _ action: Publish.Action,
        _ responder: Responder
    ) {
        let pool = service.work.publishes(.large)
        let work = QueuedWork(
            client: request.client,
            time: pool.now,
            byteCount: body.byteCount,
            isWanted: { responder.isWanted(presumesLeft: $0 && request.isDryRun) },
            run: {
                do throws(BodyRefusal) {
                    let content = try body.content { responder.isWanted(presumesLeft: false) }
                    guard let content else { return }
                    Publish(request, action, content: content, in: self, responder).lookUp()
                } catch {
                    responder(Problem(error).response)
                }
            },
            refuse: { responder(Problem.publishesOverload.response) }
        )
        pool.submit(work)
    }
}

/// A publish from the moment at which its body was received until its response.
///
/// The extensions stand in the order of its steps. The closure of the next step keeps the publish
/// alive; after the last step, the publish and its body are freed.
final class Publish: Sendable {
    /// Makes the feed's next content from its current version; `nil`: the feed is deleted.
    typealias Transform = @Sendable (Version?) throws(Problem) -> Snapshot?

    /// The action of a publish, carried out when the earlier publishes of its feed are done.
    enum Action: Sendable {
        /// Changes or deletes the feed; the function makes the change from the content of the body,
        /// and throws for errors that do not depend on the feed.
        case change(@Sendable (_ content: [UInt8]) throws(Problem) -> Transform)
        /// Removes an older version of the feed.
        case forgetting(Token)
        /// Has the feed's source fetched.
        case refresh(any SourceDirectory)
    }

    /// The results of the steps so far.
    private struct Progress {
        /// The Idempotency-Key, with the digest of media type and body; `nil` without an
        /// Idempotency-Key, and while an earlier request to this server may have it.
        var claim: (key: IdempotencyMemory.Key, fingerprint: SHA256Digest)?
        /// The time of the first call of ``carryOut()``, by a monotonic clock.
        var start: Duration?
        /// Whether the publish is counted by ``FeedQueues/beginUndecided(_:)``: the journal, or
        /// another publish with the same Idempotency-Key, must decide its outcome.
        var isUndecided = false
        /// Whether the response was sent.
        var isAnswered = false
    }

    let api: FeedAPI
    let request: PublishRequest
    private let action: Action
    /// The body without its content coding; empty if the request has none.
    private let content: [UInt8]
    private let responder: Responder
    private let progress = Mutex(Progress())

    init(
        _ request: PublishRequest,
        _ action: Action,
        content: [UInt8],
        in api: FeedAPI,
        _ responder: Responder
    ) {
        self.api = api
        self.request = request
        self.action = action
        self.content = content
        self.responder = responder
    }
}

/// Checks the Idempotency-Key: a publish that has one is carried out once, even if it is sent
/// again.
extension Publish {
    /// Looks up the Idempotency-Key; without one, the publish is enqueued.
    func lookUp() {
        guard let key = request.idempotency else { return enqueue() }
        // Hashing a long body takes too long for an event loop.
        api.service.work.publishes(size).submit(work { self.claim(key) })
    }

    /// Claims the Idempotency-Key, and goes on when no other request with it is being carried out.
    private func claim(_ key: IdempotencyMemory.Key) {
        // The publish may wait long for another request if the journal hangs, so it is counted.
        guard beginUndecided() else { return }
        let type = Array(request.type.rawValue.utf8)
        let fingerprint = SHA256Digest(of: type, and: content)
        api.service.idempotency.claim(key, fingerprint: fingerprint) { decision in
            switch decision {
            case .replay(let kept):
                guard let response = Response(kept: kept) else {
                    preconditionFailure("a kept response can be read")
                }
                self.respond(response)
            case .conflict: self.respond(.otherBody)
            case .run:
                self.progress.withLock { $0.claim = (key, fingerprint) }
                self.lookUpInJournal()
            }
        }
    }

    /// Asks a shared journal whether another server has carried out this very request; if not, or
    /// without such a journal, the publish is enqueued.
    private func lookUpInJournal() {
        guard let (key, fingerprint) = progress.withLock(\.claim),
            let journal = api.store.sharedJournal
        else { return enqueue() }
        journal.findAnswer(owner: key.owner.bytes, key: key.digest.bytes) { result in
            switch result {
            case .failure(let error): self.respond(.journalUnavailable(error.description))
            case .success(nil): self.enqueue()
            case .success(let found?):
                guard found.fingerprint == fingerprint.bytes else {
                    return self.respond(.otherBody)
                }
                // A response that cannot be read counts as missing.
                guard let response = Response(kept: found.response) else { return self.enqueue() }
                self.respond(response)
            }
        }
    }
}

/// Queues the publish: the publishes of a feed are carried out one after another, in the order of
/// their arrival.
extension Publish {
    private func enqueue() {
        api.service.feedQueues.submit(request.feed, size, work { self.carryOut() })
    }

    /// The estimated size of the work: the body is parsed, and a patch may parse the whole feed.
    private var size: WorkSize {
        switch request.type {
        case .jsonPatch:
            let feed = api.store.current(request.feed)?.snapshot.itemByteCount ?? 0
            return WorkSize(byteCount: 16 * content.count + feed)
        // Edits may rewrite many times their own bytes.
        case .json where request.method == .patch: return WorkSize(byteCount: 256 * content.count)
        case .json, .jsonFeed, .mergePatch: return WorkSize(byteCount: 16 * content.count)
        }
    }

    /// Returns a step of the publish as work for a thread.
    ///
    /// A client that has half-closed the connection still wants the publish, unless it is a dry
    /// run. A publish that was begun is always carried on to its end.
    private func work(_ run: @escaping @Sendable () -> Void) -> QueuedWork {
        QueuedWork(
            client: request.client,
            time: api.configuration.clock(),
            byteCount: content.count,
            isWanted: { presumesLeft in
                if self.progress.withLock({ $0.start != nil }) { return true }
                let presumesLeft = presumesLeft && self.request.isDryRun
                return self.responder.isWanted(presumesLeft: presumesLeft)
            },
            run: run,
            refuse: { self.respond(.publishesOverload) }
        )
    }

    /// Carries out the action; called on a thread of a pool, when the earlier publishes of the feed
    /// are done.
    private func carryOut() {
        let now = api.configuration.clock()
        progress.withLock { if $0.start == nil { $0.start = now } }
        switch action {
        case .change(let read):
            do throws(Problem) {
                change(try read(content))
            } catch {
                respond(error)
            }
        case .forgetting(let token): forget(token)
        case .refresh(let sources):
            let mayRemoveAny = request.allowance == .any
            sources.refresh(request.feed, mayRemoveAny: mayRemoveAny) { refresh in
                self.respond(self.api.response(to: refresh, self.request.feed))
            }
        }
    }
}

/// Changes the feed.
extension Publish {
    private func change(_ transform: Transform) {
        guard beginUndecided() else { return }
        let (api, request) = (api, request)
        api.store.publish(
            request.feed,
            dryRun: request.isDryRun,
            by: request.origin,
            { current throws(Problem) in
                // The server may fill the feed itself since the configuration was read again.
                try (api.service.newestAPI ?? api).access.checkTakesPublishes(request.feed)
                // Before a feed that does not exist is deleted, there are no conditions to check.
                if current == nil, request.method == .delete, request.item == nil { return nil }
                try request.check(current, at: api.store.wallSeconds)
                guard let snapshot = try transform(current) else { return nil }
                try api.check(itemCount: snapshot.count)
                return snapshot
            },
            check: { publication throws(Problem) in
                try api.check(publication, request.allowance)
            },
            answer: journalAnswer { self.response(to: $0) },
            refusal: { api.refusal($0) },
            decided: { self.decided($0) }
        )
    }

    /// Returns the function that makes the answer which the journal stores with the change, so that
    /// the publish is known when it is sent again after a restart; `nil` without an
    /// Idempotency-Key.
    func journalAnswer(
        _ response: @escaping (Publication?) -> Response
    ) -> ((Publication?) -> JournalAnswer)? {
        progress.withLock(\.claim).map { claim in
            { publication in
                JournalAnswer(
                    owner: claim.key.owner.bytes,
                    key: claim.key.digest.bytes,
                    fingerprint: claim.fingerprint.bytes,
                    response: response(publication).kept ?? [],
                    time: self.api.store.clock.wall()
                )
            }
        }
    }

    /// Counts the publish as undecided, unless it is counted already.
    ///
    /// - Returns: `false` if too many publishes are undecided; this one was then refused, and its
    ///   response sent.
    private func beginUndecided() -> Bool {
        let isUndecided = progress.withLock { progress in
            if !progress.isUndecided {
                progress.isUndecided = api.service.feedQueues.beginUndecided(content.count)
            }
            return progress.isUndecided
        }
        guard !isUndecided else { return true }
        api.service.work.refusals.note(.publishes)
        respond(.publishesOverload)
        return false
    }

    /// Responds with the outcome, or retries the publish if another server was first.
    private func decided(_ outcome: PublishOutcome<Problem>) {
        switch outcome {
        case .done(let publication):
            if !request.isDryRun { report(publication.previous, publication) }
            respond(response(to: publication))
        case .deleted(nil): respond(.noFeed)
        case .deleted(let version?):
            report(version, nil)
            respond(response(to: nil))
        case .failed(let problem):
            if !request.isDryRun { report(problem) }
            respond(problem)
        case .refused(let reason):
            api.service.work.refusals.note(.losses, reason)
            respond(.journalUnavailable(reason))
        case .unknown(let reason):
            api.service.work.refusals.note(.losses, reason)
            respond(.outcomeUnknown(reason))
        case .late: retry()
        }
    }

    /// The longest time for which a publish is retried while other servers always publish first.
    private static let retryTime = Duration.seconds(10)

    /// Retries the publish after another server has published first.
    private func retry() {
        let (start, isAnswered) = progress.withLock { ($0.start, $0.isAnswered) }
        // The client was told that the outcome is unknown, and may have sent the publish again or a
        // newer one, so this one must not be repeated.
        guard !isAnswered else { return }
        let now = api.configuration.clock()
        guard now - (start ?? now) < Publish.retryTime else {
            return respond(.journalUnavailable("other servers publish to this feed all the time"))
        }
        lookUpInJournal()
    }

    /// Counts a publish that was carried out, and reports it to the operator; `previous` is `nil`
    /// for a new feed, `publication` for a deleted one.
    private func report(_ previous: Version?, _ publication: Publication?) {
        var record = request.record
        record.previous = previous?.token
        record.token = publication?.current.token
        if let publication { record.counts = publication.counts }
        if case .restored(let token) = request.origin { record.restored = token }
        api.service.publishes.withLock { $0.add(record) }
        api.configuration.reportPublish(record)
    }

    /// Counts a publish that was refused; a refusal because it would remove too many items is
    /// reported to the operator.
    private func report(_ problem: Problem) {
        api.service.publishes.withLock { $0.refused[problem.kind, default: 0] += 1 }
        guard let removals = problem.removals else { return }
        var record = request.record
        record.refusal = removals
        api.configuration.reportPublish(record)
    }
}

/// Makes and sends the response.
extension Publish {
    /// Returns the response to a publish that was carried out, or to a deletion if `publication` is
    /// `nil`.
    func response(to publication: Publication?) -> Response {
        guard let publication, request.method != .delete || request.isDryRun else {
            return Response(status: .noContent)
        }
        var isNew = publication.previous == nil
        var location: String?
        if request.insertsItems {
            let item = publication.changes.insertedItems.first?.item
            isNew = item != nil
            // The reference is relative to the request's URL, since a proxy may serve the API below
            // another path.
            if let item, request.method == .post, !content.isJSONArray {
                location = "items/" + item.id.string.percentEncoded
            }
        }
        return .published(
            publication,
            isDryRun: request.isDryRun,
            isNew: isNew,
            location: location,
            includesChanges: request.isDryRun && request.method != .delete
        )
    }

    func respond(_ problem: Problem) { respond(problem.response) }

    /// Sends the response, and ends the wait of requests with the same Idempotency-Key.
    ///
    /// Only the first call sends its response. After a `500` for an unknown outcome, a second call
    /// may follow when the journal has found out that the change was stored; its response is not
    /// sent, but remembered for repeated requests.
    func respond(_ response: Response) {
        let before = progress.withLock { progress in
            defer { (progress.isUndecided, progress.isAnswered) = (false, true) }
            return progress
        }
        if before.isUndecided { api.service.feedQueues.endUndecided(content.count) }
        if let (key, fingerprint) = before.claim {
            let kept = response.kept
            if !before.isAnswered {
                api.service.idempotency.finished(key, kept)
            } else if let kept {
                api.service.idempotency.remember(key, fingerprint, kept)
            }
        }
        if !before.isAnswered { send(response) }
    }

    /// Adds the fields that are not remembered for repeated requests, and sends the response.
    private func send(_ response: Response) {
        var response = response
        if !api.access.isOpen(request.feed) { response.fields.addVary("Authorization") }
        let isDone = response.status.kind == .successful
        if isDone, let version = api.store.current(request.feed) {
            response.fields[.refreshAfter] = String(api.store.pollingHint(version))
        }
        responder(response)
    }
}

/// Checks publishes, whether a request or a source makes them.
extension FeedAPI {
    /// Checks the number of items of a feed's new content.
    ///
    /// - Throws: `422` for more items than a feed may have.
    func check(itemCount: Int) throws(Problem) {
        let limit = configuration.itemLimit
        guard itemCount > limit else { return }
        throw Problem(.limit, .unprocessableContent, "\(itemCount) items, a feed may have \(limit)")
    }

    /// Checks the removals of a publish against the feed's guard.
    ///
    /// - Throws: `409` for too many removals.
    func check(
        _ publication: Publication,
        _ allowance: RemovalGuard.Allowance
    ) throws(Problem) {
        guard let rule = configuration.guards[publication.current.feed] else { return }
        do {
            try rule.check(publication, allowance)
        } catch {
            throw Problem(error)
        }
    }

    /// Returns the `503` for a publish that would need too much memory, and reports it to the
    /// operator.
    func refusal(_ shortage: MemoryShortage) -> Problem {
        service.work.refusals.note(.shortages)
        return Problem(shortage)
    }
}

extension Problem {
    /// `503` for a publish when too many publishes wait.
    fileprivate static var publishesOverload: Problem {
        overloaded("too many publishes are waiting")
    }

    /// `422` for an Idempotency-Key that was used with another body or media type.
    fileprivate static var otherBody: Problem {
        Problem(
            .idempotencyKey,
            .unprocessableContent,
            "this Idempotency-Key was sent before with another body or media type"
        )
    }
}
