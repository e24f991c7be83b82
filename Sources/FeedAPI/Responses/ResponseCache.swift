import FeedModel
import FeedStore
import HTTPServer
import HTTPWire
import Synchronization

/// The cache of responses about versions of feeds.
///
/// There is no other cache. A response is found by a ``ResponseKey`` among the ``VersionResponses``
/// of its version. The responses about a current version are attached to that version; the
/// responses about a few past versions are stored here.
final class ResponseCache: Sendable {
    /// A number that no other cache in this process has, not even a freed one.
    let number = ResponseCache.count.add(1, ordering: .relaxed).newValue
    private static let count = Atomic(0)

    private let store: FeedStore
    /// The responses about past versions.
    private let past = Mutex(Past())
    /// The most bytes of responses, if memory allows.
    private let ownByteLimit: Int

    /// The limit in bytes below which no responses are cached.
    static let leastByteLimit = 1 << 10

    init(_ store: FeedStore, byteLimit: Int = 512 << 20) {
        self.store = store
        ownByteLimit = byteLimit
    }

    /// The approximate number of bytes of all cached responses, including the responses by other
    /// configurations.
    var byteCount: Int { store.attachedBytes.byteCount }

    /// The current limit for ``byteCount``, which may be exceeded for a short time.
    var byteLimit: Int { min(ownByteLimit, store.attachedByteLimit) }

    /// Evicts responses beyond the limit, but not the responses in `kept`.
    func trim(keeping kept: VersionResponses) {
        let limit = byteLimit
        past.withLock { $0.trim(to: limit / 4, keeping: kept) }
        store.makeRoom()
        store.trimAttached(to: limit, keeping: kept.token)
    }

    /// Returns the responses about `version`.
    ///
    /// A version that was read from the journal gets new responses for each read. Only callers who
    /// may write the feed get them, and they must not be mixed with responses that were cached
    /// while every reader could have the version.
    func responses(for version: Version) -> VersionResponses {
        let attachment = version.attachment.withLock { $0 }
        if let found = attachment as? VersionResponses, found.owner == number { return found }
        return begun(for: version)
    }

    /// Removes the responses about all past versions of a feed.
    ///
    /// Called when one of these versions is forgotten: changes since that version have ids of its
    /// items.
    func forgetPast(of feed: FeedName) {
        past.withLock { $0.forget(feed) }
    }

    /// Makes the object for the responses about a version, unless another thread has just made it.
    private func begun(for version: Version) -> VersionResponses {
        let fresh = VersionResponses(version, in: self, counter: store.attachedBytes)
        if version.isKept { return fresh }
        guard store.current(version.feed) === version else {
            return past.withLock { $0.responses(orNew: fresh) }
        }
        let attached = version.attachment.withLock { attachment in
            if let other = attachment as? VersionResponses, other.owner == number {
                return other
            }
            attachment = fresh
            return fresh
        }
        // The store retires the attachment when the next version is installed. If that happened
        // just before this one was attached, it must be retired here.
        if store.current(version.feed) !== version { version.retireAttachment() }
        return attached
    }
}

extension ResponseCache {
    /// The responses about a few past versions; the least recently used ones are evicted first.
    struct Past {
        /// The responses about each version; the most recently used are last.
        private var kept: [VersionResponses] = []

        private static let countLimit = 16

        /// Returns the responses about the version of `new`, which is kept if there are none.
        mutating func responses(orNew new: VersionResponses) -> VersionResponses {
            let index = kept.firstIndex { $0.token == new.token && $0.feed == new.feed }
            let found = index.map { kept.remove(at: $0) } ?? new
            kept.append(found)
            if kept.count > Past.countLimit { kept.removeFirst() }
            return found
        }

        mutating func forget(_ feed: FeedName) { kept.removeAll { $0.feed == feed } }

        /// Evicts the least recently used responses until the others take at most `byteLimit`
        /// bytes; `last` stays.
        mutating func trim(to byteLimit: Int, keeping last: VersionResponses) {
            var sum = kept.reduce(0) { $0 + $1.byteCount }
            while sum > byteLimit, let first = kept.first, first !== last {
                sum -= first.byteCount
                kept.removeFirst()
            }
        }
    }
}
