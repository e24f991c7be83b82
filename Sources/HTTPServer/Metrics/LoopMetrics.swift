package import HTTPWire

/// The counters of one event loop since its start.
///
/// The counters are plain numbers that only the loop changes, so counting a request costs a few
/// additions. A report gets a copy of them.
package struct LoopMetrics: Sendable, Equatable {
    /// The counters of all routes and methods: a row of ``rowLength`` numbers for each pair.
    ///
    /// A row has counts by class of status, the sum of durations, then the buckets of durations.
    private var table: [Int]

    /// The number of responses with status 304.
    package private(set) var notModifiedCount = 0
    /// The number of bytes of content sent in all responses; a stream's bytes count when it ends.
    package private(set) var contentByteCount = 0
    /// The number of responses that carried changes instead of a whole feed.
    package private(set) var deltaCount = 0
    /// The number of bytes saved by sending changes instead of whole feeds.
    package private(set) var savedByteCount = 0

    /// The number of connections accepted.
    package var connectionCount = 0
    /// The number of connections refused because of the limit of connections.
    package var refusedConnectionCount = 0
    /// The number of failures to accept a connection because no file descriptor was free.
    package var shortageCount = 0

    /// The number of long polls that are open now.
    package var longPollCount = 0
    /// The number of streams that are open now.
    package var streamCount = 0

    /// The durations of the loop's rounds.
    package private(set) var roundDurations = Histogram()

    private static let methodCount = RequestHead.Method.allCases.count
    /// The number of classes of status: 1xx to 5xx.
    private static let classCount = 5
    private static let rowLength = classCount + 1 + Histogram.bucketCount

    /// Makes metrics at zero for that number of ``RequestHandler/routeNames``.
    init(routeCount: Int) {
        let rowCount = routeCount * LoopMetrics.methodCount
        table = [Int](repeating: 0, count: rowCount * LoopMetrics.rowLength)
    }
}

/// Counts responses and rounds.
extension LoopMetrics {
    /// The index in the table at which the row of a route and method starts.
    typealias Operation = Int

    /// The operation of a request whose head could not be read.
    static let unknownOperation: Operation = start(route: 0, .other)

    /// Returns the index in the table at which the row of a route and method starts.
    @inline(__always)
    private static func start(route: Int, _ method: RequestHead.Method) -> Operation {
        (route * methodCount + Int(method.rawValue)) &* rowLength
    }

    /// Returns the operation of a request; a route beyond the table counts as the first operation.
    @inline(__always)
    func operation(_ label: borrowing RequestLabel, _ method: RequestHead.Method) -> Operation {
        let start = LoopMetrics.start(route: Int(label.route), method)
        return start < table.count ? start : 0
    }

    /// Counts a response.
    @inline(__always)
    mutating func count(_ operation: Operation, status: Int, contentByteCount count: Int) {
        // 1xx is never a final response; 499 is counted with the client's errors.
        table[operation + max(0, min(LoopMetrics.classCount, status / 100) - 1)] &+= 1
        if status == 304 { notModifiedCount &+= 1 }
        contentByteCount &+= count
    }

    /// Counts the bytes that a response saved by carrying changes instead of a whole feed.
    @inline(__always)
    mutating func countSaved(_ byteCount: Int) {
        guard byteCount > 0 else { return }
        deltaCount &+= 1
        savedByteCount &+= byteCount
    }

    /// Adds the duration of a response.
    mutating func time(_ operation: Operation, nanoseconds: Int) {
        let nanoseconds = max(0, nanoseconds)
        let sum = operation + LoopMetrics.classCount
        table[sum] &+= nanoseconds
        table[sum + 1 + Histogram.bucket(of: nanoseconds)] &+= 1
    }

    /// Adds a round of the loop, which has handled events for `nanoseconds`.
    mutating func roundEnded(after nanoseconds: Int) {
        let nanoseconds = max(0, nanoseconds)
        roundDurations.buckets[Histogram.bucket(of: nanoseconds)] &+= 1
        roundDurations.nanoseconds &+= nanoseconds
    }
}

/// Reads the counters.
extension LoopMetrics {
    /// Returns the counters of a route and method: the number of responses by class of status, 1xx
    /// to 5xx, and their durations.
    package func row(
        route: Int,
        _ method: RequestHead.Method
    ) -> (classes: [Int], durations: Histogram) {
        let start = LoopMetrics.start(route: route, method)
        let sum = start + LoopMetrics.classCount
        let buckets = Array(table[sum + 1..<start + LoopMetrics.rowLength])
        return (Array(table[start..<sum]), Histogram(buckets: buckets, nanoseconds: table[sum]))
    }

    /// The number of responses of all routes and methods.
    package var responseCount: Int {
        stride(from: 0, to: table.count, by: LoopMetrics.rowLength).reduce(0) { sum, start in
            sum + table[start..<start + LoopMetrics.classCount].reduce(0, +)
        }
    }

    /// Returns the sum of these counters and another loop's.
    package func adding(_ other: LoopMetrics) -> LoopMetrics {
        var sum = self
        for index in sum.table.indices { sum.table[index] &+= other.table[index] }
        for index in other.roundDurations.buckets.indices {
            sum.roundDurations.buckets[index] &+= other.roundDurations.buckets[index]
        }
        sum.roundDurations.nanoseconds &+= other.roundDurations.nanoseconds
        sum.notModifiedCount &+= other.notModifiedCount
        sum.contentByteCount &+= other.contentByteCount
        sum.deltaCount &+= other.deltaCount
        sum.savedByteCount &+= other.savedByteCount
        sum.connectionCount &+= other.connectionCount
        sum.refusedConnectionCount &+= other.refusedConnectionCount
        sum.shortageCount &+= other.shortageCount
        sum.longPollCount &+= other.longPollCount
        sum.streamCount &+= other.streamCount
        return sum
    }
}

extension LoopMetrics {
    /// A histogram of durations.
    package struct Histogram: Sendable, Equatable {
        /// The number of durations in each bucket, without those in lower buckets.
        package fileprivate(set) var buckets = [Int](repeating: 0, count: bucketCount)
        /// The sum of all durations, in nanoseconds.
        package fileprivate(set) var nanoseconds = 0

        /// The buckets' upper bounds in nanoseconds, from 0.1 ms to 10 s; one more bucket takes all
        /// longer durations.
        package static let bounds = [
            100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000,
            50_000_000, 100_000_000, 250_000_000, 500_000_000, 1_000_000_000, 2_500_000_000,
            5_000_000_000, 10_000_000_000,
        ]

        /// The number of buckets, including the last one.
        static let bucketCount = 17

        /// Returns the index of a duration's bucket; a duration equal to a bound belongs to the
        /// bucket below it.
        @inline(__always)
        static func bucket(of nanoseconds: Int) -> Int {
            // Nearly all durations are in the first buckets.
            for index in bounds.indices where nanoseconds <= bounds[index] { return index }
            return bounds.count
        }
    }
}

/// An event loop's counters and load at one moment.
package struct LoopReport: Sendable {
    package var metrics: LoopMetrics
    /// The number of open connections.
    package var openConnectionCount = 0
    /// The number of bytes of memory that bodies, waiting responses, long polls and streams take.
    package var heldByteCount = 0
    /// The time that the loop took to report; without a report in time, the time waited for it.
    package var lag = Duration.zero
    /// Whether the loop reported in time.
    package var isAlive = true
}

extension EventLoop {
    /// Returns the loop's counters and load.
    func report() -> LoopReport {
        LoopReport(
            metrics: metrics.pointee,
            openConnectionCount: connectionCount,
            heldByteCount: account.byteCount
        )
    }
}
