import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import Synchronization

/// A publish that is being carried out, from its body to its response.
///
/// The steps, in the order in which they happen:
/// 1. ``receive(_:)`` takes the body, and decompresses it if necessary.
/// 2. ``lookUp()`` finds out whether a request with its Idempotency-Key was carried out before.
/// 3. ``enqueue()`` puts the publish behind earlier publishes of its feed.
/// 4. ``carryOut()`` carries out the action.
/// 5. ``tryAgain()``, only if another server published first, asks the journal whether that server
/// has carried out this very request; if not, step 3 follows.
/// 6. ``respond(_:)`` sends the response.
///
/// A publish without a body begins with step 2.
///
/// The closure of the next step keeps the publish alive. After the last step, the publish and its
/// body are freed.
final class PendingPublish: Sendable {
    /// The results of the steps so far.
    struct Progress {
        /// The body without its content coding; empty if the request has none.
        var content: [UInt8] = []
        /// The digest of media type and body, set when ``claim(_:)`` lets this request run; `nil`
        /// without an Idempotency-Key.
        var fingerprint: SHA256Digest?
        /// The time of the first call of ``carryOut()``, by a monotonic clock.
        var start: Duration?
        /// The token of the last version of the feed that is deleted.
        var removed: Token?
        /// Whether the publish is counted by ``FeedQueues/beginUndecided(_:)``.
        var isUndecided = false
        var isAnswered = false
    }

    let api: FeedAPI
    let request: PublishRequest
    let action: PublishAction
    let responder: Responder
    let progress = Mutex(Progress())

    init(
        _ api: FeedAPI,
        _ request: PublishRequest,
        _ action: PublishAction,
        _ responder: Responder
    ) {
        self.api = api
        self.request = request
        self.action = action
        self.responder = responder
    }

    /// The body without its content coding.
    var content: [UInt8] { progress.withLock(\.content) }
}

/// Steps 1 to 3, before the publish has its turn.
extension PendingPublish {
    /// Takes the body.
    ///
    /// The caller is an event loop, so a long compressed body is decompressed on another thread.
    func receive(_ body: ReceivedBody) {
        if case .content(let content) = body { return received(content) }
        let step = step(holding: body.byteCount) {
            do throws(BodyRefusal) {
                let content = try body.content {
                    self.responder.isWanted(presumesLeft: false)
                }
                if let content { self.received(content) }
            } catch {
                self.refuseBody(Problem(error))
            }
        } refuse: {
            self.refuseBody(.publishesOverload)
        }
        api.service.work.publishes(.large).submit(step)
    }

    private func received(_ content: [UInt8]) {
        progress.withLock { $0.content = content }
        lookUp()
    }

    /// Refuses the body; the response has neither Refresh-After nor RateLimit fields, because the
    /// publish was not started.
    private func refuseBody(_ problem: Problem) {
        responder(api.builder.response(problem, for: request.requester))
    }

    /// Looks up the Idempotency-Key; without one, step 3 follows.
    func lookUp() {
        guard let key = request.idempotency else { return enqueue() }
        // Hashing a long body takes too long for an event loop.
        let step = step(holding: content.count) {
            self.claim(key)
        } refuse: {
            self.respond(.publishesOverload)
        }
        api.service.work.publishes(size).submit(step)
    }

    /// Queues the publish behind earlier publishes of its feed.
    func enqueue() {
        let step = step(holding: content.count) {
            self.carryOut()
        } refuse: {
            self.respond(.publishesOverload)
        }
        api.service.feedQueues.submit(request.feed, size, step)
    }
}

/// Step 4, the action.
extension PendingPublish {
    /// Carries out the action; called on a thread of a pool, when the publish has its turn.
    func carryOut() {
        let now = api.configuration.clock()
        progress.withLock { $0.start = $0.start ?? now }
        switch action {
        case .change(let read, let response): change(read, response)
        case .removal: remove()
        case .forgetting(let token): forget(token)
        case .refresh(let sources):
            let mayRemoveAny = request.allowance == .any
            sources.refresh(request.feed, mayRemoveAny: mayRemoveAny) { refresh in
                self.respond(self.api.response(to: refresh, self.request.feed))
            }
        }
    }

    private func change(
        _ read: @Sendable ([UInt8]) throws(Problem) -> PublishAction.Transform,
        _ response: @escaping @Sendable (Publication) -> Response
    ) {
        let transform: PublishAction.Transform
        do throws(Problem) {
            transform = try read(content)
        } catch {
            return respond(error)
        }
        guard beginKeeping() else { return }
        let (api, store, request) = (api, api.store, request)
        let limit = api.configuration.itemLimit
        store.publish(
            request.feed,
            dryRun: request.isDryRun,
            by: request.origin,
            refusal: api.refusal,
            approve: { publication throws(Problem) in
                try api.check(publication, request.allowance)
            },
            prepare: api.prepare,
            answer: journalRecorder().map { record in { record(response($0)) } }
        ) { current throws(Problem) in
            try request.check(current, at: store.wallSeconds)
            let snapshot = try transform(current)
            try FeedAPI.check(snapshot.count, limit: limit)
            return snapshot
        } completion: { outcome in
            if case .done(let publication) = outcome, !self.request.isDryRun {
                var record = self.request.record.done(publication)
                if case .restored(let token) = self.request.origin { record.restored = token }
                self.report(record)
            }
            self.end(outcome, response)
        }
    }

    private func remove() {
        guard beginKeeping() else { return }
        let noContent = Response(status: .noContent)
        api.store.remove(
            request.feed,
            answer: journalRecorder().map { $0(noContent) }
        ) { version throws(Problem) in
            try request.check(version, at: api.store.wallSeconds)
            progress.withLock { $0.removed = version.token }
        } completion: { outcome in
            if case .done(true) = outcome {
                let removed = self.progress.withLock(\.removed)
                self.report(self.request.record.with(\.previous, removed))
            }
            self.end(outcome) { $0 ? noContent : Problem.noFeed.response }
        }
    }

    /// Responds with the outcome, or tries the publish again.
    private func end<Value>(
        _ outcome: PublishOutcome<Value, Problem>,
        _ response: (Value) -> Response
    ) {
        switch outcome {
        case .done(let value): respond(response(value))
        case .failed(let problem):
            if !request.isDryRun { report(problem) }
            respond(problem)
        case .refused(let reason):
            api.service.work.refusals.noteNotKept(reason)
            respond(.notKept(reason))
        case .unknown(let reason):
            api.service.work.refusals.noteNotKept(reason)
            respond(.outcomeUnknown(reason))
        case .late:
            // The client was told that the outcome is unknown, and may have sent the publish again
            // or a newer one, so this one must not be repeated.
            guard !progress.withLock(\.isAnswered) else { return }
            tryAgain()
        }
    }

    /// Counts a publish that was carried out, and reports it to the operator.
    private func report(_ record: PublishRecord) {
        api.service.publishes.add(record)
        api.configuration.reportPublish(record)
    }

    /// Counts a publish that was refused; a refusal by a guard is reported to the operator.
    private func report(_ problem: Problem) {
        api.service.publishes.addRefused(problem.kind)
        guard let removals = problem.removals else { return }
        api.configuration.reportPublish(request.record.with(\.refusal, removals))
    }
}

/// Step 6, the response.
extension PendingPublish {
    func respond(_ problem: Problem) { respond(problem.response) }

    /// Sends the response, and ends the wait of requests with the same Idempotency-Key.
    ///
    /// Only the first response is sent. After a `500` a second one may follow, when the journal has
    /// found out that the change was kept. The second response is kept for repeated requests.
    func respond(_ response: Response) {
        endKeeping()
        let (isFirst, fingerprint) = progress.withLock { progress in
            defer { progress.isAnswered = true }
            return (!progress.isAnswered, progress.fingerprint)
        }
        if let key = request.idempotency, let fingerprint {
            let kept = response.kept
            if isFirst {
                api.service.idempotency.finished(key, kept)
            } else if let kept {
                api.service.idempotency.remember(key, fingerprint, kept)
            }
        }
        if isFirst { send(response) }
    }

    /// Adds the fields that are not kept for repeated requests, and sends the response.
    private func send(_ response: Response) {
        var response = response
        if !api.access.isOpen(request.feed) { response.fields.addVary("Authorization") }
        let isDone = response.status.kind == .successful
        if isDone, let hint = api.builder.polling.hint(request.feed) {
            response.fields[.refreshAfter] = String(hint)
        }
        api.builder.cors.add(to: &response.fields, for: request.requester)
        if let standing = request.requester.standing {
            api.limiter?.add(standing, to: &response.fields)
        }
        responder(response)
    }
}

/// The publish as work for threads.
extension PendingPublish {
    /// The size of the work: the body is parsed, and a patch may parse the whole feed.
    var size: WorkSize {
        switch request.type {
        case .jsonPatch:
            let feed = api.store.current(request.feed)?.snapshot.itemByteCount ?? 0
            return WorkSize(byteCount: 16 * content.count + feed)
        // Edits may rewrite many times their own bytes.
        case .json where request.isPatch: return WorkSize(byteCount: 256 * content.count)
        case .json, .jsonFeed, .mergePatch: return WorkSize(byteCount: 16 * content.count)
        }
    }

    /// Returns a step of the publish as work for a thread.
    func step(
        holding byteCount: Int,
        _ run: @escaping @Sendable () -> Void,
        refuse: @escaping @Sendable () -> Void
    ) -> QueuedWork {
        QueuedWork(
            client: request.requester.client,
            time: api.service.work.publishes(.small).now,
            byteCount: byteCount,
            isWanted: isWanted,
            run: run,
            refuse: refuse
        )
    }

    /// Counts the publish as undecided, unless it is counted already.
    ///
    /// - Returns: False beyond the limit; the publish is then refused, and its response sent.
    func beginKeeping() -> Bool {
        if progress.withLock(\.isUndecided) { return true }
        guard api.service.feedQueues.beginUndecided(content.count) else {
            api.service.work.refusals.notePublish()
            respond(.publishesOverload)
            return false
        }
        progress.withLock { $0.isUndecided = true }
        return true
    }

    /// Ends the count of the publish as undecided.
    func endKeeping() {
        let wasUndecided = progress.withLock { progress in
            defer { progress.isUndecided = false }
            return progress.isUndecided
        }
        if wasUndecided { api.service.feedQueues.endUndecided(content.count) }
    }

    /// Returns whether the publish is still wanted.
    ///
    /// A client that has closed its side of the connection still wants the publish, unless it is a
    /// dry run. A publish that was begun is always carried on to its end.
    private func isWanted(presumesLeft: Bool) -> Bool {
        progress.withLock(\.start) != nil
            || responder.isWanted(presumesLeft: presumesLeft && request.isDryRun)
    }
}

/// Steps 2 and 5: idempotency, and races between servers.
///
/// A publish with an Idempotency-Key is carried out once, even if it is sent again. A publish is
/// tried again if another server published first.
extension PendingPublish {
    /// Claims the Idempotency-Key, and goes on when no other request with it is being carried out.
    func claim(_ key: IdempotencyMemory.Key) {
        // The publish may wait long for another request if the journal hangs, so it is counted.
        guard beginKeeping() else { return }
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
                self.progress.withLock { $0.fingerprint = fingerprint }
                self.lookUpElsewhere()
            }
        }
    }

    /// Asks a shared journal whether another server has carried out this very request; if not, step
    /// 3 follows.
    private func lookUpElsewhere() {
        guard let key = request.idempotency, let journal = api.store.sharedJournal else {
            return enqueue()
        }
        journal.findAnswer(owner: key.owner.bytes, key: key.digest.bytes) { result in
            switch result {
            case .failure(let error): self.respond(.notKept(error.description))
            case .success(nil): self.enqueue()
            case .success(let found?):
                guard found.fingerprint == self.progress.withLock(\.fingerprint)?.bytes else {
                    return self.respond(.otherBody)
                }
                // A response that cannot be read counts as missing.
                guard let response = Response(kept: found.response) else { return self.enqueue() }
                self.respond(response)
            }
        }
    }

    /// The longest time for which a publish is repeated while other servers always publish first.
    private static let racingTime = Duration.seconds(10)

    /// Tries a publish again after another server has published first.
    func tryAgain() {
        let now = api.configuration.clock()
        let start = progress.withLock(\.start) ?? now
        guard now - start < PendingPublish.racingTime else {
            return respond(.notKept("other servers publish to this feed all the time"))
        }
        lookUpElsewhere()
    }

    /// Returns a function that makes the journal's record of a response; `nil` without an
    /// Idempotency-Key.
    func journalRecorder() -> (@Sendable (Response) -> JournalAnswer)? {
        guard let key = request.idempotency,
            let fingerprint = progress.withLock(\.fingerprint)
        else { return nil }
        let time = api.store.clock.wall()
        return { JournalAnswer(key, fingerprint, $0, at: time) }
    }
}

extension Problem {
    /// Makes the `422` for an Idempotency-Key that was used with another body.
    fileprivate static var otherBody: Problem {
        Problem(
            .idempotencyKey,
            .unprocessableContent,
            "this Idempotency-Key was sent before with another body"
        )
    }
}
