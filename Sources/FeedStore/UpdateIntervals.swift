import Synchronization

/// The times between a feed's changes: a value; its callers pass the times in.
///
/// It stores the times between the last 32 changes, and expects similar times in the future. After
/// a silence, only the longer times count: the median of what remains of them is the likely rest of
/// the silence (the empirical median residual lifetime; Schmittlein, Morrison, "The Median Residual
/// Lifetime", Operations Research 29, 1981). The method assumes no distribution: hours of silence
/// between bursts, or a night, are times like others. After a silence longer than all stored times,
/// the expected rest is a tenth of the silence (as in RFC 9111 §4.2.2).
package struct UpdateIntervals: Sendable {
    private static let limit = 32

    /// The upper halves of 32-bit floating-point numbers, in seconds: they have the order of the
    /// times, with an error of 1/256 at most.
    private var codes = InlineArray<32, UInt16>(repeating: 0)
    private var count = 0
    /// The index of the next entry, which later replaces the oldest one.
    private var next = 0

    /// Makes the intervals of a feed that has not changed yet.
    package init() {}

    /// Records a change.
    ///
    /// - Parameter interval: The time since the previous change.
    package mutating func add(_ interval: Duration) {
        codes[next] = UpdateIntervals.code(interval)
        next = (next + 1) % UpdateIntervals.limit
        count = min(count + 1, UpdateIntervals.limit)
    }

    /// Returns the likely time until the next change.
    ///
    /// - Parameter silence: The time since the last change.
    /// - Returns: A duration, at least zero.
    package func remainder(after silence: Duration) -> Duration {
        let code = UpdateIntervals.code(silence)
        var longer = InlineArray<32, UInt16>(repeating: 0)
        var longerCount = 0
        for index in 0..<count where codes[index] > code {
            // The list is sorted by insertion: it is short, and no memory is allocated.
            var position = longerCount
            while position > 0, longer[position - 1] > codes[index] {
                longer[position] = longer[position - 1]
                position -= 1
            }
            longer[position] = codes[index]
            longerCount += 1
        }
        guard longerCount > 0 else { return max(.zero, silence) / 10 }
        return max(.zero, UpdateIntervals.time(longer[(longerCount - 1) / 2]) - silence)
    }

    private static func code(_ time: Duration) -> UInt16 {
        let bits = Float(max(0, time / .seconds(1))).bitPattern
        return UInt16(truncatingIfNeeded: (bits + (1 << 15)) >> 16)
    }

    private static func time(_ code: UInt16) -> Duration {
        .seconds(Double(Float(bitPattern: UInt32(code) << 16)))
    }
}

/// The update intervals of one feed, which its versions share from the second one on.
package final class SharedUpdateIntervals: Sendable {
    private let intervals = Mutex(UpdateIntervals())

    init() {}

    /// Records a change.
    func add(_ interval: Duration) {
        intervals.withLock { $0.add(interval) }
    }

    /// The intervals so far.
    var current: UpdateIntervals { intervals.withLock(\.self) }
}
