/// What becomes of it when time passes.
extension Connection {
    /// The wheel looks at it; an entry of a deadline that was moved is ignored.
    func timerFired(second: Int) {
        guard second == scheduledSecond else { return }
        scheduledSecond = nil
        checkDeadline()
    }

    /// Does what the state says of the time that has passed.
    private func checkDeadline() {
        guard turn.queued == nil else {
            // It is not its peer that takes its time.
            schedule(loop.now + .seconds(1))
            return
        }
        var state = state
        let timeOut = state.timerFired(at: loop.now, loop.settings.times)
        self.state = state
        switch timeOut {
        case .notRunning: break
        case .send:
            sendPendingWrites()
            guard loop.has(self) else { return }
            if self.state.isBlocked { checkDeadline() } else { continueAfterOutput() }
        case .keepOpen: sendIdlePart()
        case .wait(let deadline): schedule(deadline)
        case .close where self.state.idleSince != nil || self.state.isDraining: closeUnlessReady()
        case .close: close()
        case .refuse:
            if !sendPendingRefusal() { refuse(loop.settings.handler.timedOut()) }
            settle()
        case .reject:
            if !joinIfRoom() { refuse(loop.settings.handler.overloaded()) }
            settle()
        }
    }

    /// Has the loop look at it by then.
    func schedule(_ deadline: LoopTime) {
        if let scheduledSecond, scheduledSecond <= deadline.secondRoundedUp { return }
        scheduledSecond = loop.schedule(id, at: deadline)
    }
}
