import DequeModule
import FeedStore
import Synchronization

/// The responses to publishes with an Idempotency-Key (docs/PUBLISHING.md, "The requests").
///
/// Only responses of successful publishes are kept: for 10 minutes, and for each bearer key at most
/// the newest 10,000.
final class IdempotencyMemory: Sendable {
    /// The decision on a request.
    enum Decision: Sendable {
        /// The request must be carried out, and its end reported by
        /// ``IdempotencyMemory/finished(_:_:)``.
        case run
        /// The request gets the response of the first one.
        case replay(KeptResponse)
        /// The Idempotency-Key was used with another body.
        case conflict
    }

    /// The kept responses of one bearer key.
    fileprivate struct Owner {
        var responses: [SHA256Digest.Value: Kept] = [:]
        /// The digests of the kept responses, oldest first.
        var order = Deque<(digest: SHA256Digest.Value, time: Duration)>()
    }

    fileprivate struct Kept {
        let fingerprint: SHA256Digest.Value
        let response: KeptResponse
    }

    /// A request that is being carried out, and the requests with its key that wait for its end.
    fileprivate struct Running {
        var fingerprint: SHA256Digest.Value
        var waiting = Deque<Waiting>()
    }

    fileprivate struct Waiting {
        let fingerprint: SHA256Digest.Value
        let decided: @Sendable (Decision) -> Void
    }

    fileprivate struct State {
        var owners: [SHA256Digest.Value: Owner] = [:]
        var running: [Key: Running] = [:]
        /// The time of the last search for expired responses of all owners.
        var swept = Duration.zero
        var byteCount = 0
    }

    private let state = Mutex(State())
    private let clock: @Sendable () -> Duration
    private let counter: ByteCounter

    static let lifetime = Duration.seconds(600)
    static let countLimit = 10_000

    /// Makes an empty memory.
    ///
    /// - Parameters:
    ///   - counter: The counter of the bytes of kept responses.
    ///   - clock: A monotonic clock.
    init(counter: ByteCounter = ByteCounter(), clock: @escaping @Sendable () -> Duration) {
        self.counter = counter
        self.clock = clock
    }

    deinit { counter.add(-byteCount) }

    /// The approximate number of bytes of the kept responses.
    var byteCount: Int { state.withLock(\.byteCount) }
}

extension IdempotencyMemory {
    /// Decides what to do with a request; if another request with its key is being carried out,
    /// after the end of that one.
    ///
    /// - Parameters:
    ///   - key: The request's key.
    ///   - fingerprint: The digest of the body and its media type.
    ///   - decided: Called once, with the decision.
    func claim(
        _ key: Key,
        fingerprint: SHA256Digest.Value,
        decided: @escaping @Sendable (Decision) -> Void
    ) {
        let now = clock()
        let decision = change { state -> Decision? in
            state.forget(before: now - IdempotencyMemory.lifetime, of: key.owner, now)
            return state.decide(key, Waiting(fingerprint: fingerprint, decided: decided))
        }
        if let decision { decided(decision) }
    }

    /// Ends a request that was to be carried out; `response` is `nil` if the request failed, and
    /// the next waiting one is then carried out.
    func finished(_ key: Key, _ response: KeptResponse?) {
        let now = clock()
        let decisions = change { state -> [(Waiting, Decision)] in
            guard let response else { return state.passOn(key) }
            return state.keep(key, response, now)
        }
        for (waiting, decision) in decisions { waiting.decided(decision) }
    }

    /// Keeps the response of a request that was carried out some time ago.
    ///
    /// - Parameters:
    ///   - key: The request's key.
    ///   - fingerprint: The digest of the body and its media type.
    ///   - response: The response.
    ///   - age: The time since then; responses must come in the order of their ages, the oldest
    ///     first.
    func remember(
        _ key: Key,
        _ fingerprint: SHA256Digest.Value,
        _ response: KeptResponse,
        age: Duration = .zero
    ) {
        let time = clock() - age
        change { state in
            guard state.owners[key.owner]?.responses[key.digest] == nil else { return }
            state.add(key, .init(fingerprint: fingerprint, response: response), time)
        }
    }

    /// Changes the kept responses, and updates the counter of bytes.
    private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        state.withLock { state in
            let before = state.byteCount
            defer { counter.add(state.byteCount - before) }
            return body(&state)
        }
    }
}

extension IdempotencyMemory.State {
    // All changes are made in place: otherwise every request would copy the queue of waiting
    // requests, or all responses of an owner.

    /// Decides on a request; `nil` if the request has to wait.
    fileprivate mutating func decide(
        _ key: IdempotencyMemory.Key,
        _ request: IdempotencyMemory.Waiting
    ) -> IdempotencyMemory.Decision? {
        if let kept = owners[key.owner]?.responses[key.digest] {
            return kept.fingerprint == request.fingerprint ? .replay(kept.response) : .conflict
        }
        guard let index = running.index(forKey: key) else {
            running[key] = .init(fingerprint: request.fingerprint)
            return .run
        }
        running.values[index].waiting.append(request)
        return nil
    }

    /// Lets the first waiting request run, after the one before it failed.
    fileprivate mutating func passOn(
        _ key: IdempotencyMemory.Key
    ) -> [(IdempotencyMemory.Waiting, IdempotencyMemory.Decision)] {
        guard let index = running.index(forKey: key) else { return [] }
        guard let next = running.values[index].waiting.popFirst() else {
            running.remove(at: index)
            return []
        }
        running.values[index].fingerprint = next.fingerprint
        return [(next, .run)]
    }

    /// Keeps a response, and returns the decisions on the requests that waited for it.
    fileprivate mutating func keep(
        _ key: IdempotencyMemory.Key,
        _ response: KeptResponse,
        _ now: Duration
    ) -> [(IdempotencyMemory.Waiting, IdempotencyMemory.Decision)] {
        guard let ended = running.removeValue(forKey: key) else { return [] }
        add(key, .init(fingerprint: ended.fingerprint, response: response), now)
        return ended.waiting.map { request in
            let isSame = request.fingerprint == ended.fingerprint
            return (request, isSame ? .replay(response) : .conflict)
        }
    }

    fileprivate mutating func add(
        _ key: IdempotencyMemory.Key,
        _ kept: IdempotencyMemory.Kept,
        _ now: Duration
    ) {
        byteCount += kept.response.byteCount
        owners[key.owner, default: .init()].keep(kept, key.digest, now)
        while owners[key.owner]?.order.count ?? 0 > IdempotencyMemory.countLimit {
            forgetFirst(of: key.owner)
        }
    }

    /// Forgets expired responses: those of one owner at once, and those of all others at most once
    /// a second.
    fileprivate mutating func forget(
        before time: Duration,
        of owner: SHA256Digest.Value,
        _ now: Duration
    ) {
        forget(before: time, of: owner)
        guard now - swept >= .seconds(1) else { return }
        swept = now
        for owner in owners.keys { forget(before: time, of: owner) }
    }

    private mutating func forget(before time: Duration, of owner: SHA256Digest.Value) {
        while let first = owners[owner]?.order.first, first.time <= time { forgetFirst(of: owner) }
        if owners[owner]?.order.isEmpty == true { owners[owner] = nil }
    }

    private mutating func forgetFirst(of owner: SHA256Digest.Value) {
        byteCount -= owners[owner]?.forgetFirst() ?? 0
    }
}

extension IdempotencyMemory.Owner {
    fileprivate mutating func keep(
        _ kept: IdempotencyMemory.Kept,
        _ digest: SHA256Digest.Value,
        _ now: Duration
    ) {
        responses[digest] = kept
        order.append((digest, now))
    }

    /// - Returns: The number of bytes that this frees.
    fileprivate mutating func forgetFirst() -> Int {
        guard let first = order.popFirst() else { return 0 }
        return responses.removeValue(forKey: first.digest)?.response.byteCount ?? 0
    }
}

extension IdempotencyMemory {
    /// The identity of a request with an Idempotency-Key.
    struct Key: Hashable, Sendable {
        /// The digest of the bearer key, for the limit of responses for each owner.
        let owner: SHA256Digest.Value
        /// The digest of the method, the target and the field's value.
        let digest: SHA256Digest.Value

        /// Makes a key from stored digests.
        init(owner: SHA256Digest.Value, digest: SHA256Digest.Value) {
            self.owner = owner
            self.digest = digest
        }

        /// Makes the key of a request.
        ///
        /// - Parameters:
        ///   - owner: The digest of the bearer key.
        ///   - user: The bytes that distinguish the users of a shared key; empty if the key is not
        ///     shared.
        ///   - method: The method.
        ///   - target: The target as sent, with its query.
        ///   - value: The value of Idempotency-Key as sent.
        init(
            owner: SHA256Digest.Value,
            user: [UInt8] = [],
            method: String,
            target: [UInt8],
            value: [UInt8]
        ) {
            self.owner = owner
            // The separator is unambiguous, since neither a method nor a target contains a line
            // feed.
            let separator = [UInt8(ascii: "\n")]
            let request = Array(method.utf8) + separator + target + separator + value
            digest =
                user.isEmpty
                ? SHA256Digest.Value(of: request) : SHA256Digest.Value(of: user, and: request)
        }
    }
}
