/// Connections past the limit.
struct OverloadState {
    /// Those that are read, the one that has been there for longest first.
    fileprivate var reserve: [ConnectionID] = []

    /// When to look again for connections to close.
    fileprivate var nextSearch = LoopTime(milliseconds: 0)
}

/// Room for connections when there are too many of them.
extension EventLoop {
    /// Closes some connections that have been idle for longest, so that new ones can be served.
    ///
    /// Nobody keeps a list of the idle ones, which would cost every request something: all are
    /// looked at, and enough of them closed at a time to make up for that.
    func makeRoom() {
        guard now >= overload.nextSearch else { return }
        let wanted = max(1, connectionCount / 64)
        var ages = IdleAges(now: now)
        for index in connections.indices {
            guard let connection = connections[index] else { continue }
            if let start = connection.idleSince { ages.add(idleSince: start) }
        }
        var closed = 0
        if let start = ages.start(of: wanted, sparing: settings.limits.sparedTime) {
            for index in connections.indices where closed < wanted {
                guard let connection = connections[index] else { continue }
                guard let since = connection.idleSince, since <= start else { continue }
                connection.evict()
                if !has(connection) { closed += 1 }
            }
        }
        context.evictions.note(closed)
        // Who finds little will find no more in a moment.
        if closed < wanted { overload.nextSearch = now + EventLoop.searchPause }
    }

    private static let searchPause = Duration.milliseconds(200)

    /// Keeps a connection past the limit among those that may say what they want, in the place of
    /// the one that has been there for longest.
    func keepInReserve(_ connection: Connection) {
        overload.reserve.removeAll { id in self.connection(id)?.state.isOverLimit != true }
        overload.reserve.append(connection.id)
        guard overload.reserve.count > settings.capacity.loopReserve else { return }
        // One that is being answered is not the one.
        let index = overload.reserve.firstIndex { self.connection($0)?.canBeRejected == true }
        if let index { self.connection(overload.reserve.remove(at: index))?.reject() }
    }
}
