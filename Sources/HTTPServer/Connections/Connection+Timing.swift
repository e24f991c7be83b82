/// What becomes of it when time passes.
extension Connection {
    func timerFired(second: Int) {
        guard second == scheduledSecond else { return }
        scheduledSecond = nil
        timeIsUp()
    }

    private func timeIsUp() {
        var state = state
        let timeOut = state.timerFired(at: loop.now, loop.settings.limits)
        self.state = state
        switch timeOut {
        case .rest: break
        case .send:
            sendQueue()
            guard loop.has(self) else { return }
            if self.state.isBlocked { timeIsUp() } else { outputDrained() }
        case .keepOpen: keepOpen()
        case .wait(let deadline): schedule(deadline)
        case .close: close()
        case .refuse:
            if !endRefusing() { refuse(loop.settings.handler.timedOut()) }
            settle()
        case .reject:
            if !joined() { refuse(loop.settings.handler.overloaded()) }
            settle()
        }
    }

    /// Has the loop look at it by then.
    func schedule(_ deadline: LoopTime) {
        if let scheduledSecond, scheduledSecond <= deadline.secondRoundedUp { return }
        scheduledSecond = loop.schedule(id, at: deadline)
    }
}
