import Dispatch
import Synchronization

/// Counts the requests that were refused because of too much work, and the publishes that the
/// journal did not store.
///
/// The counts are reported to the operator at most once a second. For 10 seconds after a refusal,
/// the server counts as degraded.
final class Refusals: Sendable {
    /// A kind of refusal, with the words for the operator.
    enum Kind: String {
        case reads = "reads refused: too many of them wait"
        case publishes = "publishes refused: too many of them wait"
        /// Publishes that would need more memory than the feeds may take.
        case shortages = "publishes refused: feeds would take too much memory"
        /// Publishes that the journal did not store.
        case losses = "publishes not kept"
    }

    /// The refusals of one kind.
    private struct Record {
        var count = 0
        var reportedCount = 0
        var last: (time: Duration, reason: String?)?
    }

    private let records = Mutex<[Kind: Record]>([:])
    private let report: @Sendable (String, Int) -> Void
    private let clock: @Sendable () -> Duration

    /// The time for which a refusal counts as recent.
    private static let memory = Duration.seconds(10)

    init(_ configuration: APIConfiguration) {
        report = configuration.reportRefusals
        clock = configuration.clock
    }

    /// Counts a refusal; for a publish that the journal did not store, `reason` says why.
    func note(_ kind: Kind, _ reason: String? = nil) {
        let now = clock()
        let isReportDue = records.withLock { records in
            var record = records[kind] ?? Record()
            record.last = (now, reason)
            record.count += 1
            records[kind] = record
            return record.count == record.reportedCount + 1
        }
        guard isReportDue else { return }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + 1) { self.report(kind) }
    }

    /// Reports the refusals since the last report.
    private func report(_ kind: Kind) {
        let (count, reason) = records.withLock { records in
            let record = records[kind] ?? Record()
            records[kind]?.reportedCount = record.count
            return (record.count - record.reportedCount, record.last?.reason)
        }
        report(kind.rawValue + (reason.map { ": " + $0 } ?? ""), count)
    }

    /// Returns the number of refusals since the start.
    func count(_ kind: Kind) -> Int { records.withLock { $0[kind]?.count ?? 0 } }

    /// Returns the last refusal, if it was in the last 10 seconds.
    private func recent(_ kind: Kind) -> (time: Duration, reason: String?)? {
        let start = clock() - Refusals.memory
        return records.withLock { $0[kind]?.last }.flatMap { $0.time >= start ? $0 : nil }
    }

    /// The reason why the journal did not store a publish in the last 10 seconds; `nil` if it
    /// stored all of them.
    var lossReason: String? { recent(.losses)?.reason }

    /// The reasons of the refusals for load in the last 10 seconds, in words.
    var reasons: [String] {
        let kinds: [(Kind, words: String)] = [
            (.reads, "costly reads are refused: too many of them wait"),
            (.publishes, "publishes are refused: too many of them wait"),
        ]
        return kinds.filter { recent($0.0) != nil }.map(\.words)
    }
}
