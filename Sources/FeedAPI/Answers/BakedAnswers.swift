import Dispatch
import FeedModel
import FeedStore
import HTTPServer
import HTTPWire
import Synchronization

/// The answers about one version of a feed, each made once, when first asked for.
///
/// They hang on the version while it is current. Whoever asks for one that is being made waits
/// for that, without a thread.
final class BakedAnswers: Sendable {
    /// Which bakery made them: an answer depends on its configuration.
    let owner: Int
    let token: Token
    /// Whether making an answer is a matter of microseconds, and whether compressing it is.
    private let isSmall: Bool
    private let isSmallForCoding: Bool

    private let state = Mutex(State())
    private weak let bakery: Bakery?
    private let counter: ByteCounter

    init(_ version: Version, in bakery: Bakery, counter: ByteCounter) {
        owner = bakery.number
        self.bakery = bakery
        self.counter = counter
        token = version.token
        isSmall = version.snapshot.isSmall(isCoded: false)
        isSmallForCoding = isSmall && version.snapshot.isSmall(isCoded: true)
    }

    deinit { counter.add(-byteCount) }

    /// What is kept: answers in the order of their making, of so many bytes and so many at most.
    fileprivate struct State {
        var made: [AnswerKey: Made] = [:]
        /// Who waits for what is being made.
        var waiting: [AnswerKey: [@Sendable (Made) -> Void]] = [:]
        /// Those to views have places of their own, for anybody can ask for any number of them.
        var order: [AnswerKey] = []
        var viewOrder: [AnswerKey] = []
        var byteCount = 0
        var isRetired = false
        /// The changes from the version before, where the publish has told them.
        var delta: (since: Int, changes: Changes)?
    }

    private static let countLimit = 64
    private static let byteLimit = 64 << 20
    /// The most changes that are kept as values.
    private static let deltaLimit = 4096
}

extension BakedAnswers {
    /// Whether making an answer is a matter of microseconds.
    func isSmall(isCoded: Bool) -> Bool {
        isCoded ? isSmallForCoding : isSmall
    }

    /// Whether others wait for the answer already.
    func isBeingMade(_ key: AnswerKey) -> Bool {
        state.withLock { $0.waiting[key] != nil }
    }

    /// The answer, when it is made already.
    func made(_ key: AnswerKey) -> Made? {
        state.withLock { $0.made[key] }
    }

    /// The same with another hint, if it has another.
    func made(_ key: AnswerKey, hint: Int) -> Made? {
        state.withLock { state in
            guard let made = state.made[key], made.hint != hint else { return state.made[key] }
            let renewed = made.hinting(hint)
            state.made[key] = renewed
            return renewed
        }
    }

    /// Finds the answer of `key`, or has it made by `make` on `queue` (`nil`: here and now) if
    /// nobody has yet; `finish` is called once, at once or when it is made.
    func answer(
        _ key: AnswerKey,
        on queue: DispatchQueue?,
        make: @escaping @Sendable () -> Made,
        finish: @escaping @Sendable (Made) -> Void
    ) {
        let (made, isFirst) = state.withLock { state -> (Made?, Bool) in
            if let made = state.made[key] { return (made, false) }
            // In place: a crowd that waits for one answer is not copied with each that joins it.
            let isFirst = state.waiting[key]?.append(finish) == nil
            if isFirst { state.waiting[key] = [finish] }
            return (nil, isFirst)
        }
        if let made { finish(made) }
        guard isFirst else { return }
        if let queue {
            queue.async { self.complete(key, make()) }
        } else {
            complete(key, make())
        }
    }

    /// Has the answer of `key` made by `make` on `queue`, and `finish` called with it, unless it is
    /// being made already.
    func begin(
        _ key: AnswerKey,
        on queue: DispatchQueue,
        make: @escaping @Sendable () -> Made,
        finish: @escaping @Sendable (Made) -> Void
    ) {
        let isFirst = state.withLock { state in
            guard state.waiting[key] == nil else { return false }
            state.waiting[key] = [finish]
            return true
        }
        if isFirst { queue.async { self.complete(key, make()) } }
    }

    /// Keeps an answer that was made elsewhere.
    func keep(_ made: Made, _ key: AnswerKey) {
        let room = bakery?.byteLimit ?? 0
        change { $0.keep(made, key, room) }
        bakery?.trim(keeping: self)
    }

    private func complete(_ key: AnswerKey, _ made: Made) {
        let room = bakery?.byteLimit ?? 0
        let waiting = change { state in
            state.keep(made, key, room)
            let waiting = state.waiting.removeValue(forKey: key)
            if state.waiting.isEmpty { state.waiting = [:] }
            return waiting ?? []
        }
        for finish in waiting { finish(made) }
        bakery?.trim(keeping: self)
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
        guard changes.editCount <= BakedAnswers.deltaLimit else { return }
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

extension BakedAnswers.State {
    fileprivate mutating func keep(_ made: Made, _ key: AnswerKey, _ room: Int) {
        let size = made.byteCount
        // Where there is hardly room, all would be given up again and again.
        guard !isRetired, size <= min(room, BakedAnswers.byteLimit), room >= Bakery.leastByteLimit
        else { return }
        if key.view.isWhole {
            if order.count >= BakedAnswers.countLimit { drop(order.removeFirst()) }
        } else {
            if viewOrder.count >= BakedAnswers.countLimit { drop(viewOrder.removeFirst()) }
        }
        guard makeRoom(for: size, isView: !key.view.isWhole) else { return }
        self.made[key] = made
        if key.view.isWhole { order.append(key) } else { viewOrder.append(key) }
        byteCount += size
    }

    /// Drops views, and for an answer to no view also the others, until so many bytes fit.
    private mutating func makeRoom(for size: Int, isView: Bool) -> Bool {
        while byteCount + size > BakedAnswers.byteLimit {
            if !viewOrder.isEmpty {
                drop(viewOrder.removeFirst())
            } else if !isView, !order.isEmpty {
                drop(order.removeFirst())
            } else {
                return false
            }
        }
        return true
    }

    fileprivate mutating func clear() {
        for key in order + viewOrder { drop(key) }
        order = []
        viewOrder = []
        made = [:]
        dropDelta()
    }

    private mutating func drop(_ key: AnswerKey) {
        byteCount -= made.removeValue(forKey: key)?.byteCount ?? 0
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
