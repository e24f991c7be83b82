import FeedJournal
import FeedStore
import HTTPServer
import HTTPTypes
import Synchronization

/// Carrying a publish out once: though it is sent again, and though other servers publish, too.
extension FeedAPI {
    /// Tries a publish again that another server was quicker than.
    ///
    /// - Parameters:
    ///   - body: Its body.
    ///   - fingerprint: Of its body, if it has an Idempotency-Key: the other server may have
    ///     carried out this very request.
    ///   - start: When it was tried first.
    ///   - answer: Says its answer.
    ///   - run: Tries it.
    func again(
        _ request: PublishRequest,
        _ body: [UInt8],
        _ fingerprint: IdempotencyMemory.Digest?,
        since start: Duration,
        _ answer: @escaping @Sendable (Response) -> Void,
        _ run: @escaping @Sendable () -> Void
    ) {
        guard configuration.clock() - start < FeedAPI.racingTime else {
            let reason = "other servers publish to this feed all the time"
            return answer(Problem.notKept(reason).response)
        }
        let submit: @Sendable () -> Void = {
            let work = QueuedWork(
                flow: request.flow,
                time: self.work.publishes(.small).now,
                byteCount: body.count,
                isWanted: { _ in true },
                run: run,
                refuse: { answer(Problem.publishesOverload.response) }
            )
            self.feedQueues.submit(request.feed, self.size(of: body, request), work)
        }
        guard let key = request.idempotency, let fingerprint else { return submit() }
        findElsewhere(key, fingerprint) { found in
            if let found { answer(found) } else { submit() }
        }
    }

    /// For how long a publish is tried that others are always quicker than.
    private static let racingTime = Duration.seconds(10)

    /// Finds the answer to a request that another server carried out.
    ///
    /// - Parameter completion: Gets what to answer; `nil`: it is to be carried out.
    private func findElsewhere(
        _ key: IdempotencyMemory.Key,
        _ fingerprint: IdempotencyMemory.Digest,
        completion: @escaping @Sendable (Response?) -> Void
    ) {
        guard let journal = store.sharedJournal else { return completion(nil) }
        journal.findAnswer(owner: key.owner.bytes, key: key.digest.bytes) { result in
            switch result {
            case .failure(let error): completion(Problem.notKept(error.description).response)
            case .success(nil): completion(nil)
            case .success(let kept?):
                guard kept.fingerprint == fingerprint.bytes else {
                    return completion(Problem.otherBody.response)
                }
                completion(KeptResponse(kept)?.response)
            }
        }
    }

    /// Carries out a request with an Idempotency-Key, unless that was done before.
    func once(
        _ key: IdempotencyMemory.Key,
        _ request: PublishRequest,
        _ body: [UInt8],
        _ answer: @escaping @Sendable (Response) -> Void,
        _ submit: @escaping Submit,
        _ attempt: @escaping Attempt
    ) {
        let fingerprint = IdempotencyMemory.Digest(of: Array(request.type.rawValue.utf8), and: body)
        idempotency.claim(key, fingerprint: fingerprint) { decision in
            switch decision {
            case .replay(let first): answer(first.response)
            case .conflict: answer(Problem.otherBody.response)
            case .run:
                self.findElsewhere(key, fingerprint) { found in
                    if let found {
                        self.idempotency.finished(key, KeptResponse(found))
                        return answer(found)
                    }
                    self.runOnce(key, fingerprint, answer, submit, attempt)
                }
            }
        }
    }

    private func runOnce(
        _ key: IdempotencyMemory.Key,
        _ fingerprint: IdempotencyMemory.Digest,
        _ answer: @escaping @Sendable (Response) -> Void,
        _ submit: @escaping Submit,
        _ attempt: @escaping Attempt
    ) {
        let isAnswered = AnsweredOnce()
        submit(
            {
                attempt(fingerprint) { response in
                    let kept = KeptResponse(response)
                    if isAnswered.begin() {
                        self.idempotency.finished(key, kept)
                        answer(response)
                    } else if let kept {
                        // Nobody knew, and now it turned out to be kept.
                        self.idempotency.remember(key, fingerprint, kept)
                    }
                }
            },
            {
                self.idempotency.finished(key, nil)
                answer(Problem.publishesOverload.response)
            }
        )
    }
}

/// Whether a request was answered; the first to ask is to do it.
final class AnsweredOnce: Sendable {
    private let isDone = Atomic(false)

    func begin() -> Bool { !isDone.exchange(true, ordering: .relaxed) }
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
