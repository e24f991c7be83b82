import HTTPTypes
import HTTPWire

/// Reads input, and passes the requests in it to the handler.
extension Connection {
    /// Continues with the step that waited for the socket to become ready.
    ///
    /// With TLS, either direction may need the socket to be ready for the other.
    func serveSocket() {
        if state.input == .handshake {
            shakeHands()
        } else if state.isBlocked {
            resumeOutput()
        } else if state.step(hasInput: reader.hasInput) == .receive {
            receiveInput()
        } else {
            // The state may have changed since the socket was found ready.
            advance()
        }
    }

    /// Receives with one call bytes that have arrived, one record of TLS, and reads requests from
    /// them.
    func receiveInput() {
        let buffer = loop.readBuffer
        let result = transport.receive(into: UnsafeMutableRawBufferPointer(buffer))
        inputReceived(result, in: UnsafeBufferPointer(buffer))
    }

    /// Whether the next byte received begins a request that can be answered at once.
    var isBetweenRequests: Bool {
        state.isBetweenRequests && !reader.hasStorage && !loop.isStopping
    }

    /// Reads requests from bytes that were just received, with which `buffer` begins.
    func inputReceived(_ result: Transfer, in buffer: UnsafeBufferPointer<UInt8>) {
        switch result {
        case .bytes(0):
            state.inputEnded()
        case .bytes(let count):
            let input = UnsafeBufferPointer(rebasing: buffer[..<count])
            let taken = readRequests(in: input.span)
            if taken < count {
                if state.hasLastRequest {
                    state.inputDropped()
                } else {
                    keep(Array(input[taken...]), from: 0)
                }
            }
        case .blocked: break  // The deadline bounds the wait for readiness.
        case .failed:
            loop.remove(self)
            return
        }
        endIfOverHardLimit()
        advance()
    }

    /// Reads requests from the bytes that arrived before they could be read.
    func readKept() {
        let (input, start) = reader.takeKept()
        let taken = readRequests(in: input.span.extracting(start...))
        keep(input, from: start + taken)
        if !reader.hasInput { recountMemory() }
    }

    /// Reads as many requests from `input` as may be read now, and returns the number of bytes
    /// taken.
    private func readRequests(in input: Span<UInt8>) -> Int {
        var offset = 0
        while offset < input.count, state.isReading, loop.has(self), !turn.isOver {
            let rest = input.extracting(offset...)
            offset += state.input == .body ? consumeBody(rest) : consumeHead(rest)
            if loop.writeBuffer.pointee.byteCount >= Connection.flushByteCount { flush() }
            if state.step(hasInput: true) == .nextRequest { prepareForNextRequest() }
        }
        // Other connections need the loop's parser, so this one moves its head into its own.
        if state.input != .idle { reader.borrowStorage(of: loop) }
        return offset
    }

    /// Stores the bytes of `input` from `start` on, to be read later.
    func keep(_ input: [UInt8], from start: Int) {
        guard start < input.count else { return }
        guard !state.hasLastRequest else {
            state.inputDropped()
            return
        }
        reader.keep(input, from: start)
        recountMemory()
    }

    /// Reads a head: with the loop's parser, or with the connection's own if an earlier piece of
    /// the head is in that.
    private func consumeHead(_ input: Span<UInt8>) -> Int {
        do {
            let (count, isComplete) =
                reader.hasStorage
                ? try reader.parser.consume(input) : try loop.parser.pointee.consume(input)
            if isComplete {
                headCompleted()
            } else {
                reader.borrowStorage(of: loop)
                if reader.parser.isMidway {
                    state.headBegan(at: loop.now)
                    recountMemory()
                }
            }
            return count
        } catch {
            reader.borrowStorage(of: loop)
            refuse(.malformed(error))
            return input.count
        }
    }

    /// Asks the handler how to answer the request whose head is complete, and carries out its
    /// reply.
    private func headCompleted() {
        var request = Request(head: head, peer: peer)
        if let proxies = loop.settings.fieldProxies {
            request.peer = proxies.client(of: request.head, from: peer)
        }
        client = request.peer
        beginExchange(request.head)
        guard !request.head.hasUnknownExpectation else {
            reader.borrowStorage(of: loop)
            // After 417 a client may send the body or leave it out, so the bytes that follow are
            // ambiguous.
            if state.input == .body { state.bodyAbandoned() }
            writeResponse(response(to: .unmetExpectation))
            return
        }
        var label = RequestLabel()
        let reply = loop.settings.handler.receive(request, &label)
        exchange.operation = loop.metrics.pointee.operation(label, request.head.method)
        exchange.user = label.user
        // The head of a request that is answered at once stays in the loop's parser.
        if reply.encodedStatus != nil, state.input != .body, !state.isOverLimit {
            return perform(reply)
        }
        reader.borrowStorage(of: loop)
        if state.isOverLimit, !joinIfRoom() {
            guard label.isEssential else {
                reply.drop()
                refuse(.overloaded)
                return
            }
            state.becameLast()
        }
        perform(reply)
    }

    /// Begins the exchange of a request.
    private func beginExchange(_ head: RequestHead) {
        exchange.begin(head, at: loop.roundStart, isLogged: loop.access != nil)
        state.headEnded(hasBody: head.hasBody, isPersistent: head.isPersistent, at: loop.now)
        exchangeNumber &+= 1
        // Reading the clock is not needed for the first request of a turn.
        turn.spendOnRequest(at: turn.cost > 0 ? System.monotonicNanoseconds() : nil)
    }

    /// The head of the request that is being answered.
    var head: RequestHead { reader.hasStorage ? reader.parser.head : loop.parser.pointee.head }

    private func consumeBody(_ input: Span<UInt8>) -> Int {
        // A costly body is read in small parts; other connections are served in between.
        let input = input.extracting(first: reader.body?.part ?? .max)
        state.moved(input.count)
        defer { recountMemory() }
        do {
            let before = (cost: reader.body?.cost ?? 0, framing: reader.body?.framingCost ?? 0)
            guard let (count, isComplete) = try reader.body?.take(input) else {
                preconditionFailure("a body that is read has its collector")
            }
            if let body = reader.body {
                turn.spend(body.cost - before.cost, framing: body.framingCost - before.framing)
            }
            if isComplete {
                bodyCompleted()
            } else {
                recountMemory()
                if lacksMemoryForBody() { refuseBody(.overloaded) }
            }
            return count
        } catch {
            bodyFailed(error)
            return input.count
        }
    }

    /// Refuses the body that is being read; a body that is only dropped needs no refusal.
    func refuseBody(_ reason: BodyRefusal) {
        guard case .keep = reader.body?.purpose else { return }
        bodyFailed(.refused(reason))
    }

    /// Completes a request whose body has ended: passes the body to the handler, or sends the
    /// response that waited for the end of the body.
    func bodyCompleted() {
        state.bodyEnded()
        guard let body = reader.body else { return }
        reader.body = nil
        switch body.purpose {
        case .keep(_, let then): perform(then(body.received))
        case .drop: respondAfterBody()
        }
    }

    /// Ends a request whose body cannot be read on: a body for the handler is refused; the rest of
    /// a body that is dropped stays unread, and the connection closes after the response.
    func bodyFailed(_ failure: BodyCollector.Failure) {
        guard let body = reader.body else { return }
        reader.body = nil
        switch (failure, body.purpose) {
        case (.broken(let error), _): refuse(.malformed(error))
        case (.refused(let reason), .keep(let refuse, _)): self.refuse(with: refuse(reason))
        case (.refused, .drop):
            state.bodyAbandoned()
            respondAfterBody()
        }
    }
}

/// The storage of a connection for a head that is incomplete or still needed, for a body, and for
/// pipelined requests (RFC 9112 §9.3.2).
///
/// The storage of an idle connection is empty.
final class RequestReader {
    /// The connection's own parser, which has storage only while ``hasStorage``.
    var parser: RequestParser
    /// Whether `parser` has the storage of the loop's parser.
    private(set) var hasStorage = false

    /// The collector of the body that is being read.
    var body: BodyCollector?

    /// The bytes of pipelined requests, received before they may be read.
    private var stash: [UInt8] = []
    /// The index in `stash` of the first byte that has not been read.
    private var stashStart = 0

    init(limits: HeadLimits) {
        parser = RequestParser(limits: limits)
    }

    /// Whether pipelined bytes wait to be read.
    var hasInput: Bool { !stash.isEmpty }

    /// Whether no byte of the next request has arrived.
    var isFresh: Bool { stash.isEmpty && parser.isFresh }

    /// The number of bytes of memory that the input in the reader takes.
    var byteCount: Int {
        (body?.heldByteCount ?? 0) + stash.count
            + (parser.isMidway ? parser.head.bytes.count : 0)
    }

    /// Takes the storage of the loop's parser, with the head in it, unless the reader has storage.
    func borrowStorage(of loop: EventLoop) {
        guard !hasStorage else { return }
        swap(&parser, &loop.parser.pointee)
        hasStorage = true
    }

    /// Drops the head and returns the storage to the loop, so that an idle connection has none.
    func returnStorage(to loop: EventLoop) {
        guard hasStorage else { return }
        let limits = loop.settings.limits.head
        parser.reset(keepingStorage: true)
        parser.limits = limits
        swap(&parser, &loop.parser.pointee)
        parser.reset(keepingStorage: false)
        parser.limits = limits
        hasStorage = false
    }

    /// Stores the bytes of `input` from `start` on; the array is shared, not copied for every
    /// request of a pipeline.
    func keep(_ input: [UInt8], from start: Int) {
        (stash, stashStart) = (input, start)
    }

    /// Takes out the pipelined bytes, with the index of the first unread one.
    func takeKept() -> (input: [UInt8], start: Int) {
        defer { (stash, stashStart) = ([], 0) }
        return (stash, stashStart)
    }
}
