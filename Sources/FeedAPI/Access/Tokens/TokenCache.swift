import DequeModule
import FeedModel
import Synchronization

/// Caches verified tokens, so that a client that asks often costs no more than one with a key.
final class TokenCache: Sendable {
    private struct State {
        var keys: [SHA256Digest.Value: AccessKey] = [:]
        /// The digests of all kept tokens, oldest first.
        var order = Deque<SHA256Digest.Value>()
        var byteCount = 0
    }

    private let state = Mutex(State())

    /// The most cached tokens.
    static let countLimit = 1024
    /// The approximate limit of the cache's memory in bytes: a token may have hundreds of patterns.
    static let byteLimit = 16 << 20

    /// Returns the key for the token with that digest; `nil` if it is not cached.
    subscript(digest: SHA256Digest.Value) -> AccessKey? {
        state.withLock { $0.keys[digest] }
    }

    /// Caches the key for a token, and evicts the oldest tokens beyond the limits.
    func keep(_ key: AccessKey, _ digest: SHA256Digest.Value) {
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
}

extension AccessKey {
    /// The approximate number of bytes of memory that the key takes.
    fileprivate var byteCount: Int {
        (read + write + follow).reduce(512) { $0 + 256 + 3 * $1.text.utf8.count }
    }
}

/// Counts the tokens with a wrong signature in the current second, by client.
final class RefusedTokens: Sendable {
    private struct State {
        var second = 0.0
        var counts: [ClientID: Int] = [:]

        mutating func begin(_ now: Double) {
            guard now.rounded(.down) != second else { return }
            second = now.rounded(.down)
            counts.removeAll(keepingCapacity: true)
        }

        /// Returns the client to count for; clients beyond ``clientLimit`` are counted as one.
        func counted(_ client: ClientID) -> ClientID {
            counts[client] != nil || counts.count < RefusedTokens.clientLimit ? client : .local
        }
    }

    private let state = Mutex(State())

    /// The most wrong signatures of one client in one second.
    static let limit = 200
    /// The most clients that are counted separately, some 32 bytes each.
    static let clientLimit = 4096

    /// Returns whether another token of a client may be verified.
    ///
    /// - Parameters:
    ///   - client: The sender of the token.
    ///   - now: The seconds since 1970.
    func leaveRoom(for client: ClientID, at now: Double) -> Bool {
        state.withLock { state in
            state.begin(now)
            return state.counts[state.counted(client), default: 0] < RefusedTokens.limit
        }
    }

    /// Counts a token whose signature was wrong.
    func add(_ client: ClientID, at now: Double) {
        state.withLock { state in
            state.begin(now)
            state.counts[state.counted(client), default: 0] += 1
        }
    }
}
