import Synchronization

/// Says how much work may wait for a queue: what would have to wait for too long, or would take
/// too much memory while it waits, is refused before anything is done for it.
final class Admission: Sendable {
    /// How much may wait.
    struct Limits: Sendable {
        /// Pieces of work, those that run among them.
        var count: Int
        /// Bytes that they hold, the first piece not counted.
        var byteCount = Int.max
        /// For how long a piece of work may have waited when its turn comes.
        var age: Duration
    }

    private let limits: Limits
    private let clock: @Sendable () -> Duration
    private let count = Atomic(0)
    private let byteCount = Atomic(0)

    /// - Parameters:
    ///   - limits: How much may wait.
    ///   - clock: A time that only grows.
    init(_ limits: Limits, clock: @escaping @Sendable () -> Duration) {
        self.limits = limits
        self.clock = clock
    }

    /// Whether nothing more is let in at the moment.
    var isFull: Bool {
        count.load(ordering: .relaxed) >= limits.count
            || byteCount.load(ordering: .relaxed) >= limits.byteCount
    }

    /// Lets in a piece of work.
    ///
    /// - Parameter bytes: What it holds in memory.
    /// - Returns: What it keeps until it is done; `nil` when it has to be refused.
    func enter(holding bytes: Int = 0) -> Ticket? {
        let ticket = Ticket(self, holding: bytes, at: clock())
        let count = count.add(1, ordering: .relaxed).newValue
        let sum = byteCount.add(bytes, ordering: .relaxed).newValue
        let isAllowed = count <= limits.count && (count == 1 || sum <= limits.byteCount)
        return isAllowed ? ticket : nil
    }

    /// The place of a piece of work, given back when nobody holds it any more.
    final class Ticket: Sendable {
        private let admission: Admission
        private let byteCount: Int
        private let time: Duration

        fileprivate init(_ admission: Admission, holding byteCount: Int, at time: Duration) {
            self.admission = admission
            self.byteCount = byteCount
            self.time = time
        }

        deinit {
            admission.count.subtract(1, ordering: .relaxed)
            admission.byteCount.subtract(byteCount, ordering: .relaxed)
        }

        /// Whether it has waited for so long that its client may have given up.
        var isStale: Bool { admission.clock() - time > admission.limits.age }
    }
}
