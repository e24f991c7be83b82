import Dispatch

/// The times at which a loop checks its connections without an event.
extension EventLoop {
    /// Schedules the connection's timer for `deadline`, to the second; returns that second.
    func schedule(_ id: ConnectionID, at deadline: LoopTime) -> Int {
        setTimer(for: now + .seconds(1))
        return wheel.insert(id, at: deadline, now: now)
    }

    /// Returns the time at which a wait until `deadline` ends: then or a moment before, never after
    /// it.
    static func waitEnd(_ deadline: LoopTime) -> LoopTime {
        LoopTime(milliseconds: (deadline.milliseconds - clockTick) / waitSlot * waitSlot)
    }

    /// Has the connection check at a time whether its wait is over.
    ///
    /// - Parameters:
    ///   - id: The connection.
    ///   - end: A time made by ``waitEnd(_:)``.
    func scheduleWaitEnd(_ id: ConnectionID, at end: LoopTime) {
        _ = waitEnds.insert(id, at: end, now: now)
        setTimer(for: end, leeway: .milliseconds(1))
    }

    /// The milliseconds by which a wait may end early, so that many end at once.
    static let waitSlot = 16
    /// The milliseconds by which the loop's clock may be late.
    private static let clockTick = 4
    /// The number of slots for ends of waits, which covers more than the longest wait.
    static let waitSlotCount = 8192

    /// Makes the loop's only timer fire at `due` or earlier.
    func setTimer(for due: LoopTime, leeway: DispatchTimeInterval = .milliseconds(20)) {
        if let timerDue, timerDue <= due { return }
        timerDue = due
        let delay = max(1, due.milliseconds - System.monotonicMilliseconds())
        timer?.schedule(deadline: .now() + .milliseconds(delay), leeway: leeway)
    }
}
