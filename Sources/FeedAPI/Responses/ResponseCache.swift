import FeedModel
import FeedStore
import HTTPServer
import HTTPWire
import Synchronization

/// The responses about versions of feeds: where they are found, and given up in time.
///
/// There is no other cache. A response is found by a ``ResponseKey`` among the responses about its
/// version. The responses about a current version hang on it; a few about other versions are kept.
final class ResponseCache: Sendable {
    /// Tells it from every other, also from those that are gone, whose address it may have.
    let number = ResponseCache.count.add(1, ordering: .relaxed).newValue
    private static let count = Atomic(0)

    private let store: FeedStore
    /// The responses about versions that are no longer current.
    private let past = Mutex(Past())
    /// The most bytes of responses, where memory allows.
    private let ownByteLimit: Int

    /// With less room than this nothing is kept.
    static let leastByteLimit = 1 << 10

    init(_ store: FeedStore, byteLimit: Int = 512 << 20) {
        self.store = store
        ownByteLimit = byteLimit
    }

    /// About the bytes of all responses that are kept, those of other configurations included.
    var byteCount: Int { store.attachedBytes.byteCount }

    /// The most that ``byteCount`` may be for long.
    var byteLimit: Int { min(ownByteLimit, store.attachedByteLimit) }

    /// Gives up responses, but none of `kept`, when all are past the limit.
    func trim(keeping kept: VersionResponses) {
        past.withLock { $0.trim(to: byteLimit / 4, keeping: kept) }
        store.trimAttached(to: min(ownByteLimit, store.makeRoom()), keeping: kept.token)
    }

    /// The responses about `version`, which is current or one of those that are remembered.
    func responses(for version: Version) -> VersionResponses {
        let attachment = version.attachment.withLock { $0 }
        if let found = attachment as? VersionResponses, found.owner == number { return found }
        return begun(for: version)
    }

    /// Forgets the responses about a past version.
    func forget(_ token: Token, of feed: FeedName) {
        past.withLock { $0.forget(token, of: feed) }
    }

    /// Begins with the responses about a version before it can be seen: the changes that a publish
    /// found out are there before any reader is told of it.
    ///
    /// - Parameters:
    ///   - version: To be installed.
    ///   - previous: The one before.
    ///   - changes: Between both.
    func prepare(_ version: Version, after previous: Token, _ changes: Changes) {
        let fresh = VersionResponses(version, in: self, counter: store.attachedBytes)
        fresh.setDelta(since: previous.version, changes)
        version.attachment.withLock { $0 = fresh }
    }

    private func begun(for version: Version) -> VersionResponses {
        guard store.current(version.feed) === version else {
            return past.withLock { past in
                past.responses(for: version) {
                    VersionResponses(version, in: self, counter: store.attachedBytes)
                }
            }
        }
        let fresh = VersionResponses(version, in: self, counter: store.attachedBytes)
        let attached = version.attachment.withLock { attachment in
            if let other = attachment as? VersionResponses, other.owner == number {
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
}

extension ResponseCache {
    /// The responses about a few past versions that somebody asked for of late: what is asked for
    /// often is made once.
    struct Past {
        /// The one that was asked for last at the end.
        private var kept: [VersionResponses] = []

        private static let countLimit = 16

        /// The responses about a version.
        mutating func responses(
            for version: Version,
            make: () -> VersionResponses
        ) -> VersionResponses {
            let index = kept.firstIndex { $0.token == version.token && $0.feed == version.feed }
            let found = index.map { kept.remove(at: $0) } ?? make()
            kept.append(found)
            if kept.count > Past.countLimit { kept.removeFirst() }
            return found
        }

        mutating func forget(_ token: Token, of feed: FeedName) {
            kept.removeAll { $0.token == token && $0.feed == feed }
        }

        /// Forgets those that were asked for longest ago, until the rest takes at most so many
        /// bytes.
        mutating func trim(to byteLimit: Int, keeping last: VersionResponses) {
            var sum = kept.reduce(0) { $0 + $1.byteCount }
            while sum > byteLimit, let first = kept.first, first !== last {
                sum -= first.byteCount
                kept.removeFirst()
            }
        }
    }
}
