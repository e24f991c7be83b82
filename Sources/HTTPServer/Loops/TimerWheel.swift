import CLinux
import Dispatch
import Glibc
import Platform

/// The times at which a loop's connections must check their deadlines; one timer serves them all.
///
/// The times are in a hashed wheel (Varghese, Lauck, "Hashed and Hierarchical Timing Wheels",
/// 1987). An entry is never removed early: when it is due, its connection checks whether the
/// deadline has really come. So extending a deadline costs nothing.
struct TimerWheel {
    /// A connection with the time at which it must be checked.
    typealias Entry = (connection: ConnectionID, deadline: LoopTime)

    /// The entries of each slot; the slot of a time is the number of the time's slot modulo
    /// ``span``.
    private var slots: [[Entry]]
    /// The number of the last slot that is due, counted from time 0.
    private var current: Int
    /// The number of entries.
    private(set) var count = 0

    /// The length of a slot in milliseconds; an entry is due at most one slot late.
    private let slotTime: Int

    /// The number of slots; an entry beyond the last slot is put into the last one.
    private let span: Int

    /// Makes an empty wheel.
    ///
    /// - Parameters:
    ///   - slotTime: The milliseconds of a slot.
    ///   - span: The number of slots, which by default cover more than the longest long poll.
    init(now: LoopTime, slot slotTime: Int = EventLoop.waitSlot, span: Int = 8192) {
        slots = Array(repeating: [], count: span)
        current = now.milliseconds / slotTime
        self.slotTime = slotTime
        self.span = span
    }

    /// Adds an entry for `deadline`, or for the latest time of the wheel if that is earlier.
    ///
    /// - Parameter now: The current time, from which an empty wheel starts anew.
    mutating func insert(_ connection: ConnectionID, at deadline: LoopTime, now: LoopTime) {
        if count == 0 { current = max(current, now.milliseconds / slotTime) }
        let wanted = (deadline.milliseconds + slotTime - 1) / slotTime
        let slot = min(max(wanted, current + 1), current + span - 1)
        slots[slot % span].append((connection, deadline))
        count += 1
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

    /// The time at which the next entry is due; `nil` if the wheel is empty.
    var next: LoopTime? {
        guard count > 0 else { return nil }
        return (current + 1...current + span).first { !slots[$0 % span].isEmpty }
            .map { LoopTime(milliseconds: $0 * slotTime) }
    }
}

/// A moment on an event loop's clock, in milliseconds.
struct LoopTime: Comparable, Sendable {
    var milliseconds: Int

    /// The first whole second that is not before this time.
    var wholeSecond: LoopTime { LoopTime(milliseconds: (milliseconds + 999) / 1000 * 1000) }

    static func < (left: LoopTime, right: LoopTime) -> Bool {
        left.milliseconds < right.milliseconds
    }

    static func + (time: LoopTime, duration: Duration) -> LoopTime {
        let (seconds, attoseconds) = duration.components
        let milliseconds = Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
        return LoopTime(milliseconds: time.milliseconds + milliseconds)
    }
}

/// A timer in an event loop's epoll set, which ends the loop's wait there (timerfd_create(2)).
///
/// A time-out of epoll_wait(2) would have the same effect, but the kernel would set it up with
/// every wait; this timer is set once for many waits.
final class Alarm {
    let descriptor: Descriptor
    private var due: LoopTime?

    init() throws(SystemError) {
        descriptor = Descriptor(
            owning: try System.check("timerfd_create") {
                timerfd_create(CLOCK_MONOTONIC, CInt(TFD_NONBLOCK) | CInt(TFD_CLOEXEC))
            }
        )
    }

    /// Makes the alarm go off at `time`, unless it is set for an earlier time.
    func set(for time: LoopTime, now: LoopTime) {
        if let due, due <= time, due > now { return }
        due = time
        // The value 0 would stop the timer.
        set(milliseconds: max(1, time.milliseconds - now.milliseconds))
    }

    /// Stops the alarm.
    func stop() {
        due = nil
        set(milliseconds: 0)
    }

    private func set(milliseconds: Int) {
        var time = itimerspec()
        time.it_value.tv_sec = milliseconds / 1000
        time.it_value.tv_nsec = milliseconds % 1000 * 1_000_000
        timerfd_settime(descriptor.rawValue, 0, &time, nil)
    }
}

/// Schedules the time checks of a loop's connections.
extension EventLoop {
    /// Has a connection check its deadline at `second`, a whole second.
    func schedule(_ id: ConnectionID, at second: LoopTime) {
        setTimer(for: now + .seconds(1))
        wheel.insert(id, at: second, now: now)
    }

    /// Returns the time at which a long poll or stream with this deadline ends: never after the
    /// deadline, and at most ``waitSlot`` and ``clockTick`` before it.
    static func waitEnd(_ deadline: LoopTime) -> LoopTime {
        LoopTime(milliseconds: (deadline.milliseconds - clockTick) / waitSlot * waitSlot)
    }

    /// Has a connection check at `end`, a time made by ``waitEnd(_:)``, whether its long poll or
    /// stream is over.
    func scheduleWaitEnd(_ id: ConnectionID, at end: LoopTime) {
        wheel.insert(id, at: end, now: now)
        setTimer(for: end, leeway: .milliseconds(1))
    }

    /// The milliseconds by which a long poll may end early, so that many end together.
    static let waitSlot = 16
    /// The milliseconds by which the loop's clock may be late.
    private static let clockTick = 4

    /// Sets the loop's timer to fire at `due`, unless it fires earlier.
    func setTimer(for due: LoopTime, leeway: DispatchTimeInterval = .milliseconds(20)) {
        if let timerDue, timerDue <= due { return }
        timerDue = due
        let delay = max(1, due.milliseconds - System.monotonicMilliseconds())
        timer?.schedule(deadline: .now() + .milliseconds(delay), leeway: leeway)
    }
}
