import Dispatch
import FeedModel
import FeedStore
import HTTPServer
import HTTPWire
import Synchronization

/// The responses about one version of a feed, each made once, when first asked for.
///
/// They hang on the version while it is current: they are fresh for just that long. Whoever asks
/// for one that is being made waits for that, without a thread.
final class VersionResponses: VersionAttachment {
    /// Which cache made them: a response depends on its configuration.
    let owner: Int
    let token: Token
    let tag: Tag
    /// Whether making a document is a matter of microseconds, and whether compressing it is.
    private let isSmall: Bool
    private let isSmallForCoding: Bool

    private let state = Mutex(State())
    private weak let cache: ResponseCache?
    private let counter: ByteCounter

    /// When it is worth asking again, in seconds, and until which second that is good: the upper
    /// and the lower half.
    private let hint = Atomic<UInt64>(0)

    init(_ version: Version, in cache: ResponseCache, counter: ByteCounter) {
        owner = cache.number
        self.cache = cache
        self.counter = counter
        token = version.token
        tag = Tag(version.token)
        isSmall = version.snapshot.isSmall(isCoded: false)
        isSmallForCoding = isSmall && version.snapshot.isSmall(isCoded: true)
    }

    deinit { counter.add(-byteCount) }

    /// What is kept: responses in the order of their making, of so many bytes and so many at most.
    fileprivate struct State {
        var found: [ResponseKey: CachedDocument] = [:]
        /// Who waits for what is being made.
        var waiting: [ResponseKey: [@Sendable (CachedDocument) -> Void]] = [:]
        /// Those that anybody can ask any number of have places of their own.
        var order: [ResponseKey] = []
        var arbitraryOrder: [ResponseKey] = []
        var byteCount = 0
        var isRetired = false
        /// The changes from the version before, where the publish has told them.
        var delta: (since: Int, changes: Changes)?
    }

    private static let countLimit = 256
    private static let arbitraryCountLimit = 64
    private static let byteLimit = 64 << 20
    /// The most changes that are kept as values.
    private static let deltaLimit = 4096
}

extension VersionResponses {
    /// Whether making a document is a matter of microseconds.
    func isSmall(isCoded: Bool) -> Bool {
        isCoded ? isSmallForCoding : isSmall
    }

    /// Whether others wait for the response already.
    func isBeingMade(_ key: ResponseKey) -> Bool {
        state.withLock { $0.waiting[key] != nil }
    }

    /// The response, when it is made already.
    subscript(key: ResponseKey) -> CachedDocument? {
        state.withLock { $0.found[key] }
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

    /// Finds the response of `key`, or has it made by `make` on `queue` if nobody has yet; `finish`
    /// is called once, at once or when it is made.
    func response(
        _ key: ResponseKey,
        on queue: DispatchQueue,
        make: @escaping @Sendable () -> CachedDocument,
        finish: @escaping @Sendable (CachedDocument) -> Void
    ) {
        let (found, isFirst) = state.withLock { state -> (CachedDocument?, Bool) in
            if let found = state.found[key] { return (found, false) }
            // In place: a crowd that waits for one response is not copied with each that joins it.
            let isFirst = state.waiting[key]?.append(finish) == nil
            if isFirst { state.waiting[key] = [finish] }
            return (nil, isFirst)
        }
        if let found { finish(found) }
        if isFirst { queue.async { self.complete(key, make()) } }
    }

    /// Keeps a response that was made elsewhere.
    func keep(_ document: CachedDocument, _ key: ResponseKey) {
        let room = cache?.byteLimit ?? 0
        change { $0.keep(document, key, room) }
        cache?.trim(keeping: self)
    }

    private func complete(_ key: ResponseKey, _ document: CachedDocument) {
        let room = cache?.byteLimit ?? 0
        let waiting = change { state in
            state.keep(document, key, room)
            let waiting = state.waiting.removeValue(forKey: key)
            if state.waiting.isEmpty { state.waiting = [:] }
            return waiting ?? []
        }
        for finish in waiting { finish(document) }
        cache?.trim(keeping: self)
    }

    /// Changes what is kept, and counts how many bytes that brought or freed.
    private func change<Result: Sendable>(
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
    /// What is being made is still handed out.
    func retire() {
        change { state in
            state.isRetired = true
            state.clear()
        }
    }

    /// Gives up what is kept, which may be made again.
    func clear() {
        change { $0.clear() }
    }

    /// About the bytes of what is kept.
    var byteCount: Int { state.withLock(\.byteCount) }

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
}

extension VersionResponses.State {
    fileprivate mutating func keep(_ document: CachedDocument, _ key: ResponseKey, _ room: Int) {
        let size = document.byteCount
        // Where there is hardly room, all would be given up again and again.
        guard !isRetired, size <= min(room, VersionResponses.byteLimit),
            room >= ResponseCache.leastByteLimit, found[key] == nil
        else { return }
        if key.isArbitrary {
            if arbitraryOrder.count >= VersionResponses.arbitraryCountLimit {
                drop(arbitraryOrder.removeFirst())
            }
        } else {
            if order.count >= VersionResponses.countLimit { drop(order.removeFirst()) }
        }
        guard makeRoom(for: size, isArbitrary: key.isArbitrary) else { return }
        found[key] = document
        if key.isArbitrary { arbitraryOrder.append(key) } else { order.append(key) }
        byteCount += size
    }

    /// Drops arbitrary ones, and for one that is none also others, until so many bytes fit.
    private mutating func makeRoom(for size: Int, isArbitrary: Bool) -> Bool {
        while byteCount + size > VersionResponses.byteLimit {
            if !arbitraryOrder.isEmpty {
                drop(arbitraryOrder.removeFirst())
            } else if !isArbitrary, !order.isEmpty {
                drop(order.removeFirst())
            } else {
                return false
            }
        }
        return true
    }

    fileprivate mutating func clear() {
        for key in order + arbitraryOrder { drop(key) }
        order = []
        arbitraryOrder = []
        found = [:]
        dropDelta()
    }

    private mutating func drop(_ key: ResponseKey) {
        byteCount -= found.removeValue(forKey: key)?.byteCount ?? 0
    }

    fileprivate mutating func dropDelta() {
        byteCount -= delta?.changes.heldByteCount ?? 0
        delta = nil
    }
}

extension Changes {
    /// About the bytes of memory that they take besides the items.
    fileprivate var heldByteCount: Int { 128 + 192 * editCount }

    fileprivate var editCount: Int {
        removedSections.count + insertedSections.count + movedSections.count
            + updatedSections.count + removedItems.count + insertedItems.count + movedItems.count
            + updatedItems.count
    }
}
