import HTTPServer
import Synchronization

/// Counts the requests that were refused because of too much work, and the publishes that the
/// journal did not store.
///
/// The counts are reported to the operator at most once a second. For 10 seconds after a refusal,
/// the server counts as degraded.
final class Refusals: Sendable {
    private let reads: EventTally
    private let publishes: EventTally
    /// Counts the publishes that were refused for lack of memory.
    private let shortages: EventTally
    /// Counts the publishes that the journal did not store.
    private let lost: EventTally
    private let clock: @Sendable () -> Duration
    /// The numbers of refusals since the start, and the time of the last one of each kind.
    private let refused = Mutex<(reads: Refused, publishes: Refused)>(((0, nil), (0, nil)))
    /// The time of the last publish that the journal did not store, and the reason.
    private let lastLost: LastLost

    private typealias Refused = (count: Int, last: Duration?)

    /// The time for which a refusal counts as recent.
    private static let memory = Duration.seconds(10)

    init(_ configuration: APIConfiguration) {
        let report = configuration.reportRefusals
        clock = configuration.clock
        reads = EventTally { report("reads refused: too many of them wait", $0) }
        publishes = EventTally { report("publishes refused: too many of them wait", $0) }
        shortages = EventTally { report("publishes refused: feeds would take too much memory", $0) }
        let lastLost = LastLost()
        self.lastLost = lastLost
        lost = EventTally { count in
            guard let reason = lastLost.value.withLock(\.self)?.reason else { return }
            report("publishes not kept: \(reason)", count)
        }
    }

    private final class LastLost: Sendable {
        let value = Mutex<(time: Duration, reason: String)?>(nil)
    }

    /// Counts a read that was refused because too many wait.
    func noteRead() {
        reads.note()
        refused.withLock { [now = clock()] in $0.reads = ($0.reads.count + 1, now) }
    }

    /// Counts a publish that was refused because too many wait.
    func notePublish() {
        publishes.note()
        refused.withLock { [now = clock()] in $0.publishes = ($0.publishes.count + 1, now) }
    }

    /// Counts a publish that would need more memory than the feeds may take.
    func noteShortage() { shortages.note() }

    /// Counts a publish that the journal did not store.
    func noteNotKept(_ reason: String) {
        lastLost.value.withLock { [now = clock()] in $0 = (now, reason) }
        lost.note()
    }

    /// The reason why the journal did not store a publish in the last 10 seconds; `nil` if it
    /// stored all of them.
    var lossReason: String? {
        let start = clock() - Refusals.memory
        guard let last = lastLost.value.withLock(\.self), last.time >= start else { return nil }
        return last.reason
    }

    /// The numbers of refused reads and publishes since the start.
    var counts: (reads: Int, publishes: Int) {
        refused.withLock { ($0.reads.count, $0.publishes.count) }
    }

    /// The reasons of the refusals in the last 10 seconds, in words.
    var reasons: [String] {
        let start = clock() - Refusals.memory
        let refused = refused.withLock(\.self)
        var reasons: [String] = []
        if let time = refused.reads.last, time >= start {
            reasons.append("costly reads are refused: too many of them wait")
        }
        if let time = refused.publishes.last, time >= start {
            reasons.append("publishes are refused: too many of them wait")
        }
        return reasons
    }
}
