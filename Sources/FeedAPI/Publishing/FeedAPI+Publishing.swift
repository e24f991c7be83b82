import FeedJournal
import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import Synchronization

/// How every publish goes: form, idempotency, the feed's queue, conditions, the change, the answer.
extension FeedAPI {
    /// Makes the feed's new state of its current version.
    typealias Transform = @Sendable (Version?) throws(Problem) -> Snapshot

    /// The answer to what a publish did.
    typealias Report = @Sendable (Publication) -> Response

    /// Puts work into a feed's queue; the second closure is called in the first one's place when
    /// there is too much to do.
    typealias Submit =
        @Sendable (_ run: @escaping @Sendable () -> Void, _ refuse: @escaping @Sendable () -> Void)
        -> Void

    /// Carries out a publish when its turn in its feed's queue has come.
    ///
    /// It gets the fingerprint of its body if its answer is to be kept, and says its answer: once,
    /// or after `500` once more, when it turns out that it was kept.
    typealias Attempt =
        @Sendable (IdempotencyMemory.Digest?, @escaping @Sendable (Response) -> Void) -> Void

    /// Takes the body of a publish, and answers when it is carried out; `read` throws for
    /// whatever does not depend on the feed.
    func publish(
        _ request: PublishRequest,
        read: @escaping @Sendable ([UInt8]) throws(Problem) -> Transform,
        report: @escaping Report
    ) -> Disposition {
        let origin = request.origin
        // Told before the body is sent, where it can be.
        guard work.publishes(.small).admits(request.flow) else {
            return .answer(overloadedByPublishes(origin))
        }
        return .body(limit: configuration.bodyByteLimit) { refusal in
            self.builder.response(Problem(refusal), origin: origin)
        } then: { body, responder in
            self.withContent(of: body, request, responder) { content in
                self.run(request, content, responder) { fingerprint, answer in
                    let start = self.configuration.clock()
                    self.carryOut(request, content, fingerprint, read, report, since: start, answer)
                }
            }
        }
    }

    /// Goes on with the content of a body; one that is long and in gzip is taken apart before.
    private func withContent(
        of body: ReceivedBody,
        _ request: PublishRequest,
        _ responder: Responder,
        _ goOn: @escaping @Sendable ([UInt8]) -> Void
    ) {
        if case .content(let bytes) = body { return goOn(bytes) }
        let origin = request.origin
        let queued = queued(request, holding: body.byteCount, responder) {
            do throws(BodyRefusal) {
                let content = try body.content { responder.isWanted(presumesLeft: false) }
                if let content { goOn(content) }
            } catch {
                responder(self.builder.response(Problem(error), origin: origin))
            }
        } refuse: {
            responder(self.overloadedByPublishes(origin))
        }
        work.publishes(.large).submit(queued)
    }

    /// Carries out what has no body.
    func publish(
        _ request: PublishRequest,
        _ transform: @escaping Transform,
        report: @escaping Report
    ) -> Disposition {
        later(request) { fingerprint, answer in
            let read: @Sendable ([UInt8]) throws(Problem) -> Transform = { _ in transform }
            let start = self.configuration.clock()
            self.carryOut(request, [], fingerprint, read, report, since: start, answer)
        }
    }

    /// Does something in its turn among a feed's publishes and answers with its result.
    func later(
        _ request: PublishRequest,
        _ attempt: @escaping Attempt
    ) -> Disposition {
        .later { responder in self.run(request, [], responder, attempt) }
    }

    /// `503` for a publish that would need too much memory, of which the operator hears.
    func refusal(_ shortage: MemoryShortage) -> Problem {
        work.refusals.noteShortage()
        return Problem(shortage)
    }

    /// Queues a publish and answers when it was carried out; what has an Idempotency-Key runs only if it
    /// was not carried out before.
    private func run(
        _ request: PublishRequest,
        _ body: [UInt8],
        _ responder: Responder,
        _ attempt: @escaping Attempt
    ) {
        let answer: @Sendable (Response) -> Void = { response in
            var response = response
            self.builder.finish(&response, request)
            if let standing = request.origin.standing {
                self.limiter?.add(standing, to: &response.fields)
            }
            responder(response)
        }
        let size = size(of: body, request)
        let refuse: @Sendable () -> Void = { answer(Problem.publishesOverload.response) }
        let submit: Submit = { run, refuse in
            let queued = self.queued(request, holding: body.count, responder, run, refuse: refuse)
            self.feedQueues.submit(request.feed, size, queued)
        }
        guard let key = request.idempotency else {
            let isAnswered = AnsweredOnce()
            submit(
                { attempt(nil) { response in if isAnswered.begin() { answer(response) } } },
                refuse
            )
            return
        }
        // It takes a while to know a long body again.
        let begin = queued(request, holding: body.count, responder) {
            self.once(key, request, body, answer, submit, attempt)
        } refuse: {
            refuse()
        }
        work.publishes(size).submit(begin)
    }

    /// A piece of a publish's work.
    private func queued(
        _ request: PublishRequest,
        holding byteCount: Int,
        _ responder: Responder,
        _ run: @escaping @Sendable () -> Void,
        refuse: @escaping @Sendable () -> Void
    ) -> QueuedWork {
        QueuedWork(
            flow: request.flow,
            time: work.publishes(.small).now,
            byteCount: byteCount,
            // One that has closed its side still wants what it asked for done, but for a dry run.
            isWanted: { presumesLeft in
                responder.isWanted(presumesLeft: presumesLeft && request.isDryRun)
            },
            run: run,
            refuse: refuse
        )
    }

    /// How much work a publish is: its body is read, and a patch may be about the whole feed.
    func size(of body: [UInt8], _ request: PublishRequest) -> WorkSize {
        switch request.type {
        // It may be about the whole feed.
        case .jsonPatch:
            let feed = store.current(request.feed)?.snapshot.itemByteCount ?? 0
            return WorkSize(byteCount: 16 * body.count + feed)
        // What they rewrite may be much longer than they are.
        case .json where request.isPatch: return WorkSize(byteCount: 256 * body.count)
        case .json, .jsonFeed, .mergePatch: return WorkSize(byteCount: 16 * body.count)
        }
    }

    private func overloadedByPublishes(_ origin: RequestOrigin) -> Response {
        builder.response(.publishesOverload, origin: origin)
    }

    private func carryOut(
        _ request: PublishRequest,
        _ body: [UInt8],
        _ fingerprint: IdempotencyMemory.Digest?,
        _ read: @escaping @Sendable ([UInt8]) throws(Problem) -> Transform,
        _ report: @escaping Report,
        since start: Duration,
        _ answer: @escaping @Sendable (Response) -> Void
    ) {
        let transform: Transform
        do throws(Problem) {
            transform = try read(body)
        } catch {
            return answer(error.response)
        }
        let limit = configuration.itemLimit
        store.publish(
            request.feed,
            dryRun: request.isDryRun,
            refusal: refusal,
            prepare: prepare,
            answer: request.kept(fingerprint, at: store.clock.wall()).map { kept in
                { kept(report($0)) }
            }
        ) { current throws(Problem) in
            try request.check(current, at: store.wallSeconds)
            let snapshot = try transform(current)
            try FeedAPI.check(snapshot.count, limit: limit)
            return snapshot
        } completion: { outcome in
            if case .late = outcome {
                return self.again(request, body, fingerprint, since: start, answer) {
                    self.carryOut(request, body, fingerprint, read, report, since: start, answer)
                }
            }
            if case .done(let publication) = outcome, !request.isDryRun {
                self.note(request.record.done(publication))
            }
            self.tell(outcome, report, answer)
        }
    }

    /// Reads a body; what is wrong with it becomes a problem.
    static func reading<Value>(
        _ body: [UInt8],
        _ read: () throws(DocumentError) -> Value
    ) throws(Problem) -> Value {
        do {
            return try read()
        } catch {
            throw Problem(error, in: body)
        }
    }

    /// Makes what comes of a patch; what is wrong with it becomes a problem.
    static func patching<Value>(
        _ make: () throws(DocumentError) -> Value
    ) throws(Problem) -> Value {
        do {
            return try make()
        } catch {
            throw Problem(error, isResult: true)
        }
    }

    static func check(_ itemCount: Int, limit: Int) throws(Problem) {
        guard itemCount > limit else { return }
        throw Problem(
            .limit,
            .unprocessableContent,
            "\(itemCount) items, a feed may have \(limit)"
        )
    }

    /// Gives the new version what the publish has found out anyway.
    func prepare(_ publication: Publication) {
        guard let previous = publication.previous else { return }
        cache.prepare(publication.current, after: previous.token, publication.changes)
        prepareFormats(publication)
    }
}

extension Problem {
    /// `503` for a publish when too many of them wait.
    static var publishesOverload: Problem {
        overloaded("too many publishes are waiting")
    }
}
