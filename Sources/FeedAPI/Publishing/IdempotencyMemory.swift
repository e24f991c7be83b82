import DequeModule
package import FeedStore
import HTTPServer
import Synchronization

/// Lets only one publish with each Idempotency-Key run, and stores its response in memory for
/// repeated requests (docs/PUBLISHING.md, "The requests").
///
/// Only responses of successful publishes are stored, for the time and up to the number that also
/// hold for a journal (``FeedStore/JournalAnswer``).
final class IdempotencyMemory: Sendable {
    /// The decision on a request.
    enum Decision: Sendable {
        /// The request must be carried out; its end must be reported by
        /// ``IdempotencyMemory/finished(_:_:)``.
        case run
        /// The request gets the response of the first one, encoded by ``Response/kept``.
        case replay([UInt8])
        /// The Idempotency-Key was used before with another body or media type.
        case conflict
    }

    /// A request that is being carried out, or whose response is stored.
    fileprivate struct Entry {
        /// The digest of the body and its media type.
        var fingerprint: SHA256Digest
        /// The response, encoded by ``Response/kept``; `nil` while the request is being carried
        /// out.
        var response: [UInt8]?
        /// The requests with the same key that wait for the end of this one.
        var waiting = Deque<Waiting>()

        /// The approximate number of bytes of memory of the entry with its response; 0 without a
        /// response.
        var byteCount: Int { response.map { 400 + $0.count } ?? 0 }
    }

    /// A request that waits for another one with the same Idempotency-Key.
    fileprivate typealias Waiting = (
        fingerprint: SHA256Digest, decided: @Sendable (Decision) -> Void
    )

    fileprivate struct State {
        var entries: [Key: Entry] = [:]
        /// The keys and times of each owner's stored responses, oldest first.
        var order: [SHA256Digest: Deque<(key: Key, time: Duration)>] = [:]
        /// The time of the last search for expired responses of all owners.
        var swept = Duration.zero
        /// The approximate number of bytes of the stored responses.
        var byteCount = 0
    }

    private let state = Mutex(State())
    private let clock: @Sendable () -> Duration
    private let counter: ByteCounter

    /// Makes an empty memory; `counter` counts the bytes of stored responses, and `clock` is
    /// monotonic.
    init(counter: ByteCounter = ByteCounter(), clock: @escaping @Sendable () -> Duration) {
        self.counter = counter
        self.clock = clock
    }

    deinit { counter.add(-byteCount) }

    /// The approximate number of bytes of the stored responses.
    var byteCount: Int { state.withLock(\.byteCount) }
}

extension IdempotencyMemory {
    /// Decides on a request; the decision waits while a request with the same key is being carried
    /// out.
    ///
    /// - Parameters:
    ///   - fingerprint: The digest of the body and its media type.
    ///   - decided: Called once, with the decision.
    func claim(
        _ key: Key,
        fingerprint: SHA256Digest,
        decided: @escaping @Sendable (Decision) -> Void
    ) {
        let now = clock()
        let decision = change { state -> Decision? in
            state.forgetExpired(of: key.owner, at: now)
            return state.decide(key, (fingerprint, decided))
        }
        if let decision { decided(decision) }
    }

    /// Ends a request for which the decision was ``Decision/run``.
    ///
    /// - Parameter response: The response, encoded by ``Response/kept``; `nil` if the request
    ///   failed: the next waiting request with the same key is then carried out.
    func finished(_ key: Key, _ response: [UInt8]?) {
        let now = clock()
        let decisions = change { $0.finish(key, response, now) }
        for (decided, decision) in decisions { decided(decision) }
    }

    /// Stores the response of a request that was carried out some time ago, unless a response is
    /// stored already.
    ///
    /// - Parameters:
    ///   - fingerprint: The digest of the body and its media type.
    ///   - response: The response, encoded by ``Response/kept``.
    ///   - age: The time since the request was carried out. Several responses must be passed in the
    ///     order of their ages, the oldest first.
    func remember(
        _ key: Key,
        _ fingerprint: SHA256Digest,
        _ response: [UInt8],
        age: Duration = .zero
    ) {
        let time = clock() - age
        change { state in
            guard state.entries[key]?.response == nil else { return }
            state.keep(response, to: key, fingerprint, at: time)
        }
    }

    /// Changes the entries, and updates the counter of bytes.
    private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        state.withLock { state in
            let before = state.byteCount
            defer { counter.add(state.byteCount - before) }
            return body(&state)
        }
    }
}

extension IdempotencyMemory.State {
    // All changes are made in place: otherwise every request would copy a queue, or all entries.

    /// Decides on a request; `nil` if the request has to wait.
    fileprivate mutating func decide(
        _ key: IdempotencyMemory.Key,
        _ request: IdempotencyMemory.Waiting
    ) -> IdempotencyMemory.Decision? {
        guard let index = entries.index(forKey: key) else {
            entries[key] = .init(fingerprint: request.fingerprint)
            return .run
        }
        if let response = entries.values[index].response {
            let isSame = entries.values[index].fingerprint == request.fingerprint
            return isSame ? .replay(response) : .conflict
        }
        entries.values[index].waiting.append(request)
        return nil
    }

    /// Ends a request, and returns the decisions on the requests that waited for it.
    fileprivate mutating func finish(
        _ key: IdempotencyMemory.Key,
        _ response: [UInt8]?,
        _ now: Duration
    ) -> [(decided: @Sendable (IdempotencyMemory.Decision) -> Void, IdempotencyMemory.Decision)] {
        guard let index = entries.index(forKey: key) else { return [] }
        let known = entries.values[index].response
        guard let response = known ?? response else {
            guard let next = entries.values[index].waiting.popFirst() else {
                entries.remove(at: index)
                return []
            }
            entries.values[index].fingerprint = next.fingerprint
            return [(next.decided, .run)]
        }
        let (waiting, fingerprint) =
            (entries.values[index].waiting, entries.values[index].fingerprint)
        entries.values[index].waiting = []
        if known == nil { keep(response, to: key, fingerprint, at: now) }
        return waiting.map { request in
            (request.decided, request.fingerprint == fingerprint ? .replay(response) : .conflict)
        }
    }

    /// Stores a response, and removes the owner's oldest responses beyond
    /// ``JournalAnswer/countLimit``.
    fileprivate mutating func keep(
        _ response: [UInt8],
        to key: IdempotencyMemory.Key,
        _ fingerprint: SHA256Digest,
        at time: Duration
    ) {
        entries[key, default: .init(fingerprint: fingerprint)].fingerprint = fingerprint
        entries[key]?.response = response
        byteCount += entries[key]?.byteCount ?? 0
        order[key.owner, default: []].append((key, time))
        while order[key.owner]?.count ?? 0 > JournalAnswer.countLimit {
            forgetFirst(of: key.owner)
        }
    }

    /// Removes the expired responses of one owner, and at most once a second those of all owners.
    fileprivate mutating func forgetExpired(of owner: SHA256Digest, at now: Duration) {
        let start = now - .seconds(JournalAnswer.lifetime)
        forget(before: start, of: owner)
        guard now - swept >= .seconds(1) else { return }
        swept = now
        for owner in order.keys { forget(before: start, of: owner) }
    }

    private mutating func forget(before time: Duration, of owner: SHA256Digest) {
        while let first = order[owner]?.first, first.time <= time { forgetFirst(of: owner) }
        if order[owner]?.isEmpty == true { order[owner] = nil }
    }

    private mutating func forgetFirst(of owner: SHA256Digest) {
        guard let first = order[owner]?.popFirst(), let index = entries.index(forKey: first.key)
        else { return }
        byteCount -= entries.values[index].byteCount
        // Requests may wait for a publish whose response the journal had brought meanwhile.
        if entries.values[index].waiting.isEmpty {
            entries.remove(at: index)
        } else {
            entries.values[index].response = nil
        }
    }
}

extension IdempotencyMemory {
    /// The identity of a request with an Idempotency-Key.
    struct Key: Hashable, Sendable {
        /// The digest that identifies the owner (``AccessKey/owner``), whose responses are limited.
        let owner: SHA256Digest
        /// The digest of the user, the method, the target and the value of Idempotency-Key.
        let digest: SHA256Digest

        /// Makes a key from stored digests.
        init(owner: SHA256Digest, digest: SHA256Digest) {
            self.owner = owner
            self.digest = digest
        }

        /// Makes the key of a request.
        ///
        /// - Parameters:
        ///   - user: The bytes that distinguish the owner's users; empty if the owner has only one.
        ///   - target: The target as sent, with its query.
        ///   - value: The value of Idempotency-Key as sent.
        init(
            owner: SHA256Digest,
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
                ? SHA256Digest(of: request.span) : SHA256Digest(of: user, and: request)
        }
    }
}

extension FeedAPI {
    /// Takes the responses of publishes from a journal, so that requests repeated after a restart
    /// are not carried out twice.
    ///
    /// - Parameters:
    ///   - answers: The journal's records, the oldest first; damaged ones are ignored.
    ///   - now: The seconds since 1970.
    package func remember(_ answers: [JournalAnswer], at now: Double) {
        for kept in answers {
            guard let owner = SHA256Digest(kept.owner),
                let digest = SHA256Digest(kept.key),
                let fingerprint = SHA256Digest(kept.fingerprint),
                Response(kept: kept.response) != nil
            else { continue }
            let key = IdempotencyMemory.Key(owner: owner, digest: digest)
            let age = Duration.seconds(max(0, now - kept.time))
            service.idempotency.remember(key, fingerprint, kept.response, age: age)
        }
    }
}
