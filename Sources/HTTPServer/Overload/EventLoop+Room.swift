/// Makes room when there are too many connections.
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

    /// The time before another search, if a search has found too few connections.
    private static let searchPause = Duration.milliseconds(200)

    /// Returns the time since which at least the `wanted` longest idle connections have been idle,
    /// or all if there are fewer.
    ///
    /// - Parameters:
    ///   - starts: The time since which each connection has been idle.
    ///   - spared: The idle time below which connections do not count.
    /// - Returns: `nil` if no connection has been idle for as long as `spared`.
    static func start(
        ofLongestIdle wanted: Int,
        among starts: some Sequence<LoopTime>,
        sparing spared: Duration,
        now: LoopTime
    ) -> LoopTime? {
        starts.filter { $0 + spared <= now }.sorted().prefix(wanted).last
    }

    /// Adds a connection past the limit of connections to the reserve, whose connections are read
    /// for a moment in case they send an essential request (``RequestLabel/isEssential``), such as
    /// a health check.
    ///
    /// If the reserve has too many connections, the oldest one is rejected.
    func keepInReserve(_ connection: Connection) {
        reserve.removeAll { self.connection($0)?.state.isOverLimit != true }
        reserve.append(connection.id)
        guard reserve.count > settings.loopReserve else { return }
        let oldest = reserve.firstIndex { self.connection($0)?.isRejectable == true }
        if let oldest { self.connection(reserve.remove(at: oldest))?.reject() }
    }
}

/// Closes idle connections, and rejects or admits connections past the limit of connections.
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

    /// Whether a connection past the limit may be rejected: no complete request waits for its
    /// response.
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
        transport.dropInput(by: UnsafeMutableRawBufferPointer(loop.readBuffer))
        loop.remove(self)
    }

    /// Admits a connection past the limit if there is room by now, and returns whether there is.
    func joinIfRoom() -> Bool {
        guard loop.context.excess(loop.settings) <= 0 else { return false }
        state.becameRegular()
        return true
    }
}
