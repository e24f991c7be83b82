import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import Synchronization

/// Step 4.
extension PendingPublish {
    /// Does what is asked for; called on a thread, when its turn has come.
    func carryOut() {
        let now = api.configuration.clock()
        progress.withLock { $0.start = $0.start ?? now }
        switch action {
        case .change(let read, let response): change(read, response)
        case .removal: remove()
        case .refresh(let sources):
            sources.refresh(request.feed) { refresh in
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
        let (store, request, limit) = (api.store, request, api.configuration.itemLimit)
        store.publish(
            request.feed,
            dryRun: request.isDryRun,
            refusal: api.refusal,
            prepare: api.prepare,
            answer: journalRecorder().map { record in { record(response($0)) } }
        ) { current throws(Problem) in
            try request.check(current, at: store.wallSeconds)
            let snapshot = try transform(current)
            try FeedAPI.check(snapshot.count, limit: limit)
            return snapshot
        } completion: { outcome in
            if case .done(let publication) = outcome, !self.request.isDryRun {
                self.report(self.request.record.done(publication))
            }
            self.end(outcome, response)
        }
    }

    private func remove() {
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
        case .failed(let problem): respond(problem)
        case .refused(let reason):
            api.work.refusals.noteNotKept(reason)
            respond(.notKept(reason))
        case .unknown(let reason):
            api.work.refusals.noteNotKept(reason)
            respond(.outcomeUnknown(reason))
        case .late: tryAgain()
        }
    }

    /// Counts what was done, and tells the operator of it.
    private func report(_ record: PublishRecord) {
        let counters = api.publishes
        if record.isChanged { counters.changed.add() } else { counters.unchanged.add() }
        api.configuration.reportPublish(record)
    }
}
