import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes

/// How every publish goes: form, idempotency, the feed's lane, conditions, the change, the answer.
extension FeedAPI {
    /// Makes the feed's new state of its current version.
    typealias Transform = @Sendable (Version?) throws(Problem) -> Snapshot

    /// The answer to what a publish did.
    typealias Report = @Sendable (Publication) -> Response

    /// Puts work into a feed's line.
    private typealias Submit = @Sendable (_ run: @escaping @Sendable () -> Void) -> Void

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
            self.run(request, body, responder) {
                self.carryOut(request, body, read, report)
            }
        }
    }

    /// Carries out what has no body.
    func publish(
        _ request: PublishRequest,
        _ transform: @escaping Transform,
        report: @escaping Report
    ) -> Disposition {
        later(request) {
            self.carryOut(request, [], { _ throws(Problem) in transform }, report)
        }
    }

    /// Does something in a feed's lane and answers with its result.
    func later(
        _ request: PublishRequest,
        _ work: @escaping @Sendable () -> Response
    ) -> Disposition {
        .later { responder in self.run(request, [], responder, work) }
    }

    /// Runs a publish in its feed's line and answers; what has an Idempotency-Key runs only if it
    /// was not carried out before.
    private func run(
        _ request: PublishRequest,
        _ body: [UInt8],
        _ responder: Responder,
        _ work: @escaping @Sendable () -> Response
    ) {
        let answer: @Sendable (Response) -> Void = { response in
            var response = response
            self.builder.finish(&response, request)
            responder(response)
        }
        let size = size(of: body, request)
        let refuse: @Sendable () -> Void = { answer(Problem.publishesOverload.response) }
        let submit: Submit = { run in
            let work = self.work(for: request, holding: body.count, responder, run, refuse: refuse)
            self.feedQueues.submit(request.feed, size, work)
        }
        guard let key = request.idempotency else {
            submit { answer(work()) }
            return
        }
        // It takes a while to know a long body again.
        let begin = self.work(for: request, holding: body.count, responder) {
            self.once(key, request, body, answer, submit, work)
        } refuse: {
            refuse()
        }
        if !self.work.publishes(size).submit(begin) { refuse() }
    }

    /// A piece of a publish's work.
    private func work(
        for request: PublishRequest,
        holding byteCount: Int,
        _ responder: Responder,
        _ run: @escaping @Sendable () -> Void,
        refuse: @escaping @Sendable () -> Void
    ) -> QueuedWork {
        QueuedWork(
            flow: request.flow,
            time: work.publishes(.small).now,
            byteCount: byteCount,
            // One that has closed its side still wants what it asked for done.
            isWanted: { _ in responder.isWanted(presumesLeft: false) },
            run: run,
            refuse: refuse
        )
    }

    /// How much work a publish is: its body is read, and a patch may be about the whole feed.
    private func size(of body: [UInt8], _ request: PublishRequest) -> WorkSize {
        switch request.type {
        // It may be about the whole feed.
        case .jsonPatch:
            let feed = store.current(request.feed)?.snapshot.itemByteCount ?? 0
            return WorkSize(byteCount: 16 * body.count + feed)
        // What they rewrite may be much longer than they are.
        case .json where request.isPatch: return WorkSize(byteCount: 256 * body.count)
        case .json, .mergePatch: return WorkSize(byteCount: 16 * body.count)
        }
    }

    private func overloadedByPublishes(_ origin: RequestOrigin) -> Response {
        builder.response(.publishesOverload, origin: origin)
    }

    private func carryOut(
        _ request: PublishRequest,
        _ body: [UInt8],
        _ read: ([UInt8]) throws(Problem) -> Transform,
        _ report: Report
    ) -> Response {
        do throws(Problem) {
            let transform = try read(body)
            let limit = configuration.itemLimit
            let publication = try store.publish(
                request.feed,
                dryRun: request.isDryRun,
                refusal: Problem.init(_:),
                prepare: prepare
            ) { current throws(Problem) in
                try request.check(current, at: store.wallSeconds)
                let snapshot = try transform(current)
                try FeedAPI.check(snapshot.count, limit: limit)
                return snapshot
            }
            return report(publication)
        } catch {
            return error.response
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

    private static func check(_ itemCount: Int, limit: Int) throws(Problem) {
        guard itemCount > limit else { return }
        throw Problem(
            .limit,
            .unprocessableContent,
            "\(itemCount) items, a feed may have \(limit)"
        )
    }

    /// Gives the new version what the publish has found out anyway.
    private func prepare(_ publication: Publication) {
        guard let previous = publication.previous else { return }
        cache.prepare(publication.current, after: previous.token, publication.changes)
    }

    /// Carries out a request with an Idempotency-Key, unless that was done before.
    private func once(
        _ key: IdempotencyMemory.Key,
        _ request: PublishRequest,
        _ body: [UInt8],
        _ answer: @escaping @Sendable (Response) -> Void,
        _ submit: @escaping Submit,
        _ work: @escaping @Sendable () -> Response
    ) {
        let fingerprint = IdempotencyMemory.Digest(of: Array(request.type.rawValue.utf8), and: body)
        idempotency.begin(key, fingerprint: fingerprint) { decision in
            switch decision {
            case .replay(let first): answer(first.response)
            case .conflict:
                let problem = Problem(
                    .idempotencyKey,
                    .unprocessableContent,
                    "this Idempotency-Key was sent before with another body"
                )
                answer(problem.response)
            case .run:
                submit {
                    let response = work()
                    self.idempotency.finished(key, PublishAnswer(response))
                    answer(response)
                }
            }
        }
    }
}

extension ResponseBuilder {
    /// Adds what every answer to a publish says, which is not remembered with it.
    fileprivate func finish(_ response: inout Response, _ request: PublishRequest) {
        if !access.isOpen(request.feed) { response.fields.addVary("Authorization") }
        if response.status.kind == .successful, let hint = polling.hint(request.feed) {
            response.fields[.refreshAfter] = String(hint)
        }
        cors.add(to: &response.fields, for: request.origin)
    }
}

extension Problem {
    /// `503` for a publish when too many of them wait.
    fileprivate static var publishesOverload: Problem {
        overloaded("too many publishes are waiting")
    }
}
