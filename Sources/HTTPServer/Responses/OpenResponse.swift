import HTTPTypes

/// A request that waits for its response until there is news, at the latest until a given time.
package struct LongPoll: Sendable {
    /// The topics to subscribe to; each notification leads to a call of ``attempt``.
    package let topics: [Topic]

    /// The longest time until the response; at most 100 s.
    package let time: Duration

    /// The approximate number of bytes of memory that the request takes in addition to its
    /// connection.
    package let byteCount: Int

    /// Returns the reply if there is news; called on the connection's loop.
    ///
    /// The closure is called when the topics have been subscribed to, so that no change is missed,
    /// then after each notification, and with `isLast` at the end of the time or when the server
    /// stops.
    ///
    /// - Returns: `nil` if there is no news yet, but never with `isLast`; may be another
    ///   ``Reply/wait(_:)``, but never ``Reply/body(limit:refuse:then:)``: the body has been
    ///   dropped.
    package let attempt: @Sendable (_ isLast: Bool) -> Reply?

    package init(
        for topics: [Topic],
        time: Duration,
        byteCount: Int = 0,
        attempt: @escaping @Sendable (_ isLast: Bool) -> Reply?
    ) {
        self.topics = topics
        self.time = time
        self.byteCount = byteCount
        self.attempt = attempt
    }
}

/// A response body that is made while it is sent, such as server-sent events.
///
/// Its functions are called on the connection's loop.
package protocol ResponseStream: AnyObject, Sendable {
    /// Returns the next part; called only when the socket can take more.
    ///
    /// - Parameter waker: Called by the stream when it has more content, after it returned
    ///   `.pending`.
    func next(_ waker: StreamWaker) -> StreamPart

    /// The topics that the stream waits for; after a notification of any topic, the stream is asked
    /// for its next part.
    var topics: [Topic] { get }

    /// The approximate number of bytes of memory that the stream takes in addition to its
    /// connection.
    var byteCount: Int { get }

    /// The time after which the stream is ended, even if it has more; `nil`: never.
    var time: Duration? { get }

    /// Returns the bytes to send after ``ServerLimits/streamIdleTime`` without a part, so that
    /// proxies do not close the connection; empty: nothing is sent.
    func idlePart() -> [UInt8]

    /// Returns the last part, which is sent after `.end`, or earlier if the server stops or the
    /// time is over.
    func ending() -> [UInt8]

    /// Ends the stream: its content is complete or its connection is closed; no function is called
    /// after this one.
    func closed()
}

/// A stream's content that is ready now, or the reason why there is none.
package enum StreamPart: Sendable {
    case bytes([UInt8])
    /// A payload that many streams share, then bytes of this stream alone.
    case shared(Payload, [UInt8] = [])
    /// No content is ready until the waker is called or a topic is notified.
    case pending
    /// No content is ready yet: the loop asks again after it has served other connections.
    case askAgain
    case end
}

/// Notifies an event loop that a pending stream has more content; any thread may call it.
package struct StreamWaker: Sendable {
    private let id: ConnectionID
    /// The number of the stream's exchange on its connection.
    private let exchange: UInt32
    /// The mailbox of the connection's loop; `nil` without a connection.
    private let mailbox: Mailbox?

    /// Makes a waker for a stream without a connection; it wakes nothing.
    package init() {
        (id, exchange, mailbox) = (ConnectionID(descriptor: -1, generation: 0), 0, nil)
    }

    /// Makes a waker for a connection's stream.
    ///
    /// A waker is made for each call of ``ResponseStream/next(_:)``, and few are used. A closure
    /// would cost an object on the heap each time.
    init(_ id: ConnectionID, exchange: UInt32, in mailbox: Mailbox) {
        (self.id, self.exchange, self.mailbox) = (id, exchange, mailbox)
    }

    package func callAsFunction() {
        mailbox?.post(.streamHasMore(id, exchange: exchange))
    }
}

/// A response that stays open until there is news: a long poll or a stream.
enum OpenResponse {
    case none
    /// A request that waits for its response until there is news, at the latest until `end`.
    case longPoll(LongPoll, end: LoopTime)
    /// A stream, which is ended at `end`; `nil`: it has no end of its own.
    case stream(any ResponseStream, end: LoopTime?)

    var isNone: Bool {
        if case .none = self { true } else { false }
    }

    var longPoll: LongPoll? {
        if case .longPoll(let longPoll, _) = self { longPoll } else { nil }
    }

    var stream: (any ResponseStream)? {
        if case .stream(let stream, _) = self { stream } else { nil }
    }

    /// The approximate number of bytes of memory of the long poll or stream.
    var byteCount: Int {
        switch self {
        case .none: 0
        case .longPoll(let longPoll, _): longPoll.byteCount
        case .stream(let stream, _): stream.byteCount
        }
    }
}

/// Runs long polls; streams share the functions for notifications and for the end of the time.
extension Connection {
    /// Subscribes to the topics of a long poll, then asks at once for its reply, so that no change
    /// is missed.
    func startLongPoll(_ wait: LongPoll) {
        guard !isTooMuchToWait(wait.byteCount) else {
            loop.context.shortagesOfMemory.note()
            respond(with: response(to: .overloaded))
            return
        }
        let time = min(wait.time, Connection.waitLimit)
        let end = EventLoop.waitEnd(loop.now + time)
        setOpenResponse(.longPoll(wait, end: end))
        exchange.isLongLived = true
        giveBackRequestStorage()
        if wait.byteCount > 0 { recountMemory() }
        loop.subscribe(self, to: wait.topics)
        attemptLongPoll(isLast: loop.isStopping)
        if openResponse.longPoll != nil { loop.scheduleWaitEnd(id, at: end) }
    }

    /// Returns the storage of the request's head to the loop while the response stays open, unless
    /// the access log needs the head.
    func giveBackRequestStorage() {
        if state.input == .complete, loop.access == nil { reader.returnStorage(to: loop) }
    }

    /// Handles a topic's notification: the long poll may have a response, or the stream more
    /// content.
    func topicDidNotify() {
        turn.restart()
        switch openResponse {
        case .none: break
        case .longPoll: attemptLongPoll(isLast: false)
        case .stream: if state.canStream { pumpStream() }
        }
        advance()
    }

    /// Ends the long poll or stream if its time is over.
    ///
    /// - Parameter deadline: The time of the entry in the timer wheel; the entry may be due before
    ///   that time, because the wheel's span is limited.
    func checkOpenResponseEnd(_ deadline: LoopTime) {
        switch openResponse {
        case .stream(_, let end?) where end <= loop.now:
            endStream()
            advance()
        case .stream(_, let end?) where end == deadline:
            loop.scheduleWaitEnd(id, at: end)
        case .longPoll(_, let end) where end <= loop.now:
            attemptLongPoll(isLast: true)
            advance()
        default: break
        }
    }

    /// Asks the long poll for its reply, which it must give if `isLast`, because its time is over,
    /// and carries the reply out if there is one.
    func attemptLongPoll(isLast: Bool) {
        guard let reply = openResponse.longPoll?.attempt(isLast) else {
            precondition(!isLast, "at its end, a wait has an answer")
            return
        }
        if case .body = reply { preconditionFailure("the body of a request that waits is dropped") }
        setOpenResponse(.none)
        loop.unsubscribe(self)
        perform(reply)
    }

    /// The longest time for a long poll, even if its handler asks for more.
    private static let waitLimit = Duration.seconds(100)
}

/// Runs streams: a stream is asked for its next part when the socket can take it, and each part is
/// sent as a chunk (RFC 9112 §7.1).
extension Connection {
    /// Sends the head of a stream, subscribes to its topics, and asks it for its first parts.
    func startStream(_ stream: any ResponseStream, _ response: Response, isLast: Bool) {
        // An HTTP/1.0 client cannot decode chunks: its content ends where the connection does.
        let isLast = isLast || exchange.isHTTP10
        exchange.answerBegan(response.status.code, byteCount: 0)
        loop.writeBuffer.pointee.appendHead(
            response,
            framing: exchange.isHTTP10 ? nil : .chunks,
            connectionOption(isLast: isLast),
            now: loop.seconds
        )
        let end = stream.time.map { EventLoop.waitEnd(loop.now + $0) }
        setOpenResponse(.stream(stream, end: end))
        exchange.isLongLived = true
        state.streamBegan(isLast: isLast, at: loop.now)
        giveBackRequestStorage()
        if stream.byteCount > 0 { recountMemory() }
        loop.subscribe(self, to: stream.topics)
        if let end { loop.scheduleWaitEnd(id, at: end) }
        pumpStream()
    }

    /// Sends parts of the stream until no part is ready, the socket is full, or ``partsPerTurn``
    /// were sent; the next parts then wait for the connection's next turn.
    func pumpStream() {
        guard let stream = openResponse.stream, turn.queued?.pumpsStream != true else { return }
        turn.spend(Connection.partsPerTurn)
        let waker = StreamWaker(id, exchange: exchangeNumber, in: loop.mailbox)
        for _ in 0..<Connection.partsPerTurn {
            switch stream.next(waker) {
            case .bytes(let bytes): writeChunk(bytes)
            case .shared(let shared, let own): writeChunk(shared.body, own)
            case .pending: return
            case .askAgain:
                loop.requeue(self).pumpsStream = true
                return
            case .end:
                endStream()
                return
            }
            // Output is collected, so that several parts are sent with one call.
            if loop.writeBuffer.pointee.byteCount >= Connection.flushByteCount { flush() }
            guard loop.has(self) else { return }
            state.partSent(at: loop.now)
            if state.isBlocked { return }
        }
        loop.requeue(self).pumpsStream = true
    }

    /// Has the stream asked for more in the connection's next turn, because its waker was called.
    func streamHasMore(exchange number: UInt32) {
        guard number == exchangeNumber, state.canStream else { return }
        loop.requeue(self).pumpsStream = true
    }

    /// Sends the part that keeps the connection of a stream without news alive.
    func sendIdlePart() {
        writeChunk(openResponse.stream?.idlePart() ?? [])
        advance()
    }

    /// Sends the last part and closes the stream.
    func endStream() {
        loop.unsubscribe(self)
        if let stream = openResponse.stream {
            writeChunk(stream.ending())
            stream.closed()
        }
        setOpenResponse(.none)
        if !exchange.isHTTP10 { loop.writeBuffer.pointee.appendLastChunk() }
        state.answerGiven(isLast: state.isLast)
    }

    /// Writes two pieces as a chunk.
    private func writeChunk(_ first: [UInt8], _ second: [UInt8] = []) {
        guard !(first.isEmpty && second.isEmpty) else { return }
        let byteCount = first.count + second.count
        exchange.contentByteCount += byteCount
        let isChunk = !exchange.isHTTP10
        if isChunk { loop.writeBuffer.pointee.beginChunk(byteCount: byteCount) }
        write(first)
        write(second)
        if isChunk { loop.writeBuffer.pointee.endChunk() }
    }

    /// The most parts of a stream that are sent before other connections are served.
    private static let partsPerTurn = 16
}
