import FeedJournal
import FeedStore
import HTTPServer
import HTTPTypes

/// What is said of a publish that was carried out.
extension FeedAPI {
    /// Counts a publish that was carried out, and tells the operator of it.
    func note(_ record: PublishRecord) {
        if record.isChanged { publishes.changed.add() } else { publishes.unchanged.add() }
        configuration.reportPublish(record)
    }

    /// Answers with what became of a publish, and notes one that was not kept.
    func tell<Value>(
        _ outcome: PublishOutcome<Value, Problem>,
        _ report: (Value) -> Response,
        _ answer: @Sendable (Response) -> Void
    ) {
        switch outcome {
        case .done(let value): answer(report(value))
        case .failed(let problem): answer(problem.response)
        case .refused(let reason):
            work.refusals.noteNotKept(reason)
            answer(Problem.notKept(reason).response)
        case .unknown(let reason):
            work.refusals.noteNotKept(reason)
            answer(Problem.outcomeUnknown(reason).response)
        case .late: answer(Problem.notKept("another server was quicker").response)
        }
    }
}

extension ResponseBuilder {
    /// Adds what every answer to a publish says, which is not remembered with it.
    func finish(_ response: inout Response, _ request: PublishRequest) {
        if !access.isOpen(request.feed) { response.fields.addVary("Authorization") }
        if response.status.kind == .successful, let hint = polling.hint(request.feed) {
            response.fields[.refreshAfter] = String(hint)
        }
        cors.add(to: &response.fields, for: request.origin)
    }
}

extension PublishRequest {
    /// Makes what is kept of a response with the change, where that is to be.
    func kept(
        _ fingerprint: IdempotencyMemory.Digest?,
        at time: Double
    ) -> (@Sendable (Response) -> JournalAnswer)? {
        guard let key = idempotency, let fingerprint else { return nil }
        return { JournalAnswer(key, fingerprint, $0, at: time) }
    }
}
