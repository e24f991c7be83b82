import HTTPWire

/// What a connection holds in memory while something of it has to wait.
extension Connection {
    /// Whether it holds what others could need.
    var holdsMemory: Bool { heldByteCount > 0 || heldAlong != nil }

    /// Counts anew what it holds.
    func recount() {
        guard loop.has(self) else { return }
        let count =
            (body?.heldByteCount ?? 0) + stash.count + output.ownByteCount
            + (parser.isMidway ? parser.head.bytes.count : 0)
            + (heldResponse?.ownByteCount ?? 0)
            + (waiting?.wait.byteCount ?? stream?.byteCount ?? 0)
        if count != heldByteCount {
            loop.hold(count - heldByteCount)
            heldByteCount = count
        }
        // While an answer waits for its request's end, no other one is in the output.
        let along = output.shared ?? heldResponse?.shared
        if along !== heldAlong {
            loop.exchange(heldAlong, for: along)
            heldAlong = along
        }
    }

    /// Counts nothing of it any more: it is closed.
    func release() {
        loop.hold(-heldByteCount)
        loop.exchange(heldAlong, for: nil)
        heldByteCount = 0
        heldAlong = nil
    }

    /// Ends, so that others have the memory.
    func shed() {
        if case .keep = body?.purpose, !state.isBlocked {
            refuseBody(.overloaded)
            settle()
        } else {
            loop.remove(self)
        }
    }

    /// Ends when so much is held that nobody may add to it: with 503 where a head has begun, and
    /// without a word where requests wait behind others.
    func endIfOverHardLimit() {
        guard loop.isOverSoftLimit, loop.has(self) else { return }
        loop.shedSoon()
        guard loop.isOverHardLimit else { return }
        if state.input == .head {
            refuse(loop.settings.handler.overloaded())
            settle()
            forgetHead()
        } else if !stash.isEmpty {
            loop.remove(self)
        }
    }

    /// Keeps nothing of a request that was refused, while more of it may come to be dropped.
    private func forgetHead() {
        guard loop.has(self) else { return }
        guard state.input == .discarding else {
            loop.remove(self)
            return
        }
        if isParserLent { loop.takeBack(&parser) }
        isParserLent = false
        recount()
    }

    /// Whether an answer is too much at the moment.
    func isTooMuch(_ answer: FinalResponse) -> Bool {
        if case .response(let response) = answer, case .stream(let stream) = response.body {
            return isTooMuchToWait(stream.byteCount)
        }
        guard loop.isOverSoftLimit else { return false }
        if let shared = answer.shared {
            guard shared.body.count >= WriteBuffer.copyByteLimit, !loop.isHeld(shared) else {
                return false
            }
            // Those who take theirs slowly make room, and so fast ones are seldom refused.
            loop.shedSoon()
            return loop.isOverHardLimit
        }
        return answer.ownByteCount >= WriteBuffer.copyByteLimit
    }

    /// Whether what waits for changes, and may do so for long, is too much at the moment.
    func isTooMuchToWait(_ byteCount: Int) -> Bool {
        loop.isOverHalf && byteCount >= Connection.largeWaitByteCount
    }

    /// How many of those that keep less there are is bounded by the connections.
    private static let largeWaitByteCount = 4 << 10
}

extension FinalResponse {
    /// Bytes of its content that nobody else has.
    fileprivate var ownByteCount: Int {
        guard case .response(let response) = self else { return 0 }
        if case .stream = response.body { return 0 }
        return response.body.byteCount ?? 0
    }

    /// Itself, if many share it.
    fileprivate var shared: CachedResponse? {
        guard case .cached(let cached, _) = self else { return nil }
        return cached
    }
}
