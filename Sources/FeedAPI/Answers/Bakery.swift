import FeedModel
import FeedStore
import HTTPServer
import HTTPWire
import Synchronization

/// Where the baked answers of the current versions are found, and given up in time.
final class Bakery: Sendable {
    /// Tells it from every other, also from those that are gone, whose address it may have.
    let number = Bakery.count.add(1, ordering: .relaxed).newValue
    private static let count = Atomic(0)

    private let composer: Composer
    private let store: FeedStore
    /// The most bytes of answers, where memory allows.
    private let ownByteLimit: Int

    /// With less room than this nothing is kept.
    static let leastByteLimit = 1 << 10

    init(_ composer: Composer, store: FeedStore, byteLimit: Int = 512 << 20) {
        self.composer = composer
        self.store = store
        ownByteLimit = byteLimit
    }

    /// About the bytes of all answers that are kept, those of other configurations included.
    var byteCount: Int { store.attachedBytes.byteCount }

    /// The most that ``byteCount`` may be for long.
    var byteLimit: Int { min(ownByteLimit, store.attachedByteLimit) }

    /// Gives up answers, but none of `kept`, when all are past the limit.
    func trim(keeping kept: BakedAnswers) {
        store.trimAttached(to: min(ownByteLimit, store.makeRoom()), keeping: kept.token)
    }

    /// The answers about `version`, which is or was just now the current one.
    func answers(for version: Version) -> BakedAnswers {
        (found(version) ?? made(version)).answers
    }

    /// The same as they are sent at the moment.
    func atHand(_ version: Version) -> AnswersAtHand {
        guard let found = found(version) else { return made(version) }
        return found.standing.isDue() ? renewed(found, version) : found
    }

    /// What is there when somebody has asked before.
    func found(_ version: Version) -> AnswersAtHand? {
        let attachment = version.attachment.withLock { $0 }
        guard let found = attachment as? AnswersAtHand, found.answers.owner == number
        else { return nil }
        return found
    }

    private func made(_ version: Version) -> AnswersAtHand {
        let fresh = AnswersAtHand(
            BakedAnswers(version, in: self, counter: store.attachedBytes),
            version.status,
            hint: composer.pacing.hint(version),
            store.clock
        )
        let attached = version.attachment.withLock { attachment in
            if let other = attachment as? AnswersAtHand, other.answers.owner == number {
                return other
            }
            attachment = fresh
            return fresh
        }
        // The store retires what hangs on a version that is followed by another; if that was
        // just before, it has not seen these.
        if store.current(version.feed) !== version { attached.retire() }
        return attached
    }

    /// The same answers with the hint of now.
    private func renewed(_ old: AnswersAtHand, _ version: Version) -> AnswersAtHand {
        let hint = composer.pacing.hint(version)
        guard hint != old.hint else { return old }
        let new = AnswersAtHand(old.answers, version.status, hint: hint, store.clock)
        version.attachment.withLock { attachment in
            if attachment === old { attachment = new }
        }
        old.standing.end()
        return new
    }

    /// `304` to a request without an origin, or the same in the place of `unchanged`.
    func notModified(
        _ version: Version,
        _ answers: AnswersAtHand,
        _ coding: ContentCoding,
        isUnchanged: Bool
    ) -> BakedResponse {
        answers.notModified(coding, isUnchanged: isUnchanged) {
            BakedResponse(
                composer.notModified(
                    version,
                    coding,
                    isUnchanged: isUnchanged,
                    canBeHeld: true,
                    origin: nil,
                    hint: answers.hint
                )
            )
        }
    }
}
