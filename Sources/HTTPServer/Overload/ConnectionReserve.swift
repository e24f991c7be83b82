import Glibc
import Synchronization

/// A loop's connections past the limit, which are read for a moment in case they send an essential
/// request (``RequestLabel/isEssential``).
struct ConnectionReserve {
    /// The connections' ids; the connection that has been here for longest comes first.
    private var ids: [ConnectionID] = []

    /// The time before which the loop does not search for idle connections again.
    fileprivate var nextSearch = LoopTime(milliseconds: 0)

    /// Adds a connection.
    ///
    /// - Parameters:
    ///   - id: The connection.
    ///   - limit: The most connections in the reserve.
    ///   - state: Returns a connection's standing.
    /// - Returns: A connection to reject, if there are more than `limit`.
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

/// Making room when there are too many connections.
extension EventLoop {
    /// Closes some of the longest idle connections, so that new ones can be served.
    ///
    /// A list of idle connections would cost every request some time. Instead, this function looks
    /// at all connections, and closes enough of them that it need not run again soon.
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
        // If too few were idle for long enough, another search would soon find no more.
        if closed < wanted { reserve.nextSearch = now + EventLoop.searchPause }
    }

    private static let searchPause = Duration.milliseconds(200)

    /// Adds a connection past the limit to the reserve; if there are too many, the one that has
    /// been there for longest is rejected.
    func keepInReserve(_ connection: Connection) {
        let rejected = reserve.add(connection.id, limit: settings.capacity.loopReserve) { id in
            self.connection(id)?.reserveState ?? .over
        }
        if let rejected { self.connection(rejected)?.reject() }
    }
}

/// A histogram of idle times in whole seconds, which finds the longest idle connections without
/// sorting.
struct IdleAges {
    private let now: LoopTime
    /// The number of connections by whole seconds of idle time; the last element counts all longer
    /// times.
    private var counts: [Int]

    private static let span = 128

    init(now: LoopTime) {
        self.now = now
        counts = Array(repeating: 0, count: IdleAges.span)
    }

    /// Returns the whole seconds since `start`, at most the index of the last count.
    private func age(since start: LoopTime) -> Int {
        min(max(0, (now.milliseconds - start.milliseconds) / 1000), IdleAges.span - 1)
    }

    /// Counts a connection that has been idle since `start`.
    mutating func add(idleSince start: LoopTime) {
        counts[age(since: start)] += 1
    }

    /// Returns the latest second such that the `wanted` longest idle connections were idle since
    /// then or before.
    ///
    /// - Parameters:
    ///   - wanted: The number of connections to find; fewer are found if there are fewer.
    ///   - spared: The idle time below which connections are not counted.
    /// - Returns: `nil` if no connection has been idle for `spared`.
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

/// The load that a server accepts: the configured limits, or limits derived from the machine.
struct Capacity: Equatable {
    /// The most connections that are served.
    let connectionLimit: Int

    /// The most connections past the limit that are read for a moment, in all loops.
    let reserveLimit: Int

    /// The most connections in one loop's reserve; the other ones are on their way to a loop.
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
        // Some descriptors are kept for files, the loops' own sets and timers, and all other uses.
        let kept = max(64 + 2 * loops, fileLimit / 20)
        descriptorLimit = max(16, fileLimit - kept)
        connectionLimit = min(limits.connectionLimit ?? descriptorLimit, descriptorLimit)
        reserveLimit = limits.reserveLimit ?? min(kept / 4, 256)
        loopReserve = max(1, reserveLimit / 2 / loops)
        loopByteLimit =
            limits.heldByteLimit.map { $0 / loops }
            ?? max(Capacity.leastLoopByteLimit, memoryByteCount / 8 / loops)
    }

    /// The least limit of a loop's memory: with less, two bodies of the protocol's size would not
    /// fit.
    private static let leastLoopByteLimit = 64 << 20
}

/// The process's descriptors in use by sockets and by files that are sent.
///
/// The count is for the whole process, as its limit is.
enum DescriptorUse {
    private static let sum = Atomic(0)

    /// The number of descriptors in use by sockets and files.
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

    /// Whether a file may be opened for a response: the last descriptors are kept for other uses.
    static var hasRoomForFile: Bool { count < limit - max(32, limit / 40) }
}
