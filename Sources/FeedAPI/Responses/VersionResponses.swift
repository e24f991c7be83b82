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
    /// Of one that is open-ended: of a kind that anybody can ask for in any number, by ids or offsets
    /// of their own. Those who ask at once share it all the same.
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

    /// The response, when it is made already.
    subscript(key: ResponseKey) -> Payload? {
        let code = key.code
        return state.withLock { $0.response(key, code) }
    }

    /// The response whose key has that code, when it is made already.
    subscript(code code: UInt64) -> Payload? { state.withLock { $0.byCode[code] } }

    /// Has the place of that response fetched to the core's cache, while something else is done.
    func prefetchPlace(of code: UInt64) { state.withLock { $0.byCode.prefetchPlace(of: code) } }

    /// Has that response fetched to the core's cache, while something else is done.
    func prefetch(code: UInt64) { state.withLock { $0.byCode.prefetch(code) } }

    /// The response with a document, in a form, when it is made already.
    func response(
        _ kind: ResponseKey.Kind,
        _ view: FeedView,
        _ form: ResponseKey.Form
    ) -> Payload? {
        if view.isWhole, let code = kind.code(form) { return self[code: code] }
        return self[ResponseKey(kind: kind, view: view, form: form)]
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
            if let found = state.response(key, key.code) { return (found, false) }
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
