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
        if count != heldByteCount {
            loop.hold(count - heldByteCount)
            heldByteCount = count
        }
        let along = output.shared
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
    func giveUp() {
        if state.input == .body, !state.isBlocked {
            refuseBody(.overloaded)
            settle()
        } else {
            loop.remove(self)
        }
    }

    /// Whether an answer that was made for this request alone is too much at the moment.
    func isTooMuch(_ answer: Answer) -> Bool {
        guard loop.isOverfull, case .response(let response) = answer,
            case .bytes(let bytes) = response.body
        else { return false }
        return bytes.count >= Outbox.copyByteLimit
    }
}
