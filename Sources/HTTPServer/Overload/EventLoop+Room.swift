/// Making room when there are too many connections.
extension EventLoop {
    /// Closes some of the longest idle connections, so that new ones can be served.
    ///
    /// A list of idle connections would cost every request some time. Instead, this function looks
    /// at all connections, and closes enough of them that it need not run again soon.
    func makeRoom() {
        guard now >= nextSearch else { return }
        let wanted = max(1, connectionCount / 64)
        let start = EventLoop.start(
            ofLongestIdle: wanted,
            among: connections.lazy.compactMap { $0?.idleSince },
            sparing: settings.limits.sparedTime,
            now: now
        )
        var closed = 0
        if let start {
            for index in connections.indices where closed < wanted {
                guard let connection = connections[index] else { continue }
                guard let since = connection.idleSince, since <= start else { continue }
                connection.closeUnlessReady()
                if !has(connection) { closed += 1 }
            }
        }
        context.evictions.note(closed)
        // If too few were idle for long enough, another search would soon find no more.
        if closed < wanted { nextSearch = now + EventLoop.searchPause }
    }

    private static let searchPause = Duration.milliseconds(200)

    /// Returns the latest time such that the longest idle connections were idle since then or
    /// before, to the second.
    ///
    /// - Parameters:
    ///   - wanted: The number of connections to find; fewer are found if there are fewer.
    ///   - starts: The time since which each connection has been idle.
    ///   - spared: The idle time below which connections do not count.
    ///   - now: The current time.
    /// - Returns: `nil` if no connection has been idle for `spared`.
    static func start(
        ofLongestIdle wanted: Int,
        among starts: some Sequence<LoopTime>,
        sparing spared: Duration,
        now: LoopTime
    ) -> LoopTime? {
        // The number of connections by whole seconds of idle time, the last one of all longer
        // times: it finds them without sorting.
        var counts = [Int](repeating: 0, count: 128)
        for start in starts {
            let age = (now.milliseconds - start.milliseconds) / 1000
            counts[min(max(0, age), counts.count - 1)] += 1
        }
        let first = Int((spared / .seconds(1)).rounded(.up))
        var found = 0
        var start: LoopTime?
        for age in stride(from: counts.count - 1, through: first, by: -1) where counts[age] > 0 {
            guard found < wanted else { break }
            found += counts[age]
            start = LoopTime(milliseconds: now.milliseconds - age * 1000)
        }
        return start
    }

    /// Adds a connection past the limit to the reserve, where it is read for a moment in case it
    /// sends an essential request (``RequestLabel/isEssential``).
    ///
    /// If there are too many, the one that has been there for longest is rejected.
    func keepInReserve(_ connection: Connection) {
        reserve.removeAll { self.connection($0)?.state.isOverLimit != true }
        reserve.append(connection.id)
        guard reserve.count > settings.loopReserve else { return }
        let oldest = reserve.firstIndex { self.connection($0)?.isRejectable == true }
        if let oldest { self.connection(reserve.remove(at: oldest))?.reject() }
    }
}

/// Eviction of idle connections, and the handling of connections past the limit.
extension Connection {
    /// The start of the time between two requests or of the handshake; `nil` at any other time.
    var idleSince: LoopTime? {
        reader.isFresh ? state.idleSince : nil
    }

    /// Closes the idle connection, unless a request or a message of the handshake has just arrived.
    func closeUnlessReady() {
        let (number, since, input) = (exchangeNumber, idleSince, state.input)
        turn.restart()
        serveSocket()
        guard loop.has(self), exchangeNumber == number, idleSince == since, state.input == input
        else { return }
        close()
    }

    /// Whether a connection past the limit may be rejected: no response is owed to it.
    var isRejectable: Bool {
        switch state.input {
        case .handshake, .idle, .head, .discarding: true
        case .body, .complete: false
        }
    }

    /// Rejects a connection past the limit: closes it at once.
    ///
    /// A 503 is sent first, unless a response was sent already or the handshake is not complete.
    func reject() {
        guard state.input != .handshake else {
            loop.remove(self)
            return
        }
        if state.input != .discarding {
            refuse(.overloaded)
            flushAll()
        }
        guard loop.has(self) else { return }
        transport.endOutput()
        // Closing with unread input would reset the connection, and the client could lose the
        // response.
        _ = transport.receive(into: UnsafeMutableRawBufferPointer(loop.readBuffer))
        loop.remove(self)
    }

    /// Admits a connection past the limit if there is room by now; returns whether it did.
    func joinIfRoom() -> Bool {
        guard loop.context.excess(loop.settings) <= 0 else { return false }
        state.becameRegular()
        return true
    }
}
