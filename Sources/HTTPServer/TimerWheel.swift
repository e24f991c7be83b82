/// When to look at which connection again: one timer for all of them.
///
/// A hashed wheel (Varghese, Lauck, "Hashed and Hierarchical Timing Wheels", 1987) of one-second
/// slots. An entry is never taken out: its owner, when its turn comes, says whether the time is
/// really up, so extending a deadline costs nothing.
struct TimerWheel {
    /// Something that is due at a time.
    struct Entry: Equatable {
        var connection: ConnectionID
        /// The second for which it was put in.
        var second: Int
    }

    private var slots: [[Entry]]
    private var current: Int
    private(set) var count = 0

    /// Seconds that fit; what is due later comes round at the end of the wheel.
    static let span = 128

    init(now: LoopTime) {
        slots = Array(repeating: [], count: TimerWheel.span)
        current = now.milliseconds / 1000
    }

    /// Puts `connection` in for `deadline`, or for as late as the wheel reaches.
    ///
    /// - Returns: The second at which it will be due.
    mutating func insert(_ connection: ConnectionID, at deadline: LoopTime) -> Int {
        let wanted = (deadline.milliseconds + 999) / 1000
        let second = min(max(wanted, current + 1), current + TimerWheel.span - 1)
        slots[second % TimerWheel.span].append(Entry(connection: connection, second: second))
        count += 1
        return second
    }

    /// Takes out what is due by `now`.
    mutating func due(by now: LoopTime) -> [Entry] {
        let target = now.milliseconds / 1000
        guard count > 0, target > current else {
            current = max(current, target)
            return []
        }
        var found: [Entry] = []
        for second in (current + 1)...min(target, current + TimerWheel.span) {
            found += slots[second % TimerWheel.span]
            slots[second % TimerWheel.span].removeAll(keepingCapacity: false)
        }
        current = target
        count -= found.count
        return found
    }
}
