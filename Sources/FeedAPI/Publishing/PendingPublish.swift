import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import Synchronization

/// A publish that is under way, from its body to its response.
///
/// The steps, in the order in which they happen:
/// 1. ``receive(_:)`` takes the body, and decompresses it if that was left to do.
/// 2. ``lookUp()`` finds out whether a request with this Idempotency-Key was carried out before.
/// 3. ``enqueue()`` has it wait for its turn among the publishes of its feed.
/// 4. ``carryOut()`` does what is asked for.
/// 5. ``tryAgain()``, only where another server was quicker, asks if that one has carried out this
///    very request; if not, step 3 is next.
/// 6. ``respond(_:)`` sends the response.
///
/// A publish without a body begins with step 2. The handling of Idempotency-Keys and step 5 are in
/// PendingPublish+Idempotency.swift.
///
/// The closure that waits for the next step holds the publish. After the last one nothing does, and
/// the body is freed with it.
final class PendingPublish: Sendable {
    /// The values that the steps find out.
    struct Progress {
        /// The body, without its content coding; empty where there is none.
        var content: [UInt8] = []
        /// The digest of media type and body. Set when ``claim(_:)`` has let this request run;
        /// `nil` without an Idempotency-Key.
        var fingerprint: SHA256Digest.Value?
        /// When it was first carried out.
        var start: Duration?
        /// The version that a deletion ends.
        var removed: Token?
        /// Whether it is counted among the ``UndecidedPublishes``.
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

    /// The body, without its content coding.
    var content: [UInt8] { progress.withLock(\.content) }
}

/// Steps 1 to 3: until its turn has come.
extension PendingPublish {
    /// Takes the body.
    ///
    /// This is called on an event loop, where a long one is not decompressed.
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

    /// Refuses the body: without Refresh-After and the fields of rate limits, for nothing was
    /// carried out.
    private func refuseBody(_ problem: Problem) {
        responder(api.builder.response(problem, for: request.requester))
    }

    /// Looks its Idempotency-Key up; without one, step 3 is next.
    func lookUp() {
        guard let key = request.idempotency else { return enqueue() }
        // Hashing a long body takes a while.
        let step = step(holding: content.count) {
            self.claim(key)
        } refuse: {
            self.respond(.publishesOverload)
        }
        api.service.work.publishes(size).submit(step)
    }

    /// Has it carried out after the publishes of its feed that came before.
    func enqueue() {
        let step = step(holding: content.count) {
            self.carryOut()
        } refuse: {
            self.respond(.publishesOverload)
        }
        api.service.feedQueues.submit(request.feed, size, step)
    }
}

/// Step 4: what is asked for.
extension PendingPublish {
    /// Does what is asked for; called on a thread, when its turn has come.
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
                self.report(self.request.record.removed(removed))
            }
            self.end(outcome) { $0 ? noContent : Problem.noFeed.response }
        }
    }

    /// Responds with what became of it, or tries it again.
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
            // A client that was told that the outcome is unknown may have sent it again, or a newer
            // one.
            guard !progress.withLock(\.isAnswered) else { return }
            tryAgain()
        }
    }

    /// Counts what was done, and tells the operator of it.
    private func report(_ record: PublishRecord) {
        api.service.publishes.add(record)
        api.configuration.reportPublish(record)
    }

    /// Counts a publish that was refused, and tells the operator of one that a guard refused.
    private func report(_ problem: Problem) {
        api.service.publishes.addRefused(problem.kind)
        guard let removals = problem.removals else { return }
        api.configuration.reportPublish(request.record.refused(removals))
    }
}

/// Step 6: the response.
extension PendingPublish {
    func respond(_ problem: Problem) { respond(problem.response) }

    /// Responds, and ends what waits for its Idempotency-Key.
    ///
    /// The first response counts. After `500` another one may come, when the journal has found out
    /// that the change is kept; then that is remembered for a request that is repeated.
    func respond(_ response: Response) {
        endKeeping()
        let (isFirst, fingerprint) = progress.withLock { progress in
            defer { progress.isAnswered = true }
            return (!progress.isAnswered, progress.fingerprint)
        }
        if let key = request.idempotency, let fingerprint {
            let kept = KeptResponse(response)
            if isFirst {
                api.service.idempotency.finished(key, kept)
            } else if let kept {
                api.service.idempotency.remember(key, fingerprint, kept)
            }
        }
        if isFirst { send(response) }
    }

    /// Adds what every response to a publish says, which is not kept with it.
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

/// A publish as work for threads.
extension PendingPublish {
    /// How much work it is: its body is read, and a patch may be about the whole feed.
    var size: WorkSize {
        switch request.type {
        case .jsonPatch:
            let feed = api.store.current(request.feed)?.snapshot.itemByteCount ?? 0
            return WorkSize(byteCount: 16 * content.count + feed)
        // What edits rewrite may be much longer than they are.
        case .json where request.isPatch: return WorkSize(byteCount: 256 * content.count)
        case .json, .jsonFeed, .mergePatch: return WorkSize(byteCount: 16 * content.count)
        }
    }

    /// A step that runs on a thread.
    func step(
        holding byteCount: Int,
        _ run: @escaping @Sendable () -> Void,
        refuse: @escaping @Sendable () -> Void
    ) -> QueuedWork {
        QueuedWork(
            flow: request.flow,
            time: api.service.work.publishes(.small).now,
            byteCount: byteCount,
            isWanted: isWanted,
            run: run,
            refuse: refuse
        )
    }

    /// Counts it among those that wait for the journal, unless it is; or refuses it.
    func beginKeeping() -> Bool {
        if progress.withLock(\.isUndecided) { return true }
        guard api.service.undecided.begin(content.count) else {
            api.service.work.refusals.note(.publish)
            respond(.publishesOverload)
            return false
        }
        progress.withLock { $0.isUndecided = true }
        return true
    }

    /// Takes note that it has its answer.
    func endKeeping() {
        let wasUndecided = progress.withLock { progress in
            defer { progress.isUndecided = false }
            return progress.isUndecided
        }
        if wasUndecided { api.service.undecided.end(content.count) }
    }

    /// Whether to go on.
    ///
    /// A client that has closed its side of the connection still wants what it asked for done, but
    /// for a dry run. What was tried once is tried to its end.
    private func isWanted(presumesLeft: Bool) -> Bool {
        progress.withLock(\.start) != nil
            || responder.isWanted(presumesLeft: presumesLeft && request.isDryRun)
    }
}

/// Steps 2 and 5.
///
/// A publish with an Idempotency-Key is carried out once, even if it is sent again. A publish is
/// tried again if another server was quicker.
extension PendingPublish {
    /// Goes on when no request with its key runs, if none was carried out.
    func claim(_ key: IdempotencyMemory.Key) {
        // It may have to wait for another one that the journal keeps waiting.
        guard beginKeeping() else { return }
        let type = Array(request.type.rawValue.utf8)
        let fingerprint = SHA256Digest.Value(of: type, and: content)
        api.service.idempotency.claim(key, fingerprint: fingerprint) { decision in
            switch decision {
            case .replay(let first): self.respond(first.response)
            case .conflict: self.respond(.otherBody)
            case .run:
                self.progress.withLock { $0.fingerprint = fingerprint }
                self.lookUpElsewhere()
            }
        }
    }

    /// Goes on to step 3, unless another server has carried this very request out.
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
                // One that cannot be read counts as none.
                guard let kept = KeptResponse(found) else { return self.enqueue() }
                self.respond(kept.response)
            }
        }
    }

    /// For how long a publish is tried that others are always quicker than.
    private static let racingTime = Duration.seconds(10)

    /// Tries again what another server was quicker than.
    func tryAgain() {
        let now = api.configuration.clock()
        let start = progress.withLock(\.start) ?? now
        guard now - start < PendingPublish.racingTime else {
            return respond(.notKept("other servers publish to this feed all the time"))
        }
        lookUpElsewhere()
    }

    /// Makes what the journal keeps of a response with the change; `nil`: it keeps none.
    func journalRecorder() -> (@Sendable (Response) -> JournalAnswer)? {
        guard let key = request.idempotency,
            let fingerprint = progress.withLock(\.fingerprint)
        else { return nil }
        let time = api.store.clock.wall()
        return { JournalAnswer(key, fingerprint, $0, at: time) }
    }
}

extension Problem {
    /// `422` for an Idempotency-Key that was used for something else.
    fileprivate static var otherBody: Problem {
        Problem(
            .idempotencyKey,
            .unprocessableContent,
            "this Idempotency-Key was sent before with another body"
        )
    }
}
