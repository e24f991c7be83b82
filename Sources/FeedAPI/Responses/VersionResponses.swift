import FeedDiff
import FeedFormats
import FeedModel
import FeedStore
import HTTPServer
import HTTPWire
import Synchronization

/// The responses about one version of a feed, each made once, when first asked for.
///
/// They hang on the version while it is current: they are fresh for just that long. A client that
/// asks for a response that is being made waits for that, without a thread.
final class VersionResponses: VersionAttachment {
    // What every reader looks at comes first, and close together.

    /// Which cache made them: a response depends on its configuration.
    let owner: Int
    private let state = Mutex(State())
    /// When it is worth asking again, in seconds, and until which second that is good: the upper
    /// and the lower half.
    private let hint = Atomic<UInt64>(0)
    let tag: EntityTag
    /// Whether making a document is a matter of microseconds, and whether compressing it is.
    private let isInstant: Bool
    private let isInstantCoded: Bool

    let feed: FeedName
    let token: Token
    private weak let cache: ResponseCache?
    private let counter: ByteCounter

    /// The checks of pages for feed readers that were worked out, each with the options it was
    /// worked out for.
    private let checks = Mutex<[SyndicationPage: (SyndicatedFeed.Options, UInt32)]>([:])

    init(_ version: Version, in cache: ResponseCache, counter: ByteCounter) {
        owner = cache.number
        self.cache = cache
        self.counter = counter
        feed = version.feed
        token = version.token
        tag = EntityTag(version.token)
        isInstant = version.snapshot.isInstant(isCoded: false)
        isInstantCoded = isInstant && version.snapshot.isInstant(isCoded: true)
    }

    deinit { counter.add(-byteCount) }

    /// Pages for feed readers whose checks are known at a time.
    private static let pageLimit = 16
    static let countLimit = 256
    static let openEndedCountLimit = 64
    static let byteLimit = 64 << 20
    /// Of one that is open-ended: of a kind that anybody can ask for in any number, by ids or
    /// offsets of their own. Those who ask at once share it all the same.
    static let openEndedByteLimit = 4 << 20
    /// Of all these together: who made them has perhaps left.
    static let openEndedTotalByteLimit = 8 << 20
    /// Of all that is known of what is the same in this and earlier versions: enough for a million
    /// items and four earlier versions.
    static let pairingTotalByteLimit = 32 << 20
    static let pairingCountLimit = 8
    /// The most changes that are kept as values.
    private static let deltaLimit = 4096
}

extension VersionResponses {
    /// Whether making a document is a matter of microseconds.
    func isInstant(isCoded: Bool) -> Bool {
        isCoded ? isInstantCoded : isInstant
    }

    /// The response, if it was made and is kept.
    subscript(key: ResponseKey) -> Payload? { state.withLock { $0.kept[key] } }

    /// The response with a document, in a form, when it is made already.
    func response(
        _ kind: ResponseKey.Kind,
        _ view: FeedView,
        _ form: ResponseKey.Form
    ) -> Payload? {
        self[ResponseKey(kind: kind, view: view, form: form)]
    }

    /// When it is worth asking again, in seconds.
    ///
    /// - Parameters:
    ///   - now: In seconds, by a clock that never goes back.
    ///   - learn: Works it out, when what is known of it is old.
    func hint(at now: Int, _ learn: () -> Int) -> Int {
        let known = hint.load(ordering: .relaxed)
        if now < Int(known & 0xffff_ffff) { return Int(known >> 32) }
        let learned = learn()
        let end = now + PollingHint.lifetime(of: learned)
        hint.store(UInt64(learned) << 32 | UInt64(end) & 0xffff_ffff, ordering: .relaxed)
        return learned
    }

    /// Whether somebody has asked for one of the formats of feed readers.
    var hasSyndicationCheck: Bool { checks.withLock { !$0.isEmpty } }

    /// Returns the check of a page for feed readers, worked out once for the same options.
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

    /// Calls `waiter` at once if the response is kept. Otherwise adds it to those who wait: the
    /// response is made once for all of them, when the first client's turn comes.
    ///
    /// - Parameters:
    ///   - key: Which response.
    ///   - requester: The client that asks.
    ///   - waiter: Is told of it, at once or later.
    ///   - make: Makes it; it asks now and then whether it is still wanted, and may give up.
    /// - Returns: The job that this client must submit; `nil` when the response is kept, or one of
    ///   its jobs waits already.
    func join(
        _ key: ResponseKey,
        for requester: Requester,
        _ waiter: Waiter,
        make: @escaping Make
    ) -> Job? {
        let client = requester.client
        let (found, waits) = state.withLock { state -> (Payload?, Bool) in
            if let found = state.kept[key] { return (found, false) }
            return (nil, state.making[key, default: Making()].join(waiter, client))
        }
        if let found { waiter.finish(found) }
        return waits ? Job(responses: self, key: key, client: client, make: make) : nil
    }

    /// Makes a response, unless that was done, or is being done.
    func run(_ key: ResponseKey, _ make: Make) {
        let begins = state.withLock { $0.making[key]?.begin() ?? false }
        guard begins else { return }
        complete(key, make { self.isWanted(key, presumesLeft: true) })
    }

    /// The turn of a client will not come.
    func refused(_ key: ResponseKey, _ client: ClientID) {
        let waiting = state.withLock { state -> [Waiter] in
            guard state.making[key]?.leave(client) == true else { return [] }
            return state.making.removeValue(forKey: key)?.waiters ?? []
        }
        for waiter in waiting { waiter.finish(nil) }
    }

    func isWanted(_ key: ResponseKey, presumesLeft: Bool) -> Bool {
        let waiters = state.withLock { $0.making[key]?.waiters ?? [] }
        return waiters.contains { $0.isWanted(presumesLeft) }
    }

    /// Keeps a response that was made elsewhere.
    func keep(_ document: Payload, _ key: ResponseKey) {
        let room = cache?.byteLimit ?? 0
        change { $0.keep(document, key, room) }
        cache?.trim(keeping: self)
    }

    private func complete(_ key: ResponseKey, _ document: Payload?) {
        let room = cache?.byteLimit ?? 0
        let waiting = change { state in
            if let document { state.keep(document, key, room) }
            let making = state.making.removeValue(forKey: key)
            if state.making.isEmpty { state.making = [:] }
            return making?.waiters ?? []
        }
        for waiter in waiting { waiter.finish(document) }
        cache?.trim(keeping: self)
    }

    /// Changes what is kept, and counts how many bytes that brought or freed.
    private func change<Result: Sendable & ~Copyable>(
        _ body: @Sendable (inout State) -> Result
    ) -> Result {
        state.withLock { state in
            let before = state.byteCount
            defer { counter.add(state.byteCount - before) }
            return body(&state)
        }
    }

    /// Gives up what is kept, for good: the version is no longer current.
    ///
    /// Responses that are being made are still handed out.
    func retire() {
        // What is given up is freed here, under no lock.
        _ = change { state in
            state.isRetired = true
            return state.cleared()
        }
    }

    /// Gives up what is kept, which may be made again.
    func clear() {
        _ = change { $0.cleared() }
    }

    /// About the bytes of what is kept.
    var byteCount: Int { state.withLock { $0.byteCount } }

    /// Remembers what a publish found out: the changes from the version before, unless they are
    /// so many that they would hold much memory.
    func setDelta(since version: Int, _ changes: Changes) {
        guard changes.editCount <= VersionResponses.deltaLimit else { return }
        change { state in
            guard !state.isRetired else { return }
            state.dropDelta()
            state.delta = (version, changes)
            state.byteCount += changes.heldByteCount
        }
    }

    /// The changes since a version of the same epoch, if a publish told them.
    func delta(since version: Int) -> Changes? {
        state.withLock { $0.delta?.since == version ? $0.delta?.changes : nil }
    }

    /// Returns the equal parts of this version and an earlier one of the same epoch, if they are
    /// known.
    func pairing(since version: Int) -> VersionPairing? {
        state.withLock { $0.pairing(since: version) }
    }

    /// Keeps the equal parts of this version and an earlier one, while there is room.
    func keep(_ pairing: VersionPairing, since version: Int) {
        let room = cache?.byteLimit ?? 0
        change { $0.keep(pairing, since: version, room) }
        cache?.trim(keeping: self)
    }
}

/// Responses that are being made.
extension VersionResponses {
    /// A request that waits for a response.
    struct Waiter: Sendable {
        /// Whether it is still of use; see ``Responder/isWanted(presumesLeft:)``.
        let isWanted: @Sendable (_ presumesLeft: Bool) -> Bool
        /// Is called once; with `nil` where it was refused for too much work.
        let finish: @Sendable (Payload?) -> Void
    }

    /// Makes a response; the argument says whether it is still wanted. `nil`: it was given up.
    typealias Make = @Sendable (_ isWanted: () -> Bool) -> Payload?

    /// A response that is being made, or waits for its turn.
    struct Making {
        private(set) var waiters: [Waiter] = []
        /// The clients whose turn it waits for.
        private var clients: [ClientID] = []
        private var isRunning = false

        /// - Returns: Whether it has to wait for the turn of `client` too.
        mutating func join(_ waiter: Waiter, _ client: ClientID) -> Bool {
            waiters.append(waiter)
            guard !isRunning, !clients.contains(client) else { return false }
            clients.append(client)
            return true
        }

        /// - Returns: Whether it was not begun before.
        mutating func begin() -> Bool {
            defer { isRunning = true }
            return !isRunning
        }

        /// - Returns: Whether there is no turn left that it could be made in.
        mutating func leave(_ client: ClientID) -> Bool {
            clients.removeAll { $0 == client }
            return !isRunning && clients.isEmpty
        }
    }

    /// Makes a response in a client's turn, unless it was made by then.
    struct Job: Sendable {
        let responses: VersionResponses
        let key: ResponseKey
        let client: ClientID
        let make: Make

        /// Whether somebody waits for the response; see ``Responder/isWanted(presumesLeft:)``.
        func isWanted(_ presumesLeft: Bool) -> Bool {
            responses.isWanted(key, presumesLeft: presumesLeft)
        }

        /// The turn has come. One of ``run()`` and ``refuse()`` is called, once.
        func run() { responses.run(key, make) }

        /// It will not come.
        func refuse() { responses.refused(key, client) }

        /// Waits in a pool.
        func submit(to pool: WorkPool) {
            pool.submit(
                QueuedWork(
                    flow: WorkFlow(client: client, feed: responses.feed),
                    time: pool.now,
                    isWanted: isWanted,
                    run: run,
                    refuse: refuse
                )
            )
        }
    }
}

extension VersionResponses {
    /// The kept responses, in the order of their making; their bytes and their number are limited.
    struct State: ~Copyable {
        var kept: [ResponseKey: Payload] = [:]
        /// The keys of the kept responses that are not open-ended, the oldest first.
        var order: [ResponseKey] = []
        /// The keys of the kept responses that clients can ask for in any number, the oldest first.
        var openEndedOrder: [ResponseKey] = []
        /// The bytes of the open-ended responses.
        var openEndedByteCount = 0
        /// The responses that are being made, or wait for that.
        var making: [ResponseKey: Making] = [:]
        var byteCount = 0
        var isRetired = false
        /// The changes from the version before, where the publish has told them.
        var delta: (since: Int, changes: Changes)?
        /// The equal parts of this version and earlier ones; the pairing asked for last is at the
        /// end.
        var pairings: [(since: Int, pairing: VersionPairing)] = []
    }
}

extension VersionResponses.State {
    mutating func keep(_ response: Payload, _ key: ResponseKey, _ room: Int) {
        let size = response.byteCount + key.heldByteCount
        let isOpenEnded = key.isOpenEnded
        // Where there is hardly room, all would be given up again and again.
        let most =
            isOpenEnded ? VersionResponses.openEndedByteLimit : VersionResponses.byteLimit
        guard !isRetired, size <= min(room, most),
            room >= ResponseCache.leastByteLimit, kept[key] == nil
        else { return }
        if isOpenEnded {
            while openEndedOrder.count >= VersionResponses.openEndedCountLimit
                || openEndedByteCount + size > VersionResponses.openEndedTotalByteLimit
            {
                dropOpenEnded()
            }
        } else if order.count >= VersionResponses.countLimit {
            dropOldest()
        }
        guard makeRoom(for: size, isOpenEnded: isOpenEnded) else { return }
        kept[key] = response
        if isOpenEnded {
            openEndedOrder.append(key)
            openEndedByteCount += size
        } else {
            order.append(key)
        }
        byteCount += size
    }

    /// Drops open-ended responses, and for one that is not also others, until so many bytes fit.
    private mutating func makeRoom(for size: Int, isOpenEnded: Bool) -> Bool {
        while byteCount + size > VersionResponses.byteLimit {
            if !openEndedOrder.isEmpty {
                dropOpenEnded()
            } else if !isOpenEnded, !order.isEmpty {
                dropOldest()
            } else {
                return false
            }
        }
        return true
    }

    /// Gives up what is kept.
    ///
    /// - Returns: The state before, which is to be freed under no lock.
    mutating func cleared() -> Self {
        var state = VersionResponses.State()
        state.making = making
        state.isRetired = isRetired
        swap(&self, &state)
        return state
    }

    private mutating func dropOldest() {
        byteCount -= drop(order.removeFirst())
    }

    private mutating func dropOpenEnded() {
        let size = drop(openEndedOrder.removeFirst())
        byteCount -= size
        openEndedByteCount -= size
    }

    /// Drops a response, and returns the bytes that were counted for it.
    private mutating func drop(_ key: ResponseKey) -> Int {
        guard let response = kept.removeValue(forKey: key) else { return 0 }
        return response.byteCount + key.heldByteCount
    }

    mutating func pairing(since version: Int) -> VersionPairing? {
        guard let index = pairings.firstIndex(where: { $0.since == version }) else { return nil }
        let found = pairings.remove(at: index)
        pairings.append(found)
        return found.pairing
    }

    mutating func keep(_ pairing: VersionPairing, since version: Int, _ room: Int) {
        let limit = min(room / 4, VersionResponses.pairingTotalByteLimit)
        guard !isRetired, pairing.byteCount <= limit, self.pairing(since: version) == nil else {
            return
        }
        var sum = pairings.reduce(pairing.byteCount) { $0 + $1.pairing.byteCount }
        while sum > limit || pairings.count >= VersionResponses.pairingCountLimit {
            let dropped = pairings.removeFirst().pairing.byteCount
            sum -= dropped
            byteCount -= dropped
        }
        pairings.append((version, pairing))
        byteCount += pairing.byteCount
    }

    mutating func dropDelta() {
        byteCount -= delta?.changes.heldByteCount ?? 0
        delta = nil
    }
}

extension Changes {
    /// About the bytes of memory that they take besides the items.
    var heldByteCount: Int { 128 + 192 * editCount }

    var editCount: Int {
        removedSections.count + insertedSections.count + movedSections.count
            + updatedSections.count + removedItems.count + insertedItems.count + movedItems.count
            + updatedItems.count
    }
}
