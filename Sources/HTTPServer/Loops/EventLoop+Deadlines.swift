import Dispatch

/// When a loop looks at its connections though nothing has happened to them.
extension EventLoop {
    /// Has the connection's timer fire at `deadline`, to the second.
    func schedule(_ id: ConnectionID, at deadline: LoopTime) -> Int {
        setTimer(for: now + .seconds(1))
        return wheel.insert(id, at: deadline, now: now)
    }

    /// When a wait ends that may last until `deadline`: then or a moment before, never after it.
    static func waitEnd(_ deadline: LoopTime) -> LoopTime {
        LoopTime(milliseconds: (deadline.milliseconds - clockTick) / waitSlot * waitSlot)
    }

    /// Has the connection look whether its wait is over.
    ///
    /// - Parameters:
    ///   - id: The connection.
    ///   - end: As ``waitEnd(_:)`` has it.
    func scheduleWaitEnd(_ id: ConnectionID, at end: LoopTime) {
        _ = waitEnds.insert(id, at: end, now: now)
        setTimer(for: end, leeway: .milliseconds(1))
    }

    /// Milliseconds by which a wait may end before its time, so that many end at once.
    static let waitSlot = 16
    /// Milliseconds by which the loop's clock may be late.
    private static let clockTick = 4
    /// So many reach beyond the longest wait.
    static let waitSlotCount = 8192

    /// Has the loop's one timer fire at `due`, or before that.
    func setTimer(for due: LoopTime, leeway: DispatchTimeInterval = .milliseconds(20)) {
        if let timerDue, timerDue <= due { return }
        timerDue = due
        let delay = max(1, due.milliseconds - System.monotonicMilliseconds())
        timer?.schedule(deadline: .now() + .milliseconds(delay), leeway: leeway)
    }
}
