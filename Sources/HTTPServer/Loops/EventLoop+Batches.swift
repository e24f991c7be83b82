/// Serving several connections step by step: first what they sent is received, then all of it is
/// answered, then all responses are sent.
///
/// A request's way through the server is more code than a core keeps next to itself, and so is the
/// kernel's for a call. Taken by turns, each would drive the other out for every request.
extension EventLoop {
    /// Whether a connection whose socket is ready is served with others.
    func mayJoinBatch(_ connection: Connection, _ event: Poller.Readiness) -> Bool {
        event.isReadable && !event.isGone && connection.isBetweenRequests && !account.isOverHalf
    }

    /// Receives what a connection's peer has sent, to be answered by ``answerBatch()``.
    func receiveInBatch(_ connection: Connection) {
        connection.turn.restart()
        let room = UnsafeMutableBufferPointer(rebasing: wholeReadBuffer[batch.byteCount...])
        let result = connection.transport.receive(into: UnsafeMutableRawBufferPointer(room))
        guard case .bytes(let count) = result, count > 0 else {
            connection.inputReceived(result, in: UnsafeBufferPointer(room))
            queues.ready.served(cost: connection.turn.cost)
            return
        }
        if batch.add(count, for: connection.id) { answerBatch() }
    }

    /// Answers what was received.
    func answerBatch() {
        guard let inputs = batch.take() else { return }
        gatherOutput {
            var isLate = false
            var lastSent = roundStart
            for (number, input) in inputs.enumerated() {
                if number & (InputBatch.countPerLook - 1) == 0 {
                    lastSent = sendOutput(leftSince: lastSent)
                }
                guard let connection = connection(input.connection) else { continue }
                if input.isLong { sendLeftOutput() }
                let bytes = UnsafeBufferPointer(rebasing: wholeReadBuffer[input.range])
                if isLate, !mayServe(connection) {
                    keepForTurn(bytes, of: connection)
                } else {
                    connection.inputReceived(.bytes(bytes.count), in: bytes)
                    let cost = connection.turn.cost
                    if cost >= InputBatch.longCost { sendLeftOutput() }
                    isLate = queues.ready.served(cost: cost)
                }
            }
        }
        scratch.endRuns(since: roundStart)
        batch.putBack(inputs)
    }

    /// Has connections leave their output, and then sends it.
    func gatherOutput(of serve: () -> Void) {
        writeBuffer.takesLeftOutput = true
        serve()
        writeBuffer.takesLeftOutput = false
        sendLeftOutput()
    }

    /// Sends the output that connections have left, if it may have waited for too long.
    ///
    /// - Parameter start: When the first of it can have been left, in nanoseconds.
    /// - Returns: The same of what comes next.
    private func sendOutput(leftSince start: Int) -> Int {
        let time = System.monotonicNanoseconds()
        guard time - start > InputBatch.waitNanoseconds else { return start }
        sendLeftOutput()
        return time
    }

    /// Sends the output that connections have left.
    func sendLeftOutput() {
        guard let left = writeBuffer.takeLeft() else { return }
        for part in left.parts {
            connection(part.connection)?.sendLeftOutput(left.bytes, part.range)
        }
        writeBuffer.putBack(left)
    }
}
