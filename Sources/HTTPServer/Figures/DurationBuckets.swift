/// The buckets of all histograms of durations, from 0.1 ms to 10 s.
package enum DurationBuckets {
    /// The upper bounds in nanoseconds; a last bucket without one has the rest.
    package static let bounds = [
        100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000,
        50_000_000, 100_000_000, 250_000_000, 500_000_000, 1_000_000_000, 2_500_000_000,
        5_000_000_000, 10_000_000_000,
    ]

    /// With the last one.
    package static let count = 17

    /// The bucket of a duration in nanoseconds; one at a bound belongs to the bucket below it.
    @inline(__always)
    static func bucket(of nanoseconds: Int) -> Int {
        // Nearly all are here.
        nanoseconds <= 100_000 ? 0 : rest(nanoseconds)
    }

    private static func rest(_ nanoseconds: Int) -> Int {
        bounds.firstIndex { nanoseconds <= $0 } ?? bounds.count
    }
}
