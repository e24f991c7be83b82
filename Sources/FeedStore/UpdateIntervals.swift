import Synchronization

/// How often a feed has changed: a value, which is told the time.
///
/// It knows the times between the last 32 changes, and takes those to come for alike. After a
/// silence, those count that were longer: what is left of them, at the median, is how long the
/// silence is likely to go on (the empirical median residual lifetime; Schmittlein, Morrison,
/// "The Median Residual Lifetime", Operations Research 29, 1981). It asks for no distribution:
/// hours of silence between bursts, or a night, are times like others. After a silence that is
/// longer than all of them, it is a tenth of that (as RFC 9111 §4.2.2 has it).
package struct UpdateIntervals: Sendable {
    private static let limit = 32

    /// The upper halves of 32-bit floating-point numbers, in seconds: in the order of the times,
    /// and off by 1/256 at most.
    private var codes = InlineArray<32, UInt16>(repeating: 0)
    private var count = 0
    /// Where the next one goes, once in the place of the oldest.
    private var next = 0

    /// The intervals of a feed that has not changed yet.
    package init() {}

    /// Takes note of a change.
    ///
    /// - Parameter interval: The time since the one before.
    package mutating func add(_ interval: Duration) {
        codes[next] = UpdateIntervals.code(interval)
        next = (next + 1) % UpdateIntervals.limit
        count = min(count + 1, UpdateIntervals.limit)
    }

    /// How long it is likely to be until the next change.
    ///
    /// - Parameter silence: The time since the last one.
    /// - Returns: A time from zero.
    package func remainder(after silence: Duration) -> Duration {
        let code = UpdateIntervals.code(silence)
        var longer = InlineArray<32, UInt16>(repeating: 0)
        var longerCount = 0
        for index in 0..<count where codes[index] > code {
            // Sorted as they come: there are few, and nothing is allocated.
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

    /// Takes note of a change.
    func add(_ interval: Duration) {
        intervals.withLock { $0.add(interval) }
    }

    /// The intervals so far.
    var current: UpdateIntervals { intervals.withLock(\.self) }
}
