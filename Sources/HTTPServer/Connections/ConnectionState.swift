/// Where a connection stands between a request's first byte and its answer's last.
///
/// Events and the time come in; what to do next comes out. No socket, queue or clock in here.
struct ConnectionState {
    /// How far the request has been read.
    enum Input: Equatable {
        /// A proxy says whom it speaks for, and TLS is agreed upon; one of them, or both.
        case handshake
        /// Nothing of it has arrived.
        case idle
        case head
        case body
        /// It is whole; nothing more is read before it is answered.
        case complete
        /// No more requests: what still comes is dropped, so that the last answer gets through.
        case discarding
    }

    /// How far the answer has been given.
    enum ResponseProgress: Equatable {
        case none
        /// The handler has the request.
        case awaited
        /// A stream goes on.
        case streaming
        /// All of it is in the output.
        case given
    }

    /// What the connection does next.
    enum Step: Equatable {
        /// Receive from the socket.
        case receive
        /// Read from the bytes at hand, which were received before.
        case readKept
        case waitForHandler
        case write
        case nextRequest
        /// Half-close, then drop input until the peer closes too (RFC 9112 §9.6).
        case linger
        case close
    }

    /// What comes of a time that has passed.
    enum TimeOut: Equatable {
        case wait(until: LoopTime)
        /// No time runs.
        case notRunning
        /// Send what the socket takes by now, then ask again: Linux tells of room in a socket's
        /// buffer only when a third of it is free, which at a slow reader's pace can take longer
        /// than the time that is allowed.
        case send
        /// Send what keeps a silent stream's way open.
        case keepOpen
        /// Answer 408 and close.
        case refuse
        /// Answer 503 and close: a connection past the limit has not said what it wants.
        case reject
        case close
    }

    private(set) var input: Input
    private(set) var answer = ResponseProgress.none
    /// Whether output waits for the socket.
    private(set) var isBlocked = false
    private(set) var isInputEnded = false
    /// Whether this is the last exchange of the connection.
    private(set) var isLast = false
    /// Whether the peer may still be sending what will not be read.
    private(set) var mayHaveUnreadInput = false

    /// When the time began that now runs, and the bytes moved in it.
    private var began: LoopTime
    private var movedByteCount = 0
    private var hasTriedToSend = false

    /// Bytes moved in the last whole time that was measured of what goes on now; `nil` before.
    private(set) var pace: Int?

    /// Whether it is past the limit of connections, and has not been let in since.
    private(set) var isOverLimit: Bool

    init(now: LoopTime, shakesHands: Bool = false, isOverLimit: Bool = false) {
        input = shakesHands ? .handshake : .idle
        began = now
        self.isOverLimit = isOverLimit
    }

    /// Since when it has been between two requests, or at its handshake; `nil` while it is at
    /// neither, or counts otherwise.
    var idleSince: LoopTime? {
        let isIdle = input == .idle || input == .handshake
        return isIdle && !isBlocked && !isOverLimit && !isLast ? began : nil
    }

    /// Whether the server stops and a last request may come yet.
    var isDraining: Bool { input == .idle && isLast && !isBlocked }

    /// Whether bytes that are there may be taken.
    var isReading: Bool {
        !isBlocked && (input == .idle || input == .head || input == .body)
    }

    /// Whether the next byte begins a request, and nothing stands in its answer's way.
    var isBetweenRequests: Bool {
        input == .idle && !isBlocked && !isLast && !isInputEnded && !isOverLimit
    }

    /// Whether a stream goes on and its next part can be sent.
    var canStream: Bool { answer == .streaming && !isBlocked }

    /// Whether the last request is whole: what still comes will not be read.
    var hasLastRequest: Bool {
        isLast && (input == .complete || input == .discarding)
    }

    /// What to do next.
    ///
    /// - Parameter hasInput: Whether bytes are at hand that have not been read.
    /// - Returns: One thing; ask again when it is done.
    func step(hasInput: Bool) -> Step {
        if isBlocked { return .write }
        if input == .discarding { return isInputEnded ? .close : .receive }
        if answer == .given, isLast {
            let isAllRead = input == .complete && !mayHaveUnreadInput
            return isInputEnded || isAllRead ? .close : .linger
        }
        if input == .complete { return answer == .given ? .nextRequest : .waitForHandler }
        if hasInput { return .readKept }
        return isInputEnded ? .close : .receive
    }
}

/// The events.
extension ConnectionState {
    mutating func handshakeEnded(at now: LoopTime) {
        input = .idle
        restart(at: now)
    }

    mutating func headBegan(at now: LoopTime) {
        guard input == .idle else { return }
        input = .head
        restart(at: now)
    }

    mutating func headEnded(hasBody: Bool, isPersistent: Bool, at now: LoopTime) {
        input = hasBody ? .body : .complete
        answer = .awaited
        isLast = isLast || !isPersistent
        if hasBody { restart(at: now) }
    }

    mutating func bodyEnded() {
        input = .complete
    }

    /// The request cannot be read on: one more answer, then the end.
    mutating func inputFailed() {
        answer = .awaited
        bodyAbandoned()
    }

    /// - Parameter isLast: Whether the answer says `Connection: close`.
    mutating func answerGiven(isLast: Bool) {
        self.isLast = self.isLast || isLast
        answer = .given
    }

    mutating func streamBegan(isLast: Bool, at now: LoopTime) {
        self.isLast = self.isLast || isLast
        answer = .streaming
        restart(at: now)
    }

    /// A part of a stream was sent, so that it need not be kept open otherwise for a while.
    mutating func partSent(at now: LoopTime) {
        if !isBlocked { restart(at: now) }
    }

    mutating func outputBlocked(at now: LoopTime) {
        guard !isBlocked else { return }
        isBlocked = true
        restart(at: now)
    }

    mutating func outputDrained(at now: LoopTime) {
        isBlocked = false
        restart(at: now)
    }

    mutating func moved(_ byteCount: Int) {
        movedByteCount += byteCount
    }

    mutating func inputEnded() {
        isInputEnded = true
    }

    /// The rest of the request will not be read.
    mutating func bodyAbandoned() {
        input = .complete
        isLast = true
        mayHaveUnreadInput = true
    }

    /// Input behind the last request was not taken: the peer may be sending more of it.
    mutating func inputDropped() {
        mayHaveUnreadInput = true
    }

    /// What is under way becomes the last exchange, though the peer may have sent more; between
    /// two requests there is a moment for one that is on its way.
    mutating func stopRequested(at now: LoopTime) {
        becameLast()
        if input == .idle { restart(at: now) }
    }

    /// This exchange is the connection's last one, though the peer may have sent more.
    mutating func becameLast() {
        isLast = true
        mayHaveUnreadInput = true
    }

    /// There is room for a connection that was past the limit.
    mutating func becameRegular() {
        isOverLimit = false
    }

    mutating func exchangeEnded(at now: LoopTime) {
        input = .idle
        answer = .none
        restart(at: now)
    }

    mutating func lingeringBegan(at now: LoopTime) {
        input = .discarding
        restart(at: now)
    }

    private mutating func restart(at now: LoopTime) {
        began = now
        movedByteCount = 0
        hasTriedToSend = false
        pace = nil
    }
}

/// The times.
extension ConnectionState {
    /// When to look again; `nil` while no time runs.
    func deadline(_ times: ConnectionTimes) -> LoopTime? {
        time(times).map { began.after(milliseconds: $0) }
    }

    private func time(_ times: ConnectionTimes) -> Int? {
        if isBlocked { return progressTime(times) }
        switch input {
        case .handshake: return isOverLimit ? times.reserve : times.handshake
        case .idle where isLast: return times.drain
        case .idle: return isOverLimit ? times.reserve : times.idle
        case .head: return isOverLimit ? times.reserve : times.head
        case .body: return times.progress
        case .complete: return answer == .streaming ? times.streamIdle : nil
        case .discarding: return isOverLimit ? times.reserve : times.lingering
        }
    }

    /// A stream's reader may take its time: it will be sent what is newest then, and no more.
    private func progressTime(_ times: ConnectionTimes) -> Int {
        answer == .streaming ? times.streamProgress : times.progress
    }

    private func progressByteCount(_ times: ConnectionTimes) -> Int {
        answer == .streaming ? 1 : times.progressByteCount
    }

    mutating func timerFired(at now: LoopTime, _ times: ConnectionTimes) -> TimeOut {
        guard let deadline = deadline(times) else { return .notRunning }
        if now < deadline { return .wait(until: deadline) }
        if isBlocked, !hasTriedToSend {
            hasTriedToSend = true
            return .send
        }
        if !isBlocked, answer == .streaming, input == .complete {
            restart(at: now)
            return .keepOpen
        }
        let mayProgress = isBlocked || input == .body
        if mayProgress, movedByteCount >= progressByteCount(times) {
            let moved = movedByteCount
            restart(at: now)
            pace = moved
            return .wait(until: now.after(milliseconds: progressTime(times)))
        }
        if isOverLimit, input == .idle || input == .head { return .reject }
        let wasAwaited = answer == .none || answer == .awaited
        return !isBlocked && (input == .head || input == .body) && wasAwaited ? .refuse : .close
    }
}
