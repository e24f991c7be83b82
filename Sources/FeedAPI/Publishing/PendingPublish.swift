import FeedJournal
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
/// 5. ``tryAgain()``, only where another server was quicker: looks the key up there, then step 3.
/// 6. ``respond(_:)`` sends the response.
///
/// Steps 2 and 5 are in PendingPublish+Idempotency.swift, step 4 is in PendingPublish+Action.swift.
/// The closure that waits for the next step holds the publish. After the last one nothing does, and
/// the body is freed with it.
final class PendingPublish: Sendable {
    /// What is found out on the way.
    struct Progress {
        /// The body, without its content coding; empty where there is none.
        var content: [UInt8] = []
        /// Tells contents with their media types apart; there once this request is the one of those
        /// with its Idempotency-Key that runs.
        var fingerprint: IdempotencyMemory.Digest?
        /// When it was first carried out.
        var start: Duration?
        /// The version that a deletion ends.
        var removed: Token?
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
}

/// Steps 1 and 3.
extension PendingPublish {
    /// Takes the body; called on an event loop, where one that is long is not decompressed.
    func receive(_ body: ReceivedBody) {
        if case .content(let content) = body { return received(content) }
        let work = work(holding: body.byteCount) {
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
        api.work.publishes(.large).submit(work)
    }

    private func received(_ content: [UInt8]) {
        progress.withLock { $0.content = content }
        lookUp()
    }

    private func refuseBody(_ problem: Problem) {
        responder(api.builder.response(problem, origin: request.origin))
    }

    /// Has it carried out after the publishes of its feed that came before.
    func enqueue() {
        let work = work(holding: content.count) {
            self.carryOut()
        } refuse: {
            self.respond(.publishesOverload)
        }
        api.feedQueues.submit(request.feed, size, work)
    }
}

/// What the steps need.
extension PendingPublish {
    /// The body, without its content coding.
    var content: [UInt8] { progress.withLock(\.content) }

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
    func work(
        holding byteCount: Int,
        _ run: @escaping @Sendable () -> Void,
        refuse: @escaping @Sendable () -> Void
    ) -> QueuedWork {
        QueuedWork(
            flow: request.flow,
            time: api.work.publishes(.small).now,
            byteCount: byteCount,
            isWanted: isWanted,
            run: run,
            refuse: refuse
        )
    }

    /// Whether to go on. A client that has closed its side of the connection still wants what it
    /// asked for done, but for a dry run; and what was tried once is tried to its end.
    private func isWanted(presumesLeft: Bool) -> Bool {
        progress.withLock(\.start) != nil
            || responder.isWanted(presumesLeft: presumesLeft && request.isDryRun)
    }
}

/// Step 6.
extension PendingPublish {
    func respond(_ problem: Problem) {
        respond(problem.response)
    }

    /// Responds, and ends what waits for its Idempotency-Key.
    ///
    /// The first response counts. After `500` another one may come, when the journal has found out
    /// that the change is kept; then that is remembered for a request that is repeated.
    func respond(_ response: Response) {
        let (isFirst, fingerprint) = progress.withLock { progress in
            defer { progress.isAnswered = true }
            return (!progress.isAnswered, progress.fingerprint)
        }
        if let key = request.idempotency, let fingerprint {
            let kept = KeptResponse(response)
            if isFirst {
                api.idempotency.finished(key, kept)
            } else if let kept {
                api.idempotency.remember(key, fingerprint, kept)
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
        api.builder.cors.add(to: &response.fields, for: request.origin)
        if let standing = request.origin.standing {
            api.limiter?.add(standing, to: &response.fields)
        }
        responder(response)
    }
}
