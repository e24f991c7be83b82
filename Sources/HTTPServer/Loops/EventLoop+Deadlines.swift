import Dispatch

/// When a loop looks at its connections though nothing has happened to them.
extension EventLoop {
    /// Has the connection's timer fire at `deadline`, to the second.
    func schedule(_ id: ConnectionID, at deadline: LoopTime) -> Int {
        setTimer(for: now + .seconds(1))
        return wheel.insert(id, at: deadline, now: now)
    }

    /// Has the connection look whether its wait is over, at `deadline` or up to 0.1 s later.
    func scheduleWaitEnd(_ id: ConnectionID, at deadline: LoopTime) {
        _ = waitEnds.insert(id, at: deadline, now: now)
        setTimer(for: deadline)
    }

    /// Has the loop's one timer fire at `due`, or before that.
    func setTimer(for due: LoopTime) {
        if let timerDue, timerDue <= due { return }
        timerDue = due
        let delay = max(1, due.milliseconds - now.milliseconds)
        timer?.schedule(deadline: .now() + .milliseconds(delay), leeway: .milliseconds(20))
    }
}
