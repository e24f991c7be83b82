import CLinux
import Glibc

/// The count of the bytes that a loop's connections hold in memory: arriving bodies, answers that
/// the clients have not taken, heads and pipelined requests that have not been read, and the data
/// of long polls and streams.
///
/// Memory is counted only where something has to wait, which is not the case for most requests.
final class MemoryAccount {
    /// The number of bytes that the connections may hold.
    var limit: Int

    private(set) var byteCount = 0

    /// For each shared answer, the number of connections whose output holds it.
    private var shared: [ObjectIdentifier: Int] = [:]

    /// The time before which slow connections are not shed again.
    private var nextShedding = LoopTime(milliseconds: 0)

    /// - Parameter limit: The number of bytes that the connections may hold.
    init(limit: Int) {
        self.limit = limit
    }

    /// Whether the connections hold more than the limit.
    var isOverSoftLimit: Bool { byteCount > limit }

    /// Whether the connections hold more than half of the limit: the rest is for memory that is
    /// held briefly.
    var isOverHalf: Bool { byteCount > limit / 2 }

    /// Whether the connections hold more than twice the limit: connections that would add to it are
    /// refused or closed.
    var isOverHardLimit: Bool { byteCount / 2 > limit }

    /// Adds a number of bytes, which may be negative.
    func hold(_ byteCount: Int) { self.byteCount += byteCount }

    /// Records that a connection's output holds a shared answer in place of another.
    ///
    /// A shared answer is counted once for all connections that wait for it: when its version is
    /// not current any more, only they keep it in memory.
    func exchange(_ old: Payload?, for new: Payload?) {
        if let new {
            let count = shared[ObjectIdentifier(new), default: 0]
            if count == 0 { hold(new.body.count) }
            shared[ObjectIdentifier(new)] = count + 1
        }
        if let old {
            let count = shared[ObjectIdentifier(old), default: 0] - 1
            shared[ObjectIdentifier(old)] = count > 0 ? count : nil
            if count == 0 { hold(-old.body.count) }
        }
    }

    /// Returns whether the output of some connection already holds the answer.
    func isHeld(_ shared: Payload) -> Bool { self.shared[ObjectIdentifier(shared)] != nil }

    /// Returns whether slow connections are to be shed; at most once a second.
    func isSheddingDue(at now: LoopTime) -> Bool {
        guard isOverSoftLimit, now >= nextShedding else { return false }
        nextShedding = now + .seconds(1)
        return true
    }
}

/// Shedding: slow connections are closed, to free memory for others.
extension EventLoop {
    /// Has slow connections shed, after the connection that is being served, if memory is over the
    /// limit.
    func shedSoon() {
        if account.isSheddingDue(at: now) { mailbox.post(.shed) }
    }

    /// Sheds the slowest connections that hold memory, until at most half of the limit is in use.
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

/// The memory that one connection holds, as counted in its loop's account.
struct HeldMemory {
    /// The number of bytes that only this connection holds.
    private(set) var byteCount = 0
    /// The shared answer in the connection's output, if any.
    private(set) var shared: Payload?

    /// Whether the connection holds any counted memory.
    var isSome: Bool { byteCount > 0 || shared != nil }

    /// Updates the account to the memory that the connection holds now.
    mutating func update(
        byteCount: Int,
        sharing new: Payload?,
        in account: MemoryAccount
    ) {
        if byteCount != self.byteCount {
            account.hold(byteCount - self.byteCount)
            self.byteCount = byteCount
        }
        if new !== shared {
            account.exchange(shared, for: new)
            shared = new
        }
    }
}
