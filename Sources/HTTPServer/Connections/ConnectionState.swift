/// The state machine of a connection: its input, its response, and the deadlines of both.
///
/// Events and times go in; the next step comes out. This type uses no socket, queue or clock.
struct ConnectionState {
    /// The progress of reading the request.
    enum Input: Equatable {
        /// Before the first request: the PROXY header or the TLS handshake, or both, are
        /// incomplete.
        case handshake
        /// No byte of the request has arrived.
        case idle
        case head
        case body
        /// The request is complete; no more input is read before it is answered.
        case complete
        /// No more requests are read: further input is dropped, so that the last response gets
        /// through.
        case discarding
    }

    /// The progress of the response.
    enum ResponseProgress: Equatable {
        case none
        /// The handler has the request, and has not responded.
        case awaited
        /// Part of a stream has been sent, and more may follow.
        case streaming
        /// The whole response has been passed to the output.
        case given
    }

    /// The next thing for the connection to do.
    enum Step: Equatable {
        /// Receive from the socket.
        case receive
        /// Read from the bytes that were received earlier.
        case readKept
        case waitForHandler
        /// Send pending output when the socket is writable.
        case write
        case nextRequest
        /// Half-close, then drop input until the client closes too (RFC 9112 §9.6).
        case linger
        case close
    }

    /// The reaction to a check of the deadline.
    enum TimeOut: Equatable {
        case wait(until: LoopTime)
        /// No deadline is set.
        case notRunning
        /// Send as much as the socket takes by now, then check again: Linux reports a socket as
        /// writable only when a third of its buffer is free, which a slow reader may not reach
        /// within the time allowed.
        case send
        /// Send the part that keeps the connection of a stream without news alive.
        case keepOpen
        /// Send 408 and close.
        case refuse
        /// Send 503 and close: a connection past the limit of connections has not sent a request.
        case reject
        case close
    }

    private(set) var input: Input
    /// The progress of the response.
    private(set) var answer = ResponseProgress.none
    /// Whether output is pending because the socket's buffer is full.
    private(set) var isBlocked = false
    /// Whether the client has half-closed the connection.
    private(set) var isInputEnded = false
    /// Whether the connection closes after this exchange.
    private(set) var isLast = false
    /// Whether the client may still send input that will not be read.
    private(set) var mayHaveUnreadInput = false

    /// The start of the period that the current deadline measures.
    private var began: LoopTime
    /// The number of bytes received or sent since ``began``.
    private var movedByteCount = 0
    /// Whether ``TimeOut/send`` was returned since ``began``.
    private var hasTriedToSend = false

    /// The number of bytes received or sent in the last whole ``ServerLimits/progressTime`` of the
    /// current body or output; `nil` before the first such period is over.
    private(set) var pace: Int?

    /// Whether the connection was accepted past the limit of connections and has not been admitted
    /// since.
    private(set) var isOverLimit: Bool

    init(now: LoopTime, shakesHands: Bool = false, isOverLimit: Bool = false) {
        input = shakesHands ? .handshake : .idle
        began = now
        self.isOverLimit = isOverLimit
    }

    /// The start of the time between two requests or of the handshake.
    ///
    /// `nil` at any other time, with pending output, past the limit of connections, or while
    /// draining.
    var idleSince: LoopTime? {
        let isIdle = input == .idle || input == .handshake
        return isIdle && !isBlocked && !isOverLimit && !isLast ? began : nil
    }

    /// Whether the server stops and one last request is still accepted.
    var isDraining: Bool { input == .idle && isLast && !isBlocked }

    /// Whether bytes that arrive now are read.
    var isReading: Bool {
        switch input {
        case .idle, .head, .body: !isBlocked
        case .handshake, .complete, .discarding: false
        }
    }

    /// Whether the next byte begins a request that can be answered at once.
    var isBetweenRequests: Bool {
        input == .idle && !isBlocked && !isLast && !isInputEnded && !isOverLimit
    }

    /// Whether a stream is being sent and the socket takes more of it.
    var canStream: Bool { answer == .streaming && !isBlocked }

    /// Whether the connection's last request has been read, so that further input is not read.
    var hasLastRequest: Bool {
        isLast && (input == .complete || input == .discarding)
    }

    /// Returns the next step, after which the caller asks again; `hasInput` says whether received
    /// bytes wait to be read.
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

/// Changes the state at events.
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
        if !isPersistent { isLast = true }
        if hasBody { restart(at: now) }
    }

    mutating func bodyEnded() {
        input = .complete
    }

    /// Records that the request cannot be read on: the connection closes after one more response.
    mutating func inputFailed() {
        answer = .awaited
        bodyAbandoned()
    }

    /// Records that the whole response has been passed to the output; `isLast` if it says
    /// `Connection: close`.
    mutating func answerGiven(isLast: Bool) {
        if isLast { self.isLast = true }
        answer = .given
    }

    mutating func streamBegan(isLast: Bool, at now: LoopTime) {
        if isLast { self.isLast = true }
        answer = .streaming
        restart(at: now)
    }

    /// Records that a part of a stream was sent, so that the deadline for the part that keeps the
    /// connection alive starts anew.
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

    /// Records that bytes of a body were received, or that pending output was sent.
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

    /// Records that input after the last request was dropped; the client may be sending more of it.
    mutating func inputDropped() {
        mayHaveUnreadInput = true
    }

    /// Ends the connection after the current exchange, because the server stops.
    ///
    /// Between two requests, a request that is on its way gets ``ServerLimits/drainTime`` to
    /// arrive.
    mutating func stopRequested(at now: LoopTime) {
        becameLast()
        if input == .idle { restart(at: now) }
    }

    /// Ends the connection after this exchange, though the client may have sent more requests.
    mutating func becameLast() {
        isLast = true
        mayHaveUnreadInput = true
    }

    /// Records that a connection accepted past the limit has been admitted.
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

/// Computes the deadlines of a connection, and the reactions when they pass.
extension ConnectionState {
    /// The time in which a stream's client must take at least one byte.
    private static let streamProgressTime = Duration.seconds(60)

    /// Returns the time of the next check; `nil` if no deadline is set.
    func deadline(_ limits: ServerLimits) -> LoopTime? {
        time(limits).map { began + $0 }
    }

    /// Returns the time from ``began`` to the next check; `nil` if no deadline is set.
    private func time(_ limits: ServerLimits) -> Duration? {
        if isBlocked { return progressTime(limits) }
        switch input {
        case .handshake: return isOverLimit ? limits.reserveTime : limits.handshakeTime
        case .idle where isLast: return limits.drainTime
        case .idle: return isOverLimit ? limits.reserveTime : limits.idleTime
        case .head: return isOverLimit ? limits.reserveTime : limits.headTime
        case .body: return limits.progressTime
        case .complete: return answer == .streaming ? limits.streamIdleTime : nil
        case .discarding: return isOverLimit ? limits.reserveTime : limits.lingeringTime
        }
    }

    /// Returns the time in which at least ``progressByteCount(_:)`` bytes must be sent.
    ///
    /// The reader of a stream may be slower: however late it reads, it then gets a single change
    /// that leads to the current version.
    private func progressTime(_ limits: ServerLimits) -> Duration {
        answer == .streaming ? ConnectionState.streamProgressTime : limits.progressTime
    }

    private func progressByteCount(_ limits: ServerLimits) -> Int {
        answer == .streaming ? 1 : limits.progressByteCount
    }

    /// Returns the reaction to a check of the deadline, which may not have passed yet.
    mutating func timerFired(at now: LoopTime, _ limits: ServerLimits) -> TimeOut {
        guard let deadline = deadline(limits) else { return .notRunning }
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
        if mayProgress, movedByteCount >= progressByteCount(limits) {
            let moved = movedByteCount
            restart(at: now)
            pace = moved
            return .wait(until: now + progressTime(limits))
        }
        if isOverLimit, input == .idle || input == .head { return .reject }
        let wasAwaited = answer == .none || answer == .awaited
        return !isBlocked && (input == .head || input == .body) && wasAwaited ? .refuse : .close
    }
}
