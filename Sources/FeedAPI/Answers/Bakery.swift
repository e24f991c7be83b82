import FeedModel
import FeedStore
import HTTPServer
import Synchronization

/// Where the baked answers of the current versions are found, and given up in time.
final class Bakery: Sendable {
    /// Tells it from every other, also from those that are gone, whose address it may have.
    let number = Bakery.count.add(1, ordering: .relaxed).newValue
    private static let count = Atomic(0)

    private let composer: Composer
    private let store: FeedStore
    /// Of each feed the newest answers there are.
    private let newest = Mutex([FeedName: BakedAnswers]())

    /// Bytes of all bodies that are kept, counted as they come and go.
    private let sum = Atomic(0)
    /// The most that ``byteCount`` may be for long.
    private let byteLimit: Int

    init(_ composer: Composer, store: FeedStore, byteLimit: Int = 512 << 20) {
        self.composer = composer
        self.store = store
        self.byteLimit = byteLimit
    }

    /// Bytes of all bodies that are kept.
    var byteCount: Int { sum.load(ordering: .relaxed) }

    /// Notes that answers keep so many bytes more, or fewer.
    func count(_ bytes: Int) {
        sum.add(bytes, ordering: .relaxed)
    }

    /// Gives up answers, but none of `kept`, when all are past the limit.
    func trim(keeping kept: BakedAnswers) {
        guard byteCount > byteLimit else { return }
        // Somewhat below the limit, so that this is not done again with the next body.
        let goal = byteLimit / 8 * 7
        for answers in newest.withLock({ Array($0.values) }) where answers !== kept {
            guard byteCount > goal else { return }
            answers.clear()
        }
    }

    /// The answers about `version`, which is or was just now the current one.
    func answers(for version: Version) -> BakedAnswers {
        (found(version) ?? made(version)).answers
    }

    /// The same as they are sent at the moment.
    func atHand(_ version: Version) -> AnswersAtHand {
        guard let found = found(version) else { return made(version) }
        let now = composer.pacing.now
        return found.isDue(now) ? renewed(found, version, now) : found
    }

    /// What is there when somebody has asked before.
    func found(_ version: Version) -> AnswersAtHand? {
        let attachment = version.attachment.withLock { $0 }
        guard let found = attachment as? AnswersAtHand, found.answers.owner == number
        else { return nil }
        return found
    }

    private func made(_ version: Version) -> AnswersAtHand {
        let fresh = atHand(
            BakedAnswers(version, in: self),
            version,
            composer.pacing.hint(version),
            composer.pacing.now
        )
        let attached = version.attachment.withLock { attachment in
            if let other = attachment as? AnswersAtHand, other.answers.owner == number {
                return other
            }
            attachment = fresh
            return fresh
        }
        if attached === fresh { register(fresh.answers, version) }
        return attached
    }

    /// The same answers with the hint of now.
    private func renewed(_ old: AnswersAtHand, _ version: Version, _ now: Int) -> AnswersAtHand {
        let hint = composer.pacing.hint(version)
        guard hint != old.hint else { return old }
        let new = atHand(old.answers, version, hint, now)
        version.attachment.withLock { attachment in
            if attachment === old { attachment = new }
        }
        return new
    }

    private func atHand(
        _ answers: BakedAnswers,
        _ version: Version,
        _ hint: Int,
        _ now: Int
    ) -> AnswersAtHand {
        AnswersAtHand(answers, hint: hint, now: now) { coding, isUnchanged in
            BakedResponse(
                composer.notModified(
                    version,
                    coding,
                    isUnchanged: isUnchanged,
                    canBeHeld: true,
                    origin: nil,
                    hint: hint
                )
            )
        }
    }

    /// Gives up the answers about a feed that is gone.
    func forget(_ feed: FeedName) {
        let retired = newest.withLock { newest in
            store.current(feed) == nil ? newest.removeValue(forKey: feed) : nil
        }
        retired?.retire()
    }

    /// Makes `answers` the newest of their feed, unless `version` is current no more.
    private func register(_ answers: BakedAnswers, _ version: Version) {
        // Looked up inside: two versions of a feed cannot both find themselves current and then
        // register in the wrong order.
        let retired = newest.withLock { newest in
            store.current(version.feed) === version
                ? newest.updateValue(answers, forKey: version.feed) : answers
        }
        retired?.retire()
    }
}
