import HTTPWire

/// Counts the bytes of memory that a loop's connections use: for arriving bodies, responses that
/// clients have not received, incomplete heads, pipelined requests, and the data of long polls and
/// streams.
///
/// Memory is counted only while input or output has to wait, as it does for few requests.
final class MemoryAccount {
    /// The number of bytes that connections may use; more is over the soft limit.
    var limit: Int

    /// The number of bytes that connections use.
    private(set) var byteCount = 0

    /// The number of connections with a payload in their pending output, by the payload's identity.
    private var shared: [ObjectIdentifier: Int] = [:]

    /// The time before which slow connections are not shed again.
    private var nextShedding = LoopTime(milliseconds: 0)

    /// Makes an empty account of connections that may use `limit` bytes.
    init(limit: Int) {
        self.limit = limit
    }

    /// Whether the connections use more than the limit.
    var isOverSoftLimit: Bool { byteCount > limit }

    /// Whether the connections use more than half of the limit; from there on, the loop also saves
    /// memory that it uses only briefly.
    var isOverHalf: Bool { byteCount > limit / 2 }

    /// Whether the connections use more than twice the limit: a request that would add to it is
    /// refused, or its connection closed.
    var isOverHardLimit: Bool { byteCount / 2 > limit }

    /// Counts `byteCount` more bytes; fewer if the number is negative.
    func hold(_ byteCount: Int) { self.byteCount += byteCount }

    /// Records that a connection's output has another shared payload than before; `nil`: none.
    ///
    /// A shared payload is counted once, however many connections send it. It must be counted,
    /// because the cache may drop it while the connections still need it.
    func exchange(_ old: Payload?, for new: Payload?) {
        if let new {
            let count = shared[ObjectIdentifier(new), default: 0]
            if count == 0 { hold(new.bodyByteCount) }
            shared[ObjectIdentifier(new)] = count + 1
        }
        if let old {
            let count = shared[ObjectIdentifier(old), default: 0] - 1
            shared[ObjectIdentifier(old)] = count > 0 ? count : nil
            if count == 0 { hold(-old.bodyByteCount) }
        }
    }

    /// Returns whether the payload is in the output of any connection.
    func isHeld(_ shared: Payload) -> Bool { self.shared[ObjectIdentifier(shared)] != nil }

    /// Returns whether to shed slow connections now; true at most once a second.
    func isSheddingDue(at now: LoopTime) -> Bool {
        guard isOverSoftLimit, now >= nextShedding else { return false }
        nextShedding = now + .seconds(1)
        return true
    }
}

/// Sheds load: closes slow connections that use memory, to free it.
extension EventLoop {
    /// Has slow connections closed after the current connection has been served, if memory is over
    /// the soft limit.
    func shedSoon() {
        if account.isSheddingDue(at: now) { mailbox.post(.shed) }
    }

    /// Closes the slowest connections that use memory, until at most half of the limit is in use.
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

/// Counts the memory that a connection uses while its input or output has to wait.
extension Connection {
    /// Updates the loop's account to the memory that the connection uses now.
    func recountMemory() {
        guard loop.has(self) else { return }
        let count =
            reader.byteCount + output.ownByteCount + (heldResponse?.ownByteCount ?? 0)
            + openResponse.byteCount
        // While a response waits for the end of its request, no output is pending, so there is one
        // shared payload at most.
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

    /// Frees the connection's memory: refuses the body that is being read, or else closes the
    /// connection.
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
