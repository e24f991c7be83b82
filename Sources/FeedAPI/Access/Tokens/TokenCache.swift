import DequeModule
import FeedModel
import Synchronization

/// A cache of verified signed tokens, which also counts tokens with a wrong signature.
///
/// With the cache, a client with a token costs no more than a client with a key. Wrong signatures
/// are counted for each client, anew in each second.
final class TokenCache: Sendable {
    private struct State {
        var keys: [SHA256Digest: AccessKey] = [:]
        /// The digests of all cached tokens, oldest first.
        var order = Deque<SHA256Digest>()
        var byteCount = 0
        /// The second, since 1970, of the counts of refused tokens.
        var second = 0.0
        var refusedCounts: [ClientID: Int] = [:]

        /// Returns the client under which a client's wrong signatures are counted: itself, or
        /// `.local` for all clients beyond ``TokenCache/clientLimit``.
        ///
        /// The counts are cleared first if a new second has begun.
        mutating func counted(_ client: ClientID, at now: Double) -> ClientID {
            if now.rounded(.down) != second {
                second = now.rounded(.down)
                refusedCounts.removeAll(keepingCapacity: true)
            }
            let isOwn =
                refusedCounts[client] != nil || refusedCounts.count < TokenCache.clientLimit
            return isOwn ? client : .local
        }
    }

    private let state = Mutex(State())

    /// The most cached tokens.
    static let countLimit = 1024
    /// The most bytes of the cache, approximately; a token may have hundreds of patterns.
    static let byteLimit = 16 << 20
    /// The most wrong signatures of one client that are checked in one second.
    static let refusedLimit = 200
    /// The most clients whose refused tokens are counted separately, some 32 bytes each.
    static let clientLimit = 4096

    /// Returns the key for the token with that digest; `nil` if it is not cached.
    subscript(digest: SHA256Digest) -> AccessKey? {
        state.withLock { $0.keys[digest] }
    }

    /// Caches the key for a token, and evicts the oldest tokens beyond the limits.
    func keep(_ key: AccessKey, _ digest: SHA256Digest) {
        let evicted = state.withLock { state -> [AccessKey] in
            guard state.keys.updateValue(key, forKey: digest) == nil else { return [] }
            state.order.append(digest)
            state.byteCount += key.byteCount
            var evicted: [AccessKey] = []
            while state.order.count > 1,
                state.order.count > TokenCache.countLimit || state.byteCount > TokenCache.byteLimit,
                let oldest = state.order.popFirst(),
                let key = state.keys.removeValue(forKey: oldest)
            {
                state.byteCount -= key.byteCount
                evicted.append(key)
            }
            return evicted
        }
        // The evicted keys are freed here, after the lock was released.
        withExtendedLifetime(evicted) {}
    }

    /// The number of cached tokens.
    var count: Int { state.withLock(\.keys.count) }

    /// Returns whether another token of a client may be verified: the client has sent fewer than
    /// ``refusedLimit`` wrong signatures in this second.
    ///
    /// - Parameter now: The seconds since 1970.
    func mayVerify(for client: ClientID, at now: Double) -> Bool {
        state.withLock { state in
            let client = state.counted(client, at: now)
            return state.refusedCounts[client, default: 0] < TokenCache.refusedLimit
        }
    }

    /// Counts a token of a client whose signature was wrong.
    func addRefused(_ client: ClientID, at now: Double) {
        state.withLock { state in
            let client = state.counted(client, at: now)
            state.refusedCounts[client, default: 0] += 1
        }
    }
}

extension AccessKey {
    /// The approximate number of bytes of memory that the key takes.
    fileprivate var byteCount: Int {
        rights.all.reduce(512) { $0 + 256 + 3 * $1.text.utf8.count }
    }
}
