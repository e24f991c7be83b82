/// What the connections of a loop hold in memory: bodies that arrive, answers that wait to be
/// taken, heads and pipelines that wait to be read, what requests and streams that wait for changes
/// ask for.
///
/// It is counted where something has to wait, which most requests never do.
final class MemoryAccount {
    /// Bytes that they may hold.
    var limit: Int

    private(set) var byteCount = 0

    /// How many connections' output has an answer that many share.
    private var shared: [ObjectIdentifier: Int] = [:]

    /// When slow ones may be shed again.
    private var nextShedding = LoopTime(milliseconds: 0)

    /// - Parameter limit: Bytes that they may hold.
    init(limit: Int) {
        self.limit = limit
    }

    /// Whether they hold more than they may.
    var isOverSoftLimit: Bool { byteCount > limit }

    /// Whether they hold so much that room is left for what comes and goes alone.
    var isOverHalf: Bool { byteCount > limit / 2 }

    /// Whether they hold so much more that nobody may add to it.
    var isOverHardLimit: Bool { byteCount / 2 > limit }

    /// Notes that so many bytes more are held, or fewer.
    func hold(_ byteCount: Int) { self.byteCount += byteCount }

    /// Notes that a connection's output has an answer that many share, in place of another.
    ///
    /// Of those it counts only once, however many wait for it: when its version is current no
    /// more, they alone keep it.
    func exchange(_ old: CachedResponse?, for new: CachedResponse?) {
        if let new {
            let count = shared[new.id, default: 0]
            if count == 0 { hold(new.body.count) }
            shared[new.id] = count + 1
        }
        if let old {
            let count = shared[old.id, default: 0] - 1
            shared[old.id] = count > 0 ? count : nil
            if count == 0 { hold(-old.body.count) }
        }
    }

    /// Whether a connection's output has the answer already.
    func isHeld(_ shared: CachedResponse) -> Bool { self.shared[shared.id] != nil }

    /// Whether slow connections are to be shed; not more than once a second.
    func isSheddingDue(at now: LoopTime) -> Bool {
        guard isOverSoftLimit, now >= nextShedding else { return false }
        nextShedding = now + .seconds(1)
        return true
    }
}

/// Shedding: slow connections are given up, so that others have the memory.
extension EventLoop {
    /// Sheds slow connections, once no other is being served, if all hold too much.
    func shedSoon() {
        if account.isSheddingDue(at: now) { mailbox.post(.shed) }
    }

    /// Gives up those that hold something and have been the slowest, until half of the memory is
    /// free: whoever asked for more was refused.
    func shed() {
        var slow: [(pace: Int, id: ConnectionID)] = []
        for case let connection? in connections where connection.memory.isSome {
            if let pace = connection.state.pace { slow.append((pace, connection.id)) }
        }
        slow.sort { $0.pace < $1.pace }
        for (_, id) in slow where account.isOverHalf {
            connection(id)?.shed()
            context.shortagesOfMemory.note()
        }
    }
}

/// What one connection holds in memory, as its loop's account has it.
struct HeldMemory {
    /// Bytes that are its own.
    private(set) var byteCount = 0
    /// What of its output others have too.
    private(set) var shared: CachedResponse?

    /// Whether it holds what others could need.
    var isSome: Bool { byteCount > 0 || shared != nil }

    /// Notes what it holds now.
    mutating func update(
        byteCount: Int,
        sharing new: CachedResponse?,
        in account: MemoryAccount
    ) {
        if byteCount != self.byteCount {
            account.hold(byteCount - self.byteCount)
            self.byteCount = byteCount
        }
        if new?.id != shared?.id {
            account.exchange(shared, for: new)
            shared = new
        }
    }
}
