/// A wait of this connection's, and when it ends.
struct OpenLongPoll {
    let wait: LongPoll
    let end: LoopTime
}

/// Answers that are held until there is something to say.
extension Connection {
    func begin(_ wait: LongPoll) {
        guard !isTooMuchToWait(wait.byteCount) else {
            loop.context.shortagesOfMemory.note()
            offer(.response(addressed(loop.settings.handler.overloaded())))
            return
        }
        let time = min(wait.time, Connection.longestWait)
        let waiting = OpenLongPoll(wait: wait, end: EventLoop.waitEnd(loop.now + time))
        setWaiting(waiting)
        exchange.isHeld = true
        if state.input == .complete, isParserLent, !loop.logsAccess {
            // Nothing of the request is needed any more; others can use its storage.
            loop.takeBack(&parser)
            isParserLent = false
        }
        if wait.byteCount > 0 { recount() }
        loop.subscribe(self, to: wait.topics)
        attempt(isLast: loop.context.isStopping)
        if self.waiting != nil { loop.scheduleWaitEnd(id, at: waiting.end) }
    }

    /// A topic was notified: there may be an answer, or more of the stream.
    func notified() {
        turnCost = 0
        if waiting != nil {
            attempt(isLast: false)
        } else if state.answer == .streaming, !state.isBlocked {
            pump()
        }
        settle()
    }

    /// The end of a wait or a stream has come, of this one or of one before it, or it is as far
    /// away as ends are looked for.
    func waitMayBeOver() {
        if let streamEnd, stream != nil {
            guard streamEnd <= loop.now else {
                loop.scheduleWaitEnd(id, at: streamEnd)
                return
            }
            endStream()
            settle()
            return
        }
        guard let waiting, waiting.end <= loop.now else { return }
        attempt(isLast: true)
        settle()
    }

    /// Answers, if there is something to say.
    func attempt(isLast: Bool) {
        guard let disposition = waiting?.wait.attempt(isLast) else {
            precondition(!isLast, "at its end, a wait has an answer")
            return
        }
        setWaiting(nil)
        loop.unsubscribe(self)
        decided(disposition)
    }

    /// Sends what a silent stream has to show that it goes on.
    func keepOpen() {
        writeChunk(stream?.idlePart() ?? [])
        settle()
    }

    /// Ends of waits are found this far ahead.
    private static let longestWait = Duration.seconds(100)
}
