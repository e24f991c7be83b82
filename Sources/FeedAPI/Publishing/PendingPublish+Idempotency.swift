import FeedJournal
import FeedStore
import HTTPServer
import HTTPTypes
import Synchronization

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
        api.idempotency.claim(key, fingerprint: fingerprint) { decision in
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
