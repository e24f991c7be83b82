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
        if let answers = found(version) { return answers }
        let answers = BakedAnswers(version, in: self) { coding, isUnchanged in
            BakedResponse(
                composer.notModified(
                    version,
                    coding,
                    isUnchanged: isUnchanged,
                    canBeHeld: true,
                    origin: nil
                )
            )
        }
        let attached = version.attachment.withLock { attachment in
            if let other = attachment as? BakedAnswers, other.owner == answers.owner {
                return other
            }
            attachment = answers
            return answers
        }
        if attached === answers { register(answers, version) }
        return attached
    }

    /// The same, when somebody has asked for them before.
    func found(_ version: Version) -> BakedAnswers? {
        let attachment = version.attachment.withLock { $0 }
        guard let answers = attachment as? BakedAnswers,
            answers.owner == number
        else { return nil }
        return answers
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
