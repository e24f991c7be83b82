import DequeModule
import Synchronization

/// The tokens that were verified last, so that one who asks often costs no more than by a key.
final class TokenCache: Sendable {
    private struct State {
        var keys: [IdempotencyMemory.Digest: AccessKey] = [:]
        /// The same, oldest first.
        var order = Deque<IdempotencyMemory.Digest>()
    }

    private let state = Mutex(State())

    /// The most that are kept: some kilobytes each at most.
    static let countLimit = 1024

    /// What is known of the token with that digest.
    subscript(digest: IdempotencyMemory.Digest) -> AccessKey? {
        state.withLock { $0.keys[digest] }
    }

    /// Keeps one; the oldest goes.
    func keep(_ key: AccessKey, _ digest: IdempotencyMemory.Digest) {
        state.withLock { state in
            guard state.keys.updateValue(key, forKey: digest) == nil else { return }
            state.order.append(digest)
            guard state.order.count > TokenCache.countLimit else { return }
            if let oldest = state.order.popFirst() { state.keys[oldest] = nil }
        }
    }

    /// How many there are.
    var count: Int { state.withLock(\.keys.count) }
}
