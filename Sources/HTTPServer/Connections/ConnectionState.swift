/// The state of a connection between a request's first byte and its answer's last.
///
/// Events and the time come in; the next step comes out. This type uses no socket, queue or clock.
struct ConnectionState {
    /// The progress of reading the request.
    enum Input: Equatable {
        /// The connection waits for a proxy's header or the TLS handshake, or both.
        case handshake
        /// No byte of the request has arrived.
        case idle
        case head
        case body
        /// The request is complete; no more input is read before it is answered.
        case complete
        /// No more requests are read: further input is dropped, so that the last answer gets
        /// through.
        case discarding
    }

    /// The progress of the answer.
    enum ResponseProgress: Equatable {
        case none
        /// The handler has the request.
        case awaited
        /// A stream is being sent.
        case streaming
        /// The whole answer is in the output.
        case given
    }

    /// The next step of the connection.
    enum Step: Equatable {
        /// Receive from the socket.
        case receive
        /// Read from the bytes that were received before.
        case readKept
        case waitForHandler
        case write
        case nextRequest
        /// Half-close, then drop input until the peer closes too (RFC 9112 §9.6).
        case linger
        case close
    }

    /// The reaction to the time that has passed.
    enum TimeOut: Equatable {
        case wait(until: LoopTime)
        /// No deadline is set.
        case notRunning
        /// Send as much as the socket takes by now, then ask again: Linux reports room in a
        /// socket's buffer only when a third of it is free, which at a slow reader's pace can take
        /// longer than the time allowed.
        case send
        /// Send the idle part of a silent stream, to keep the connection alive.
        case keepOpen
        /// Answer 408 and close.
        case refuse
        /// Answer 503 and close: a connection past the limit has not sent a request.
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
    /// Whether the peer may still be sending input that will not be read.
    private(set) var mayHaveUnreadInput = false

    /// The start of the time that is being measured, and the bytes moved since then.
    private var began: LoopTime
    private var movedByteCount = 0
    private var hasTriedToSend = false

    /// The bytes moved in the last complete period of the current transfer; `nil` before the first
    /// one.
    private(set) var pace: Int?

    /// Whether the connection is past the limit of connections, and has not become a regular one.
    private(set) var isOverLimit: Bool

    init(now: LoopTime, shakesHands: Bool = false, isOverLimit: Bool = false) {
        input = shakesHands ? .handshake : .idle
        began = now
        self.isOverLimit = isOverLimit
    }

    /// The time since which the connection has been between two requests or at its handshake; `nil`
    /// at any other time, with pending output, past the limit of connections, or while draining.
    var idleSince: LoopTime? {
        let isIdle = input == .idle || input == .handshake
        return isIdle && !isBlocked && !isOverLimit && !isLast ? began : nil
    }

    /// Whether the server stops and one last request may still come.
    var isDraining: Bool { input == .idle && isLast && !isBlocked }

    /// Whether available bytes may be read.
    var isReading: Bool {
        !isBlocked && (input == .idle || input == .head || input == .body)
    }

    /// Whether the next byte begins a request, and no obstacle keeps it from being answered at
    /// once.
    var isBetweenRequests: Bool {
        input == .idle && !isBlocked && !isLast && !isInputEnded && !isOverLimit
    }

    /// Whether a stream is being sent and its next part can be sent.
    var canStream: Bool { answer == .streaming && !isBlocked }

    /// Whether the last request is complete: further input will not be read.
    var hasLastRequest: Bool {
        isLast && (input == .complete || input == .discarding)
    }

    /// Returns the next step.
    ///
    /// - Parameter hasInput: Whether received bytes have not been read.
    /// - Returns: One step; ask again when it is done.
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

/// The events of a connection.
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

    /// Records that the request cannot be read on: one more answer, then the end.
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

    /// Records that a part of a stream was sent, so that no idle part is needed for a while.
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

    /// Records that the rest of the request will not be read.
    mutating func bodyAbandoned() {
        input = .complete
        isLast = true
        mayHaveUnreadInput = true
    }

    /// Records that input after the last request was dropped: the peer may be sending more.
    mutating func inputDropped() {
        mayHaveUnreadInput = true
    }

    /// Makes the current exchange the last one, though the peer may have sent more.
    ///
    /// Between two requests, there is some time for a request that is on its way.
    mutating func stopRequested(at now: LoopTime) {
        becameLast()
        if input == .idle { restart(at: now) }
    }

    /// Makes this exchange the connection's last one, though the peer may have sent more.
    mutating func becameLast() {
        isLast = true
        mayHaveUnreadInput = true
    }

    /// Records that a connection past the limit has become a regular one.
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

/// The deadlines of a connection.
extension ConnectionState {
    /// Returns the time of the next check; `nil` if no deadline is set.
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

    /// Returns the time in which the output must move; a stream's reader may be slower, because it
    /// is sent one change to the current version when it can take more.
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
