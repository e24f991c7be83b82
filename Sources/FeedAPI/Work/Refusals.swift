import HTTPServer
import Synchronization

/// Counts the requests that were refused because of too much work, and publishes that could not be
/// kept.
///
/// The counts are reported to the operator once a second, and remembered for a while.
final class Refusals: Sendable {
    private let reads: EventTally
    private let publishes: EventTally
    private let shortages: EventTally
    private let lost: EventTally
    private let clock: @Sendable () -> Duration
    /// The time of the last refusal of each kind.
    private let last = Mutex<(read: Duration?, publish: Duration?)>((nil, nil))
    /// The last publish that the journal did not keep, with the reason.
    private let lastLost: LastLost

    private let readCount = Atomic(0)
    private let publishCount = Atomic(0)

    /// The time after a refusal for which the server counts as degraded.
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

    func note(_ kind: WorkKind) {
        let now = clock()
        switch kind {
        case .read:
            reads.note()
            readCount.add(1, ordering: .relaxed)
            last.withLock { $0.read = now }
        case .publish:
            publishes.note()
            publishCount.add(1, ordering: .relaxed)
            last.withLock { $0.publish = now }
        }
    }

    /// Counts a publish that would need more memory than the feeds may take.
    func noteShortage() { shortages.note() }

    /// Counts a publish that the journal did not keep.
    func noteNotKept(_ reason: String) {
        lastLost.value.withLock { [now = clock()] in $0 = (now, reason) }
        lost.note()
    }

    /// The reason why the journal did not keep a recent publish; `nil` if it kept all.
    var lossReason: String? {
        let start = clock() - Refusals.memory
        guard let last = lastLost.value.withLock(\.self), last.time >= start else { return nil }
        return last.reason
    }

    /// Returns the number of refusals of a kind since the start.
    func count(_ kind: WorkKind) -> Int {
        switch kind {
        case .read: readCount.load(ordering: .relaxed)
        case .publish: publishCount.load(ordering: .relaxed)
        }
    }

    /// The reasons of recent refusals, in words; empty without any.
    var reasons: [String] {
        let start = clock() - Refusals.memory
        let last = last.withLock(\.self)
        var reasons: [String] = []
        if let time = last.read, time >= start {
            reasons.append("costly reads are refused: too many of them wait")
        }
        if let time = last.publish, time >= start {
            reasons.append("publishes are refused: too many of them wait")
        }
        return reasons
    }
}
