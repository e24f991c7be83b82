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
        let method: String
        /// As sent.
        let target: [UInt8]
        let value: [UInt8]
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
        var waiting: [Waiting] = []
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
            guard let entry = state.entries[key] else {
                state.entries[key] = Entry(fingerprint: fingerprint, time: now)
                return .run
            }
            guard let response = entry.response else {
                state.entries[key]?.waiting.append(
                    Waiting(fingerprint: fingerprint, decided: decided)
                )
                return nil
            }
            return entry.fingerprint == fingerprint ? .replay(response) : .conflict
        }
        if let decision { decided(decision) }
    }

    /// Ends a request that was told to run; `response` is its answer when it succeeded, and `nil`
    /// lets the next one run.
    func finished(_ key: Key, _ response: Response?) {
        let now = clock()
        let decisions = state.withLock { state -> [(Waiting, Decision)] in
            guard let entry = state.entries[key] else { return [] }
            guard let response else { return state.passOn(key, entry, now) }
            state.keep(key, entry, response, now)
            return entry.waiting.map { waiting in
                let isSame = waiting.fingerprint == entry.fingerprint
                return (waiting, isSame ? .replay(response) : .conflict)
            }
        }
        for (waiting, decision) in decisions { waiting.decided(decision) }
    }
}

extension IdempotencyMemory.State {
    /// Lets the first of those that wait run.
    fileprivate mutating func passOn(
        _ key: IdempotencyMemory.Key,
        _ entry: IdempotencyMemory.Entry,
        _ now: Duration
    ) -> [(IdempotencyMemory.Waiting, IdempotencyMemory.Decision)] {
        guard let next = entry.waiting.first else {
            entries[key] = nil
            return []
        }
        entries[key] = .init(
            fingerprint: next.fingerprint,
            time: now,
            waiting: Array(entry.waiting.dropFirst())
        )
        return [(next, .run)]
    }

    fileprivate mutating func keep(
        _ key: IdempotencyMemory.Key,
        _ entry: IdempotencyMemory.Entry,
        _ response: Response,
        _ now: Duration
    ) {
        entries[key] = .init(fingerprint: entry.fingerprint, response: response, time: now)
        order.append((key, now))
        while order.count - head > IdempotencyMemory.countLimit { forgetFirst() }
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
