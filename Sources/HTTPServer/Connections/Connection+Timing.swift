/// Reactions to the passing of time.
extension Connection {
    /// Handles an entry of the timer wheel; an entry for a deadline that has been moved is ignored.
    func timerFired(second: Int) {
        guard second == scheduledSecond else { return }
        scheduledSecond = nil
        checkDeadline()
    }

    /// Does the step that the state requires after the time that has passed.
    private func checkDeadline() {
        guard turn.queued == nil else {
            // The connection waits for its turn, so its peer is not to blame for the time.
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
            refuse(.late)
            settle()
        case .reject:
            if !joinIfRoom() { refuse(.overloaded) }
            settle()
        }
    }

    /// Has the timer wheel check the connection at the deadline at the latest.
    func schedule(_ deadline: LoopTime) {
        if let scheduledSecond, scheduledSecond <= deadline.secondRoundedUp { return }
        scheduledSecond = loop.schedule(id, at: deadline)
    }
}
