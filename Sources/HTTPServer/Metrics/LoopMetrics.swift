import HTTPWire
import Synchronization

/// The counters of one event loop since its start.
///
/// They are plain numbers that only the loop changes, so counting a request costs a few additions.
/// A report gets a copy of them.
package struct LoopMetrics: Sendable, Equatable {
    /// The counters of all routes and methods: a row of ``Slot/count`` numbers for each pair.
    private var table: [Int]

    /// Responses of status 304.
    package private(set) var notModifiedCount = 0
    /// Bytes of content in all responses but streams.
    package private(set) var contentByteCount = 0
    /// The number of responses that carried changes instead of a whole feed, and the bytes saved by
    /// that.
    package private(set) var deltaCount = 0
    package private(set) var savedByteCount = 0

    /// The numbers of connections accepted, and of connections refused because of the limit.
    package var connectionCount = 0
    package var refusedConnectionCount = 0
    /// The number of failures to accept a connection because no file descriptor was free.
    package var shortageCount = 0

    /// The numbers of long polls and of streams that are open now.
    package var longPollCount = 0
    package var streamCount = 0

    /// The number of the loop's rounds by duration, and the sum of the durations.
    private var rounds = [Int](repeating: 0, count: DurationBuckets.count)
    package private(set) var roundNanoseconds = 0

    /// The layout of a row: counts by status class, the sum of durations, then the duration
    /// buckets.
    private enum Slot {
        static let classes = 5
        static let sum = classes
        static let buckets = sum + 1
        static let count = buckets + DurationBuckets.count
    }

    /// Makes metrics at zero.
    ///
    /// - Parameter routeCount: The number of ``RequestHandler/routeNames``.
    init(routeCount: Int) {
        table = [Int](repeating: 0, count: routeCount * Method.count * Slot.count)
    }
}

/// Counting.
extension LoopMetrics {
    /// The index in the table at which the row of a route and method starts.
    typealias Operation = Int

    /// The operation of a request whose head could not be read.
    static let unknownOperation = Method.other.rawValue * Slot.count

    @inline(__always)
    func operation(_ label: borrowing RequestLabel, _ method: RequestHead.Method) -> Operation {
        let row = Int(label.route) * Method.count + Method(method).rawValue
        let start = row &* Slot.count
        return start < table.count ? start : 0
    }

    /// Counts a response.
    @inline(__always)
    mutating func count(_ operation: Operation, status: Int, contentByteCount count: Int) {
        // 1xx is no final response; 499 is counted with the client's errors.
        table[operation + max(0, min(Slot.classes, status / 100) - 1)] &+= 1
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
        table[operation + Slot.sum] &+= nanoseconds
        table[operation + Slot.buckets + DurationBuckets.bucket(of: nanoseconds)] &+= 1
    }

    /// Adds a round of the loop that handled events for `nanoseconds`.
    mutating func roundEnded(after nanoseconds: Int) {
        let nanoseconds = max(0, nanoseconds)
        rounds[DurationBuckets.bucket(of: nanoseconds)] &+= 1
        roundNanoseconds &+= nanoseconds
    }
}

/// Reading.
extension LoopMetrics {
    /// The methods that are counted separately; `other` is all the rest.
    package enum Method: Int, CaseIterable, Sendable {
        case get
        case head
        case post
        case put
        case patch
        case delete
        case options
        case query
        case other

        static let count = 9

        @inline(__always)
        init(_ method: RequestHead.Method) {
            switch method {
            case .get: self = .get
            case .head: self = .head
            case .post: self = .post
            case .put: self = .put
            case .patch: self = .patch
            case .delete: self = .delete
            case .options: self = .options
            case .query: self = .query
            case .connect, .trace, .other: self = .other
            }
        }
    }

    /// The counters of a route and method.
    package struct Row: Sendable, Equatable {
        /// The number of responses by class of status, 1xx to 5xx.
        package let classes: [Int]
        /// The durations of the responses.
        package let durations: Histogram
    }

    /// The number of durations by bucket, and the sum of all.
    package struct Histogram: Sendable, Equatable {
        package let buckets: [Int]
        package let nanoseconds: Int
    }

    /// Returns the counters of a route and method.
    package func row(route: Int, _ method: Method) -> Row {
        let start = (route * Method.count + method.rawValue) * Slot.count
        let row = Array(table[start..<start + Slot.count])
        return Row(
            classes: Array(row[..<Slot.classes]),
            durations: Histogram(buckets: Array(row[Slot.buckets...]), nanoseconds: row[Slot.sum])
        )
    }

    /// The number of responses of all routes and methods.
    package var responseCount: Int {
        stride(from: 0, to: table.count, by: Slot.count).reduce(0) { sum, start in
            sum + table[start..<start + Slot.classes].reduce(0, +)
        }
    }

    /// The durations of the loop's rounds.
    package var roundDurations: Histogram {
        Histogram(buckets: rounds, nanoseconds: roundNanoseconds)
    }

    /// Returns the sum of these counters and another loop's.
    package func adding(_ other: LoopMetrics) -> LoopMetrics {
        var sum = self
        for index in sum.table.indices { sum.table[index] &+= other.table[index] }
        for index in sum.rounds.indices { sum.rounds[index] &+= other.rounds[index] }
        sum.roundNanoseconds &+= other.roundNanoseconds
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

/// The buckets of all histograms of durations, from 0.1 ms to 10 s.
package enum DurationBuckets {
    /// The buckets' upper bounds in nanoseconds; one more bucket takes all longer durations.
    package static let bounds = [
        100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000,
        50_000_000, 100_000_000, 250_000_000, 500_000_000, 1_000_000_000, 2_500_000_000,
        5_000_000_000, 10_000_000_000,
    ]

    /// The number of buckets, including the last one.
    package static let count = 17

    /// Returns the index of a duration's bucket; a duration equal to a bound belongs to the bucket
    /// below it.
    @inline(__always)
    static func bucket(of nanoseconds: Int) -> Int {
        // Nearly all durations are in the first bucket.
        nanoseconds <= 100_000 ? 0 : rest(nanoseconds)
    }

    private static func rest(_ nanoseconds: Int) -> Int {
        bounds.firstIndex { nanoseconds <= $0 } ?? bounds.count
    }
}

/// An event loop's counters and load at one moment.
package struct LoopReport: Sendable {
    package var metrics: LoopMetrics
    /// The number of open connections.
    package var openConnectionCount = 0
    /// The number of bytes that the open connections hold in memory.
    package var heldByteCount = 0
    /// The time that the loop took to report; without a report in time, the time that has passed.
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

/// The last report of each loop; it stands in for a loop that is late, so that counters never go
/// back.
final class KnownReports: Sendable {
    private let reports: Mutex<[LoopReport]>

    init(routeCount: Int, loopCount: Int) {
        let none = LoopReport(metrics: LoopMetrics(routeCount: routeCount))
        reports = Mutex([LoopReport](repeating: none, count: loopCount))
    }

    var all: [LoopReport] { reports.withLock(\.self) }

    func set(_ report: LoopReport, _ loop: Int) {
        reports.withLock { $0[loop] = report }
    }
}
