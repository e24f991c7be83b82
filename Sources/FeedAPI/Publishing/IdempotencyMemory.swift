import DequeModule
import HTTPServer
import Synchronization

/// The answers to requests that had an Idempotency-Key (docs/PROTOCOL.md, "Publishing").
///
/// Only successes are kept: for 10 minutes, the newest 10,000.
final class IdempotencyMemory: Sendable {
    /// What a key belongs to.
    struct Key: Hashable, Sendable {
        /// The digest of the bearer key.
        let owner: [UInt8]
        /// Of the method, the target and the field: 32 bytes, however long those are.
        let digest: [UInt8]

        /// Makes the key of a request, whose parts are as sent.
        init(owner: [UInt8], method: String, target: [UInt8], value: [UInt8]) {
            self.owner = owner
            // Neither a method nor a target has a line feed in it.
            let separator = [UInt8(ascii: "\n")]
            let request = Array(method.utf8) + separator + target + separator + value
            digest = SHA256Digest.of(request.span)
        }
    }

    /// What becomes of a request.
    enum Decision: Sendable {
        /// It runs, and reports its end by ``IdempotencyMemory/finished(_:_:)``.
        case run
        /// It gets the first answer again.
        case replay(Response)
        /// The key was used with another body.
        case conflict
    }

    fileprivate struct Entry {
        var fingerprint: [UInt8]
        /// `nil` while the first request is under way.
        var response: Response?
        var time: Duration
        var waiting = Deque<Waiting>()
    }

    fileprivate struct Waiting {
        let fingerprint: [UInt8]
        let decided: @Sendable (Decision) -> Void
    }

    fileprivate struct State {
        var entries: [Key: Entry] = [:]
        /// Kept answers, oldest first, from `head` on.
        var order: [(key: Key, time: Duration)] = []
        var head = 0
    }

    private let state = Mutex(State())
    private let clock: @Sendable () -> Duration

    static let lifetime = Duration.seconds(600)
    static let countLimit = 10_000

    init(clock: @escaping @Sendable () -> Duration) {
        self.clock = clock
    }
}

extension IdempotencyMemory {
    /// Asks what to do with a request; while another one with its key is under way, the answer
    /// comes when that one has ended.
    ///
    /// - Parameters:
    ///   - key: The request's key.
    ///   - fingerprint: Tells bodies with their media types apart.
    ///   - decided: Called once.
    func begin(
        _ key: Key,
        fingerprint: [UInt8],
        decided: @escaping @Sendable (Decision) -> Void
    ) {
        let now = clock()
        let decision = state.withLock { state -> Decision? in
            state.forget(before: now - IdempotencyMemory.lifetime)
            return state.decide(key, Waiting(fingerprint: fingerprint, decided: decided), now)
        }
        if let decision { decided(decision) }
    }

    /// Ends a request that was told to run; `response` is its answer when it succeeded, and `nil`
    /// lets the next one run.
    func finished(_ key: Key, _ response: Response?) {
        let now = clock()
        let decisions = state.withLock { state -> [(Waiting, Decision)] in
            guard let response else { return state.passOn(key, now) }
            return state.keep(key, response, now)
        }
        for (waiting, decision) in decisions { waiting.decided(decision) }
    }
}

extension IdempotencyMemory.State {
    // An entry is changed where it is: a copy of it would make the line of those who wait be
    // copied with each that joins it.

    /// What becomes of a request now; `nil` when it has to wait.
    fileprivate mutating func decide(
        _ key: IdempotencyMemory.Key,
        _ request: IdempotencyMemory.Waiting,
        _ now: Duration
    ) -> IdempotencyMemory.Decision? {
        guard let index = entries.index(forKey: key) else {
            entries[key] = .init(fingerprint: request.fingerprint, time: now)
            return .run
        }
        guard let response = entries.values[index].response else {
            entries.values[index].waiting.append(request)
            return nil
        }
        let isSame = entries.values[index].fingerprint == request.fingerprint
        return isSame ? .replay(response) : .conflict
    }

    /// Lets the first of those that wait run.
    fileprivate mutating func passOn(
        _ key: IdempotencyMemory.Key,
        _ now: Duration
    ) -> [(IdempotencyMemory.Waiting, IdempotencyMemory.Decision)] {
        guard let index = entries.index(forKey: key) else { return [] }
        guard let next = entries.values[index].waiting.popFirst() else {
            entries.remove(at: index)
            return []
        }
        entries.values[index].fingerprint = next.fingerprint
        entries.values[index].time = now
        return [(next, .run)]
    }

    /// Keeps an answer, and gives it to those that wait.
    fileprivate mutating func keep(
        _ key: IdempotencyMemory.Key,
        _ response: Response,
        _ now: Duration
    ) -> [(IdempotencyMemory.Waiting, IdempotencyMemory.Decision)] {
        guard var entry = entries.removeValue(forKey: key) else { return [] }
        entries[key] = .init(fingerprint: entry.fingerprint, response: response, time: now)
        order.append((key, now))
        while order.count - head > IdempotencyMemory.countLimit { forgetFirst() }
        var decisions: [(IdempotencyMemory.Waiting, IdempotencyMemory.Decision)] = []
        while let request = entry.waiting.popFirst() {
            let isSame = request.fingerprint == entry.fingerprint
            decisions.append((request, isSame ? .replay(response) : .conflict))
        }
        return decisions
    }

    fileprivate mutating func forget(before time: Duration) {
        while head < order.count, order[head].time <= time { forgetFirst() }
    }

    private mutating func forgetFirst() {
        entries[order[head].key] = nil
        head += 1
        guard head > 1024, head * 2 > order.count else { return }
        order.removeFirst(head)
        head = 0
    }
}
