import DequeModule
import FeedStore
import Synchronization

/// The responses to publishes that had an Idempotency-Key (docs/PUBLISHING.md, "The requests").
///
/// Only successes are kept: for 10 minutes, and of each bearer key the newest 10,000.
final class IdempotencyMemory: Sendable {
    /// The decision on a request.
    enum Decision: Sendable {
        /// It runs, and reports its end by ``IdempotencyMemory/finished(_:_:)``.
        case run
        /// It gets the first response again.
        case replay(KeptResponse)
        /// The key was used with another body.
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

    /// A request that is under way, and those that wait for its end.
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
        /// When all owners were last looked through for what is too old.
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
    ///   - counter: Is told the bytes of what is kept.
    ///   - clock: A time that only grows.
    init(counter: ByteCounter = ByteCounter(), clock: @escaping @Sendable () -> Duration) {
        self.counter = counter
        self.clock = clock
    }

    deinit { counter.add(-byteCount) }

    /// About the bytes of what is kept.
    var byteCount: Int { state.withLock(\.byteCount) }
}

extension IdempotencyMemory {
    /// Asks what to do with a request.
    ///
    /// While another one with its key is under way, that is decided when that one has ended.
    ///
    /// - Parameters:
    ///   - key: The request's key.
    ///   - fingerprint: Tells bodies with their media types apart.
    ///   - decided: Called once.
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

    /// Ends a request that was told to run; `response` is its response when it succeeded, and `nil`
    /// lets the next one run.
    func finished(_ key: Key, _ response: KeptResponse?) {
        let now = clock()
        let decisions = change { state -> [(Waiting, Decision)] in
            guard let response else { return state.passOn(key) }
            return state.keep(key, response, now)
        }
        for (waiting, decision) in decisions { waiting.decided(decision) }
    }

    /// Keeps a response without a waiting client, of a request that was carried out some time ago.
    ///
    /// - Parameters:
    ///   - key: The request's key.
    ///   - fingerprint: Tells its body with its media type apart.
    ///   - response: Its response.
    ///   - age: How long ago; responses come in the order of their ages.
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

    /// Changes what is kept, and counts how many bytes that brought or freed.
    private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        state.withLock { state in
            let before = state.byteCount
            defer { counter.add(state.byteCount - before) }
            return body(&state)
        }
    }
}

extension IdempotencyMemory.State {
    // Everything is changed where it is: a copy of a line of those who wait, or of all that an
    // owner has, would be made with each request.

    /// Decides on a request; `nil` when it has to wait.
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

    /// Lets the first of those that wait run.
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

    /// Keeps a response, and gives it to those that wait.
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

    /// Forgets what is too old: of one owner at once, of the others within a second.
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

    /// - Returns: How many bytes that frees.
    fileprivate mutating func forgetFirst() -> Int {
        guard let first = order.popFirst() else { return 0 }
        return responses.removeValue(forKey: first.digest)?.response.byteCount ?? 0
    }
}

extension IdempotencyMemory {
    /// Identifies the request that an Idempotency-Key belongs to.
    struct Key: Hashable, Sendable {
        /// The digest of the bearer key; the number of responses is limited for each.
        let owner: SHA256Digest.Value
        /// The digest of the method, the target and the field: 32 bytes, however long they are.
        let digest: SHA256Digest.Value

        /// Makes a key of stored digests.
        init(owner: SHA256Digest.Value, digest: SHA256Digest.Value) {
            self.owner = owner
            self.digest = digest
        }

        /// Makes the key of a request, whose parts are as sent.
        ///
        /// - Parameters:
        ///   - owner: The bearer key.
        ///   - user: Tells apart the users who share the key; empty where the key is not shared.
        ///   - method: The method.
        ///   - target: The target with its query.
        ///   - value: Of the field.
        init(
            owner: SHA256Digest.Value,
            user: [UInt8] = [],
            method: String,
            target: [UInt8],
            value: [UInt8]
        ) {
            self.owner = owner
            // Neither a method nor a target has a line feed in it.
            let separator = [UInt8(ascii: "\n")]
            let request = Array(method.utf8) + separator + target + separator + value
            digest =
                user.isEmpty
                ? SHA256Digest.Value(of: request) : SHA256Digest.Value(of: user, and: request)
        }
    }
}
