import HTTPWire

/// The count of the bytes that a loop's connections hold: arriving bodies, responses that clients
/// have not taken, incomplete heads, pipelined requests, and the data of long polls and streams.
///
/// Memory is counted only when something has to wait, which most requests never do.
final class MemoryAccount {
    /// The number of bytes that connections may hold; more is over the soft limit.
    var limit: Int

    private(set) var byteCount = 0

    /// The number of connections whose pending output holds a shared payload, by payload.
    private var shared: [ObjectIdentifier: Int] = [:]

    /// The time before which slow connections are not shed again.
    private var nextShedding = LoopTime(milliseconds: 0)

    /// - Parameter limit: The number of bytes that the connections may hold.
    init(limit: Int) {
        self.limit = limit
    }

    /// Whether the connections hold more than the limit.
    var isOverSoftLimit: Bool { byteCount > limit }

    /// Whether the connections hold more than half of the limit; from there, memory that is held
    /// only briefly is saved.
    var isOverHalf: Bool { byteCount > limit / 2 }

    /// Whether the connections hold more than twice the limit: a connection that would add to it is
    /// refused or closed.
    var isOverHardLimit: Bool { byteCount / 2 > limit }

    /// Adds `byteCount` bytes; a negative number removes some.
    func hold(_ byteCount: Int) { self.byteCount += byteCount }

    /// Records that a connection's output holds another shared payload than before.
    ///
    /// A shared payload is counted once, however many connections hold it. When its version is no
    /// longer current, only they keep it in memory.
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

    /// Returns whether the output of any connection holds the payload.
    func isHeld(_ shared: Payload) -> Bool { self.shared[ObjectIdentifier(shared)] != nil }

    /// Returns whether to shed slow connections now; true at most once a second.
    func isSheddingDue(at now: LoopTime) -> Bool {
        guard isOverSoftLimit, now >= nextShedding else { return false }
        nextShedding = now + .seconds(1)
        return true
    }
}

/// Shedding: slow connections that hold memory are closed, to free it.
extension EventLoop {
    /// Has slow connections shed after the current connection has been served, if memory is over
    /// the soft limit.
    func shedSoon() {
        if account.isSheddingDue(at: now) { mailbox.post(.shed) }
    }

    /// Sheds the slowest connections that hold memory, until at most half of the limit is in use.
    func shed() {
        var slow: [(pace: Int, id: ConnectionID)] = []
        for case let connection? in connections {
            guard connection.memory.byteCount > 0 || connection.memory.shared != nil else {
                continue
            }
            if let pace = connection.state.pace { slow.append((pace, connection.id)) }
        }
        slow.sort { $0.pace < $1.pace }
        for (_, id) in slow where account.isOverHalf {
            connection(id)?.shed()
            context.shortagesOfMemory.note()
        }
    }
}

/// Counting of the memory that a connection holds while its input or output has to wait.
extension Connection {
    /// Updates the loop's account to the memory that the connection holds now.
    func recountMemory() {
        guard loop.has(self) else { return }
        let count =
            reader.byteCount + output.ownByteCount + (heldResponse?.ownByteCount ?? 0)
            + openResponse.byteCount
        // While a response is held, no output is pending, so there is one shared payload at most.
        let shared = output.shared ?? heldResponse?.payload
        holdsMemory(byteCount: count, sharing: shared)
    }

    /// Removes the connection's memory from the account, because the connection is closed.
    func stopCountingMemory() {
        holdsMemory(byteCount: 0, sharing: nil)
    }

    private func holdsMemory(byteCount: Int, sharing shared: Payload?) {
        let before = memory
        if byteCount != before.byteCount { loop.account.hold(byteCount - before.byteCount) }
        if shared !== before.shared { loop.account.exchange(before.shared, for: shared) }
        memory = (byteCount, shared)
    }

    /// Frees the connection's memory for others: refuses the body that is being read, or closes.
    func shed() {
        if case .keep = reader.body?.purpose, !state.isBlocked {
            refuseBody(.overloaded)
            advance()
        } else {
            loop.remove(self)
        }
    }

    /// Ends the connection if the loop's memory is over the hard limit: with 503 if a head has
    /// begun, without a response if pipelined requests wait.
    func endIfOverHardLimit() {
        guard loop.account.isOverSoftLimit, loop.has(self) else { return }
        loop.shedSoon()
        guard loop.account.isOverHardLimit else { return }
        if state.input == .head {
            refuse(.overloaded)
            advance()
            forgetHead()
        } else if reader.hasInput {
            loop.remove(self)
        }
    }

    /// Frees the storage of a refused request's head, while the rest of the request is dropped.
    private func forgetHead() {
        guard loop.has(self) else { return }
        guard state.input == .discarding else {
            loop.remove(self)
            return
        }
        reader.returnStorage(to: loop)
        recountMemory()
    }

    /// Returns whether a response needs too much memory to be sent now.
    func isTooMuch(_ response: Response) -> Bool {
        if case .stream(let stream) = response.body {
            return isTooMuchToWait(stream.byteCount)
        }
        guard loop.account.isOverSoftLimit else { return false }
        if let shared = response.payload {
            guard shared.bodyByteCount >= WriteBuffer.copyByteLimit, !loop.account.isHeld(shared)
            else {
                return false
            }
            // Shedding slow readers frees memory, so responses to fast ones are seldom refused.
            loop.shedSoon()
            return loop.account.isOverHardLimit
        }
        return response.ownByteCount >= WriteBuffer.copyByteLimit
    }

    /// Returns whether a long poll or stream of this size needs too much memory to be begun now.
    func isTooMuchToWait(_ byteCount: Int) -> Bool {
        loop.account.isOverHalf && byteCount >= Connection.largeWaitByteCount
    }

    /// The size in bytes from which the memory of a long poll or stream counts; smaller ones are
    /// bounded by the limit of connections.
    private static let largeWaitByteCount = 4 << 10
}

extension Response {
    /// The number of bytes of content that no other response shares.
    fileprivate var ownByteCount: Int {
        if case .stream = body { return 0 }
        return body.byteCount ?? 0
    }
}
