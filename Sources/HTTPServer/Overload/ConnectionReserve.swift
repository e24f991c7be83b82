import Glibc
import Synchronization

/// The connections past the limit that a loop reads for a moment, in case they ask for an essential
/// resource.
struct ConnectionReserve {
    /// The connections' ids, the longest in the reserve first.
    private var ids: [ConnectionID] = []

    /// The time before which the loop does not search again for idle connections to evict.
    fileprivate var nextSearch = LoopTime(milliseconds: 0)

    /// Adds a connection.
    ///
    /// - Parameters:
    ///   - id: The connection.
    ///   - limit: The most connections in the reserve.
    ///   - state: Returns the state of a connection.
    /// - Returns: The connection to reject if there are too many.
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

/// Eviction of connections when there are too many.
extension EventLoop {
    /// Closes some of the longest idle connections, so that new ones can be served.
    ///
    /// A list of idle connections would cost every request some time. So this function looks at all
    /// connections, and closes enough at a time to make up for that.
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
        // After a search that found too few, another one would find no more in a moment.
        if closed < wanted { reserve.nextSearch = now + EventLoop.searchPause }
    }

    private static let searchPause = Duration.milliseconds(200)

    /// Adds a connection past the limit to the reserve, and rejects the one that has been there for
    /// longest if there are too many.
    func keepInReserve(_ connection: Connection) {
        let rejected = reserve.add(connection.id, limit: settings.capacity.loopReserve) { id in
            self.connection(id)?.reserveState ?? .over
        }
        if let rejected { self.connection(rejected)?.reject() }
    }
}

/// Finds the longest idle of many connections, to the second, without sorting them.
struct IdleAges {
    private let now: LoopTime
    /// The number of connections by whole seconds of idleness; the last count includes all longer
    /// times.
    private var counts: [Int]

    private static let span = 128

    init(now: LoopTime) {
        self.now = now
        counts = Array(repeating: 0, count: IdleAges.span)
    }

    /// Returns the whole seconds since `start`, up to the longest time that is counted apart.
    private func age(since start: LoopTime) -> Int {
        min(max(0, (now.milliseconds - start.milliseconds) / 1000), IdleAges.span - 1)
    }

    /// Counts a connection that has been idle since `start`.
    mutating func add(idleSince start: LoopTime) {
        counts[age(since: start)] += 1
    }

    /// Returns the time since which the `wanted` longest idle connections have been idle.
    ///
    /// - Parameters:
    ///   - wanted: The number of connections to find; fewer are found if there are fewer.
    ///   - spared: The idle time below which connections are not counted.
    /// - Returns: `nil` if no connection has been idle for so long.
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

/// The load that a server can take: its configured limits, or else those of the machine.
struct Capacity: Equatable {
    /// The most connections that are served.
    let connectionLimit: Int

    /// The most connections past the limit that are read for a moment, in case they ask for an
    /// essential resource.
    let reserveLimit: Int

    /// The share of the reserve that one loop keeps; the rest is for connections on their way to a
    /// loop.
    let loopReserve: Int

    /// The most sockets and open files together, without the reserve.
    let descriptorLimit: Int

    /// The most bytes that the connections of one loop may hold: arriving bodies and waiting
    /// answers.
    let loopByteLimit: Int

    /// - Parameters:
    ///   - limits: The configured limits.
    ///   - loops: The number of loops that share the capacity.
    ///   - fileLimit: The open-file limit.
    ///   - memoryByteCount: The memory of the machine, or of the part that the process may use.
    init(_ limits: ServerLimits, loops: Int, fileLimit: Int, memoryByteCount: Int) {
        // The kept descriptors are for files, the loops' own descriptors and all other uses.
        let kept = max(64 + 2 * loops, fileLimit / 20)
        descriptorLimit = max(16, fileLimit - kept)
        connectionLimit = min(limits.connectionLimit ?? descriptorLimit, descriptorLimit)
        reserveLimit = limits.reserveLimit ?? min(kept / 4, 256)
        loopReserve = max(1, reserveLimit / 2 / loops)
        loopByteLimit =
            limits.heldByteLimit.map { $0 / loops }
            ?? max(Capacity.leastLoopByteLimit, memoryByteCount / 8 / loops)
    }

    /// The least memory of a loop: less could not hold two bodies of the protocol's size.
    private static let leastLoopByteLimit = 64 << 20
}

/// The number of descriptors used by sockets and by files of answers, and the limit for the
/// process.
///
/// There is one count for the process, because the limit is for the process.
enum DescriptorUse {
    private static let sum = Atomic(0)

    /// The descriptors in use, without the process's other ones.
    static var count: Int { sum.load(ordering: .relaxed) }

    static func opened() {
        sum.add(1, ordering: .relaxed)
    }

    static func closed() {
        sum.subtract(1, ordering: .relaxed)
    }

    /// The open-file limit (RLIMIT_NOFILE).
    static let limit: Int = {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return 1024
        }
        return Int(clamping: limit.rlim_cur)
    }()

    /// Whether one more file may be opened for an answer: the last descriptors are for other uses.
    static var hasRoomForFile: Bool { count < limit - max(32, limit / 40) }
}
