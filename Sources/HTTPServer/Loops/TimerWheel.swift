/// When to look at which connection again: one timer for all of them.
///
/// A hashed wheel (Varghese, Lauck, "Hashed and Hierarchical Timing Wheels", 1987). An entry is
/// never taken out: its owner, when its turn comes, says whether the time is really up, so
/// extending a deadline costs nothing.
struct TimerWheel {
    /// Something that is due at a time.
    struct Entry: Equatable {
        var connection: ConnectionID
        /// The slot of time for which it was put in, counted from the clock's start.
        var slot: Int
    }

    private var slots: [[Entry]]
    private var current: Int
    private(set) var count = 0

    /// Milliseconds of a slot.
    private let slotTime: Int

    /// Slots there are; what is due later comes round at the end of the wheel.
    let span: Int

    /// Makes an empty wheel.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - slotTime: Milliseconds of a slot: entries come at most that much late.
    ///   - span: Slots there are.
    init(now: LoopTime, slot slotTime: Int = 1000, span: Int = 128) {
        slots = Array(repeating: [], count: span)
        current = now.milliseconds / slotTime
        self.slotTime = slotTime
        self.span = span
    }

    /// Puts `connection` in for `deadline`, or for as late as the wheel reaches.
    ///
    /// - Parameters:
    ///   - connection: Whose time it is.
    ///   - deadline: When.
    ///   - now: The time, for a wheel that stood still while it was empty.
    /// - Returns: The slot in which it will be due.
    mutating func insert(_ connection: ConnectionID, at deadline: LoopTime, now: LoopTime) -> Int {
        if count == 0 { current = max(current, now.milliseconds / slotTime) }
        let wanted = (deadline.milliseconds + slotTime - 1) / slotTime
        let slot = min(max(wanted, current + 1), current + span - 1)
        slots[slot % span].append(Entry(connection: connection, slot: slot))
        count += 1
        return slot
    }

    /// Takes out what is due by `now`.
    mutating func due(by now: LoopTime) -> [Entry] {
        let target = now.milliseconds / slotTime
        guard count > 0, target > current else {
            current = max(current, target)
            return []
        }
        var found: [Entry] = []
        for slot in (current + 1)...min(target, current + span) {
            found += slots[slot % span]
            slots[slot % span].removeAll(keepingCapacity: false)
        }
        current = target
        count -= found.count
        return found
    }

    /// When something is due next.
    var next: LoopTime? {
        guard count > 0 else { return nil }
        return (current + 1...current + span).first { !slots[$0 % span].isEmpty }
            .map { LoopTime(milliseconds: $0 * slotTime) }
    }
}
