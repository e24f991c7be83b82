/// What the connections of a loop hold in memory: bodies that arrive, answers that wait to be
/// taken, heads and pipelines that wait to be read, what requests and streams that wait for changes
/// ask for.
///
/// It is counted where something has to wait, which most requests never do.
struct MemoryAccount {
    var byteCount = 0

    /// How many connections' output has an answer that many share.
    fileprivate var shared: [ObjectIdentifier: Int] = [:]

    /// When slow ones may be given up again.
    fileprivate var nextRelief = LoopTime(milliseconds: 0)
}

/// Counting them, and what is done when they are too much.
extension EventLoop {
    /// Whether they hold more than they may.
    var isOverSoftLimit: Bool { account.byteCount > settings.capacity.loopByteLimit }

    /// Whether they hold so much that room is left for what comes and goes alone.
    var isOverHalf: Bool { account.byteCount > settings.capacity.loopByteLimit / 2 }

    /// Whether they hold so much more that nobody may add to it.
    var isOverHardLimit: Bool { account.byteCount / 2 > settings.capacity.loopByteLimit }

    private static let smallInboxByteCount = 4 << 10

    /// Notes that so many bytes more are held, or fewer.
    func hold(_ byteCount: Int) {
        account.byteCount += byteCount
        // Past half of it connections are read in small parts.
        let count = isOverHalf ? EventLoop.smallInboxByteCount : wholeInbox.count
        inbox = UnsafeMutableBufferPointer(rebasing: wholeInbox[..<count])
    }

    /// Notes that a connection's output has an answer that many share, in place of another.
    ///
    /// Of those it counts only once, however many wait for it: when its version is current no
    /// more, they alone keep it.
    func exchange(_ old: CachedResponse?, for new: CachedResponse?) {
        if let new {
            let count = account.shared[ObjectIdentifier(new), default: 0]
            if count == 0 { hold(new.body.count) }
            account.shared[ObjectIdentifier(new)] = count + 1
        }
        if let old {
            let count = account.shared[ObjectIdentifier(old), default: 0] - 1
            account.shared[ObjectIdentifier(old)] = count > 0 ? count : nil
            if count == 0 { hold(-old.body.count) }
        }
    }

    /// Whether a connection's output has the answer already.
    func isHeld(_ shared: CachedResponse) -> Bool {
        account.shared[ObjectIdentifier(shared)] != nil
    }

    /// Has slow connections given up, once no other is being served, if all hold too much.
    func shedSoon() {
        guard isOverSoftLimit, now >= account.nextRelief else { return }
        account.nextRelief = now + .seconds(1)
        mailbox.post(.shed)
    }

    /// Gives up those that hold something and have been the slowest, until half of the memory is
    /// free: whoever asked for more was refused.
    func shed() {
        var slow: [(pace: Int, id: ConnectionID)] = []
        for case let connection? in connections where connection.holdsMemory {
            if let pace = connection.state.pace { slow.append((pace, connection.id)) }
        }
        slow.sort { $0.pace < $1.pace }
        for (_, id) in slow where isOverHalf {
            connection(id)?.shed()
            context.shortagesOfMemory.note()
        }
    }
}
