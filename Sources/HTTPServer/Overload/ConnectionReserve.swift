/// Connections past the limit that a loop reads for a moment, in case they ask for what is
/// essential.
struct ConnectionReserve {
    /// The one that has been there for longest first.
    private var ids: [ConnectionID] = []

    /// When to look again for idle connections to evict.
    fileprivate var nextSearch = LoopTime(milliseconds: 0)

    /// Adds one.
    ///
    /// - Parameters:
    ///   - id: Which.
    ///   - limit: How many there may be.
    ///   - state: What is known of each.
    /// - Returns: The one to reject in its place, if there are too many.
    fileprivate mutating func add(
        _ id: ConnectionID,
        limit: Int,
        state: (ConnectionID) -> Connection.ReserveState
    ) -> ConnectionID? {
        ids.removeAll { state($0) == .over }
        ids.append(id)
        guard ids.count > limit else { return nil }
        return ids.firstIndex { state($0) == .rejectable }.map { ids.remove(at: $0) }
    }
}

/// Room for connections when there are too many of them.
extension EventLoop {
    /// Closes some connections that have been idle for longest, so that new ones can be served.
    ///
    /// Nobody keeps a list of the idle ones, which would cost every request something: all are
    /// looked at, and enough of them closed at a time to make up for that.
    func makeRoom() {
        guard now >= reserve.nextSearch else { return }
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
                connection.closeUnlessReady()
                if !has(connection) { closed += 1 }
            }
        }
        context.evictions.note(closed)
        // Who finds little will find no more in a moment.
        if closed < wanted { reserve.nextSearch = now + EventLoop.searchPause }
    }

    private static let searchPause = Duration.milliseconds(200)

    /// Keeps a connection past the limit among those that may say what they want, in the place of
    /// the one that has been there for longest.
    func keepInReserve(_ connection: Connection) {
        let rejected = reserve.add(connection.id, limit: settings.capacity.loopReserve) { id in
            self.connection(id)?.reserveState ?? .over
        }
        if let rejected { self.connection(rejected)?.reject() }
    }
}

/// Finds those that have been idle for longest among many, to the second, without sorting them.
struct IdleAges {
    private let now: LoopTime
    /// How many have been idle for so many whole seconds, or for longer with the last one.
    private var counts: [Int]

    private static let span = 128

    init(now: LoopTime) {
        self.now = now
        counts = Array(repeating: 0, count: IdleAges.span)
    }

    /// Whole seconds since `start`, as far as they are told apart.
    private func age(since start: LoopTime) -> Int {
        min(max(0, (now.milliseconds - start.milliseconds) / 1000), IdleAges.span - 1)
    }

    /// Counts one that has been idle since `start`.
    mutating func add(idleSince start: LoopTime) {
        counts[age(since: start)] += 1
    }

    /// The time since when, or longer, `wanted` of them have been idle, or as many as there are.
    ///
    /// - Parameters:
    ///   - wanted: How many are looked for.
    ///   - spared: Those idle for less are not looked at.
    /// - Returns: `nil` when there is none.
    func start(of wanted: Int, sparing spared: Duration) -> LoopTime? {
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
}
