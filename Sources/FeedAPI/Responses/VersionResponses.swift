import FeedFormats
import FeedModel
import FeedStore
import HTTPServer
import HTTPWire
import Synchronization

/// The cached responses about one version of a feed; each is made once, for the first request.
///
/// The responses are attached to the version while it is the current one. A request for a response
/// that is being made waits for it, without a thread.
final class VersionResponses: VersionAttachment {
    // The properties that every reader uses come first, so that they share a cache line.

    /// The number of the cache that the responses belong to; they depend on its configuration.
    let owner: Int
    private let state = Mutex(State())
    /// The polling hint in seconds in the upper half, and the second until which it is used in the
    /// lower half.
    private let hint = Atomic<UInt64>(0)
    /// The entity tag of the version.
    let tag: EntityTag

    let feed: FeedName
    let token: Token
    private weak let cache: ResponseCache?
    private let counter: ByteCounter

    /// The hashes in the entity tags of pages for feed readers, with the settings that each depends
    /// on.
    private let checks = Mutex<[SyndicationPage: (SyndicatedFeed.Options, UInt32)]>([:])

    init(_ version: Version, in cache: ResponseCache, counter: ByteCounter) {
        owner = cache.number
        self.cache = cache
        self.counter = counter
        feed = version.feed
        token = version.token
        tag = EntityTag(version.token)
    }

    deinit { counter.add(-byteCount) }

    /// The most pages in ``checks``.
    private static let pageLimit = 16
    /// The most cached responses that are not open-ended.
    static let countLimit = 256
    /// The most cached open-ended responses, which clients can ask for in any number.
    static let openEndedCountLimit = 64
    /// The most clients that have a job for the same response, so that a crowd leaves room in the
    /// pool for other work.
    static let clientLimit = 64
    /// The most bytes of all cached responses about one version.
    static let byteLimit = 64 << 20
    /// The most bytes of one open-ended response (``ResponseKey/isOpenEnded``); a longer one is
    /// still made once for all requests that wait for it.
    static let openEndedByteLimit = 4 << 20
    /// The most bytes of all open-ended responses together, since few of them are asked for twice.
    static let openEndedTotalByteLimit = 8 << 20
}

extension VersionResponses {
    /// Returns a response, if it is cached.
    subscript(key: ResponseKey) -> Payload? { state.withLock { $0.kept[key] } }

    /// Returns the polling hint, in seconds, which `learn` computes if the stored one is too old;
    /// `now` is the current second by a monotonic clock.
    func hint(at now: Int, _ learn: () -> Int) -> Int {
        let known = hint.load(ordering: .relaxed)
        if now < Int(known & 0xffff_ffff) { return Int(known >> 32) }
        let learned = learn()
        // A hint is used for an eighth of its time.
        let end = now + max(1, learned / 8)
        hint.store(UInt64(learned) << 32 | UInt64(end) & 0xffff_ffff, ordering: .relaxed)
        return learned
    }

    /// Returns the hash in the entity tag of a page for feed readers; `make` computes it, once for
    /// the same options.
    func syndicationCheck(
        _ page: SyndicationPage,
        _ options: SyndicatedFeed.Options,
        _ make: () -> UInt32
    ) -> UInt32 {
        if let (known, check) = checks.withLock({ $0[page] }), known == options { return check }
        let made = make()
        checks.withLock { checks in
            if checks.count >= VersionResponses.pageLimit { checks = [:] }
            checks[page] = (options, made)
        }
        return made
    }

    /// Calls `waiter` with a cached response, or adds it to the requests that wait for the
    /// response.
    ///
    /// Each of the first clients that wait has a job in the pool of threads, which shares the
    /// threads fairly among clients. The first job that runs makes the response for all that wait.
    ///
    /// - Parameters:
    ///   - time: The current time of the pool's clock.
    ///   - waiter: Called once, during this call or later.
    ///   - make: Makes the response; it asks now and then whether the response is still wanted, and
    ///     may give up.
    /// - Returns: The job that the caller must submit; `nil` if the response is cached or being
    ///   made, or if the client, or ``clientLimit`` others, already have a job for it.
    func join(
        _ key: ResponseKey,
        for client: ClientID,
        at time: Duration,
        _ waiter: Waiter,
        make: @escaping Make
    ) -> QueuedWork? {
        let (found, waits) = state.withLock { state -> (Payload?, Bool) in
            if let found = state.kept[key] { return (found, false) }
            return (nil, state.making[key, default: Making()].join(waiter, client))
        }
        if let found { waiter.finish(found) }
        guard waits else { return nil }
        return QueuedWork(
            client: client,
            time: time,
            isWanted: { self.isWanted(key, presumesLeft: $0) },
            run: { self.run(key, make) },
            refuse: { self.refused(key, client) },
            drop: { self.dropped(key, make) }
        )
    }

    /// Makes a response, unless another job has made or begun it.
    private func run(_ key: ResponseKey, _ make: Make) {
        let begins = state.withLock { $0.making[key]?.begin() ?? false }
        guard begins, let made = make({ self.isStillWanted(key) }) else { return }
        complete(key, made)
    }

    /// Gives up a response whose job the pool has dropped, unless another job is making it, or a
    /// request has joined since the pool asked whether any waits.
    private func dropped(_ key: ResponseKey, _ make: Make) {
        let isRunning = state.withLock { $0.making[key]?.isRunning ?? true }
        if !isRunning, isStillWanted(key) { run(key, make) }
    }

    /// Removes a client's job, which the pool has refused; if no job is left, the requests that
    /// wait are refused, too.
    private func refused(_ key: ResponseKey, _ client: ClientID) {
        let waiting = state.withLock { state -> [Waiter] in
            guard state.making[key]?.leave(client) == true else { return [] }
            return state.making.removeValue(forKey: key)?.waiters ?? []
        }
        for waiter in waiting { waiter.finish(nil) }
    }

    /// Returns whether any request still waits for a response that no other job is making.
    private func isWanted(_ key: ResponseKey, presumesLeft: Bool) -> Bool {
        let making = state.withLock { $0.making[key] }
        guard let making, !making.isRunning else { return false }
        return making.waiters.contains { $0.isWanted(presumesLeft) }
    }

    /// Returns whether any request still waits for a response that is being made or whose jobs
    /// wait; if not, the response is given up, and the next request for it begins anew.
    private func isStillWanted(_ key: ResponseKey) -> Bool {
        let waiters = state.withLock { $0.making[key]?.waiters ?? [] }
        if waiters.contains(where: { $0.isWanted(true) }) { return true }
        let isGivenUp = state.withLock { state in
            // A request that came meanwhile waits, too.
            guard state.making[key]?.waiters.count ?? 0 == waiters.count else { return false }
            state.making[key] = nil
            return true
        }
        if isGivenUp { for waiter in waiters { waiter.finish(nil) } }
        return !isGivenUp
    }

    /// Caches a response, if memory allows.
    func keep(_ document: Payload, _ key: ResponseKey) {
        let room = cache?.byteLimit ?? 0
        change { $0.keep(document, key, room) }
        cache?.trim(keeping: self)
    }

    /// Caches a response that was made, and passes it to the requests that wait.
    private func complete(_ key: ResponseKey, _ document: Payload) {
        let room = cache?.byteLimit ?? 0
        let waiting = change { state in
            state.keep(document, key, room)
            let making = state.making.removeValue(forKey: key)
            if state.making.isEmpty { state.making = [:] }
            return making?.waiters ?? []
        }
        for waiter in waiting { waiter.finish(document) }
        cache?.trim(keeping: self)
    }

    /// Changes the cached values, and updates the counter of their bytes.
    private func change<Result: Sendable & ~Copyable>(
        _ body: @Sendable (inout State) -> Result
    ) -> Result {
        state.withLock { state in
            let before = state.byteCount
            defer { counter.add(state.byteCount - before) }
            return body(&state)
        }
    }

    /// Drops the cached values, because the version is no longer current, and caches no others.
    ///
    /// Requests still get the responses that are being made.
    func retire() {
        // The values are freed here, after the lock was released.
        _ = change { state in
            state.isRetired = true
            return state.cleared()
        }
    }

    /// Drops the cached values, which may be made again.
    func clear() {
        _ = change { $0.cleared() }
    }

    /// The approximate number of bytes of the cached values.
    var byteCount: Int { state.withLock { $0.byteCount } }
}

/// Declares the types for responses that are being made.
extension VersionResponses {
    /// A request that waits for a response.
    struct Waiter: Sendable {
        /// Returns whether the waiting request still wants the response; see
        /// ``Responder/isWanted(presumesLeft:)``.
        let isWanted: @Sendable (_ presumesLeft: Bool) -> Bool
        /// Called once; with `nil` if making the response was given up, or refused for too much
        /// work.
        let finish: @Sendable (Payload?) -> Void
    }

    /// A function that makes a response; it returns `nil` if it gave up because `isWanted` returned
    /// false.
    typealias Make = @Sendable (_ isWanted: () -> Bool) -> Payload?

    /// A response that is being made, or whose jobs wait for a thread.
    struct Making {
        private(set) var waiters: [Waiter] = []
        /// The clients that have a job for the response; the first job that runs makes it.
        private var clients: [ClientID] = []
        private(set) var isRunning = false

        /// Adds a request that waits, and returns whether `client` needs a job of its own for the
        /// response.
        mutating func join(_ waiter: Waiter, _ client: ClientID) -> Bool {
            waiters.append(waiter)
            guard !isRunning, clients.count < VersionResponses.clientLimit,
                !clients.contains(client)
            else { return false }
            clients.append(client)
            return true
        }

        /// Begins to make the response, and returns whether no other job has begun it.
        mutating func begin() -> Bool {
            defer { isRunning = true }
            return !isRunning
        }

        /// Removes the job of a client, and returns whether no job is left that makes the response.
        mutating func leave(_ client: ClientID) -> Bool {
            clients.removeAll { $0 == client }
            return !isRunning && clients.isEmpty
        }
    }
}

extension VersionResponses {
    /// The cached values of a version, and the responses that are being made.
    struct State: ~Copyable {
        /// The cached responses.
        var kept: [ResponseKey: Payload] = [:]
        /// The cached responses' keys, with the bytes that are counted for each, the oldest first.
        var order: [(key: ResponseKey, isOpenEnded: Bool, byteCount: Int)] = []
        /// The responses that are being made, or whose jobs wait for a thread.
        var making: [ResponseKey: Making] = [:]
        /// The approximate number of bytes of all cached values.
        var byteCount = 0
        /// Whether the version is no longer current, so that nothing is cached any more.
        var isRetired = false
    }
}

extension VersionResponses.State {
    /// Caches a response, and evicts the oldest ones beyond the limits; `room` is the current limit
    /// in bytes for all versions together.
    mutating func keep(_ response: Payload, _ key: ResponseKey, _ room: Int) {
        let size = response.byteCount + key.heldByteCount
        let isOpenEnded = key.isOpenEnded
        // With hardly any room, each response would be evicted at once.
        let limit =
            isOpenEnded ? VersionResponses.openEndedByteLimit : VersionResponses.byteLimit
        guard !isRetired, size <= min(room, limit),
            room >= ResponseCache.leastByteLimit, kept[key] == nil
        else { return }
        while !hasRoom(for: size, isOpenEnded: isOpenEnded) {
            evictOldest(isOpenEnded: isOpenEnded)
        }
        while byteCount + size > VersionResponses.byteLimit {
            guard evictOldest(isOpenEnded: true) || !isOpenEnded && evictOldest(isOpenEnded: false)
            else { return }
        }
        kept[key] = response
        order.append((key, isOpenEnded, size))
        byteCount += size
    }

    /// Returns whether one more response keeps the limits of the open-ended responses, or of the
    /// others.
    private func hasRoom(for size: Int, isOpenEnded: Bool) -> Bool {
        var (count, sum) = (1, size)
        for other in order where other.isOpenEnded == isOpenEnded {
            count += 1
            sum += other.byteCount
        }
        return isOpenEnded
            ? count <= VersionResponses.openEndedCountLimit
                && sum <= VersionResponses.openEndedTotalByteLimit
            : count <= VersionResponses.countLimit && sum <= VersionResponses.byteLimit
    }

    /// Evicts the oldest response that is open-ended, or that is not; returns whether there was
    /// one.
    @discardableResult
    private mutating func evictOldest(isOpenEnded: Bool) -> Bool {
        guard let index = order.firstIndex(where: { $0.isOpenEnded == isOpenEnded }) else {
            return false
        }
        let oldest = order.remove(at: index)
        kept[oldest.key] = nil
        byteCount -= oldest.byteCount
        return true
    }

    /// Drops the cached values, and returns the responses, which must be freed after the lock was
    /// released.
    mutating func cleared() -> [ResponseKey: Payload] {
        defer { (kept, order, byteCount) = ([:], [], 0) }
        return kept
    }
}
