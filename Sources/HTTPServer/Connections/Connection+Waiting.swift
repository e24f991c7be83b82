/// Answers that are held until there is something to say.
extension Connection {
    func begin(_ wait: LongPoll) {
        guard !isTooMuchToWait(wait.byteCount) else {
            loop.context.shortagesOfMemory.note()
            offer(.response(addressed(loop.settings.handler.overloaded())))
            return
        }
        let time = min(wait.time, Connection.longestWait)
        let end = EventLoop.waitEnd(loop.now + time)
        setOpen(.longPoll(wait, end: end))
        exchange.isHeld = true
        letGoOfRequest()
        if wait.byteCount > 0 { recount() }
        loop.subscribe(self, to: wait.topics)
        attempt(isLast: loop.context.isStopping)
        if open.longPoll != nil { loop.scheduleWaitEnd(id, at: end) }
    }

    /// Has others use the storage of a request of which nothing is needed any more, while its answer
    /// goes on.
    func letGoOfRequest() {
        if state.input == .complete, !loop.logsAccess { reader.giveBackStorage(to: loop) }
    }

    /// A topic was notified: there may be an answer, or more of the stream.
    func notified() {
        turn.restart()
        if open.longPoll != nil {
            attempt(isLast: false)
        } else if state.answer == .streaming, !state.isBlocked {
            pump()
        }
        settle()
    }

    /// The end of a wait or a stream has come, of this one or of one before it, or it is as far
    /// away as ends are looked for.
    func waitMayBeOver() {
        switch open {
        case .stream(_, let end?) where end > loop.now:
            loop.scheduleWaitEnd(id, at: end)
        case .stream(_, .some):
            endStream()
            settle()
        case .longPoll(_, let end) where end <= loop.now:
            attempt(isLast: true)
            settle()
        default: break
        }
    }

    /// Answers, if there is something to say.
    func attempt(isLast: Bool) {
        guard let disposition = open.longPoll?.attempt(isLast) else {
            precondition(!isLast, "at its end, a wait has an answer")
            return
        }
        setOpen(.none)
        loop.unsubscribe(self)
        decided(disposition)
    }

    /// Ends of waits are found this far ahead.
    private static let longestWait = Duration.seconds(100)
}
