/// Long polls: held until there is something to say. Streams share their notifications and ends.
extension Connection {
    /// Subscribes to the topics of a long poll, and asks it at once, so that nothing is missed.
    func startLongPoll(_ wait: LongPoll) {
        guard !isTooMuchToWait(wait.byteCount) else {
            loop.context.shortagesOfMemory.note()
            respond(with: .response(addressed(loop.settings.handler.overloaded())))
            return
        }
        let time = min(wait.time, Connection.waitLimit)
        let end = EventLoop.waitEnd(loop.now + time)
        setOpenResponse(.longPoll(wait, end: end))
        exchange.isLongLived = true
        giveBackRequestStorage()
        if wait.byteCount > 0 { recountMemory() }
        loop.subscribe(self, to: wait.topics)
        attemptLongPoll(isLast: loop.context.isStopping)
        if openResponse.longPoll != nil { loop.scheduleWaitEnd(id, at: end) }
    }

    /// Has others use the storage of a request of which nothing is needed any more, while its
    /// answer goes on.
    func giveBackRequestStorage() {
        if state.input == .complete, !loop.logsAccess { reader.giveBackStorage(to: loop) }
    }

    /// A topic was notified: there may be an answer, or more of the stream.
    func topicNotified() {
        turn.restart()
        if openResponse.longPoll != nil {
            attemptLongPoll(isLast: false)
        } else if state.answer == .streaming, !state.isBlocked {
            pumpStream()
        }
        settle()
    }

    /// Looks whether its long poll or stream is to end now: the wheel may have meant an earlier
    /// one, and looks only so far ahead.
    func checkOpenResponseEnd() {
        switch openResponse {
        case .stream(_, let end?) where end > loop.now:
            loop.scheduleWaitEnd(id, at: end)
        case .stream(_, .some):
            endStream()
            settle()
        case .longPoll(_, let end) where end <= loop.now:
            attemptLongPoll(isLast: true)
            settle()
        default: break
        }
    }

    /// Asks the long poll for its answer, and ends it if there is one.
    func attemptLongPoll(isLast: Bool) {
        guard let disposition = openResponse.longPoll?.attempt(isLast) else {
            precondition(!isLast, "at its end, a wait has an answer")
            return
        }
        setOpenResponse(.none)
        loop.unsubscribe(self)
        carryOut(disposition)
    }

    /// A long poll is ended after this time at the latest, whatever its handler says.
    private static let waitLimit = Duration.seconds(100)
}
