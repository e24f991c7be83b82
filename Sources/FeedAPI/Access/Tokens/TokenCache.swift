import DequeModule
import FeedModel
import Synchronization

/// The tokens that were verified last: a client that asks often costs no more than with a key.
final class TokenCache: Sendable {
    private struct State {
        var keys: [SHA256Digest.Value: AccessKey] = [:]
        /// The digests of all kept tokens, oldest first.
        var order = Deque<SHA256Digest.Value>()
        var byteCount = 0
    }

    private let state = Mutex(State())

    /// The most that are kept.
    static let countLimit = 1024
    /// The most bytes of memory that they take, about: a token may have hundreds of patterns.
    static let byteLimit = 16 << 20

    /// The key of the token with that digest; `nil` if the cache does not have it.
    subscript(digest: SHA256Digest.Value) -> AccessKey? {
        state.withLock { $0.keys[digest] }
    }

    /// Keeps the key of a token; the oldest tokens are evicted.
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
        // They are freed here, under no lock.
        withExtendedLifetime(evicted) {}
    }

    /// How many there are.
    var count: Int { state.withLock(\.keys.count) }
}

extension AccessKey {
    /// About the bytes of memory that it takes.
    fileprivate var byteCount: Int {
        (read + write + follow).reduce(512) { $0 + 256 + 3 * $1.text.utf8.count }
    }
}

/// How many tokens of each client had a wrong signature in the current second.
final class RefusedTokens: Sendable {
    private struct State {
        var second = 0.0
        var counts: [ClientID: Int] = [:]

        mutating func begin(_ now: Double) {
            guard now.rounded(.down) != second else { return }
            second = now.rounded(.down)
            counts.removeAll(keepingCapacity: true)
        }

        /// When there are too many clients, those who come last are counted as one.
        func counted(_ client: ClientID) -> ClientID {
            counts[client] != nil || counts.count < RefusedTokens.clientLimit ? client : .local
        }
    }

    private let state = Mutex(State())

    /// Of one client in one second.
    static let limit = 200
    /// Clients that are told apart: some 32 bytes each.
    static let clientLimit = 4096

    /// Whether one more token of that client is looked at.
    ///
    /// - Parameters:
    ///   - client: Who sends it.
    ///   - now: In seconds since 1970.
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
