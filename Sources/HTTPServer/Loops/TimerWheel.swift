/// The times at which connections must be checked again, with one timer for all of them.
///
/// It is a hashed wheel (Varghese, Lauck, "Hashed and Hierarchical Timing Wheels", 1987). An entry
/// is never removed early: its connection checks, when the entry is due, whether the deadline has
/// really come. So extending a deadline costs nothing.
struct TimerWheel {
    /// A connection with the time at which it must be checked.
    struct Entry: Equatable {
        var connection: ConnectionID
        /// The slot of time of the entry, counted from the clock's start.
        var slot: Int
    }

    private var slots: [[Entry]]
    private var current: Int
    private(set) var count = 0

    /// The milliseconds of a slot.
    private let slotTime: Int

    /// The number of slots; later entries are put at the end of the wheel.
    let span: Int

    /// Makes an empty wheel.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - slotTime: The milliseconds of a slot: entries are due at most that much late.
    ///   - span: The number of slots.
    init(now: LoopTime, slot slotTime: Int = 1000, span: Int = 128) {
        slots = Array(repeating: [], count: span)
        current = now.milliseconds / slotTime
        self.slotTime = slotTime
        self.span = span
    }

    /// Adds an entry for `deadline`, or for the latest time of the wheel if that is earlier.
    ///
    /// - Parameters:
    ///   - connection: The connection to check.
    ///   - deadline: The time of the check.
    ///   - now: The current time, for a wheel that stood still while it was empty.
    /// - Returns: The slot in which the entry will be due.
    mutating func insert(_ connection: ConnectionID, at deadline: LoopTime, now: LoopTime) -> Int {
        if count == 0 { current = max(current, now.milliseconds / slotTime) }
        let wanted = (deadline.milliseconds + slotTime - 1) / slotTime
        let slot = min(max(wanted, current + 1), current + span - 1)
        slots[slot % span].append(Entry(connection: connection, slot: slot))
        count += 1
        return slot
    }

    /// Removes and returns the entries that are due by `now`.
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

    /// The time at which the next entry is due.
    var next: LoopTime? {
        guard count > 0 else { return nil }
        return (current + 1...current + span).first { !slots[$0 % span].isEmpty }
            .map { LoopTime(milliseconds: $0 * slotTime) }
    }
}
