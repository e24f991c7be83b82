#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension FeedStore {
    /// Where the store learns the time.
    package struct Clock: Sendable {
        /// The time since some moment, which never goes back.
        package var now: @Sendable () -> Duration

        /// Seconds since 1970.
        package var wall: @Sendable () -> Double

        /// Makes a clock of two functions that any thread may call.
        package init(
            now: @escaping @Sendable () -> Duration,
            wall: @escaping @Sendable () -> Double
        ) {
            self.now = now
            self.wall = wall
        }

        /// The machine's own.
        package static var system: Clock {
            let start = ContinuousClock.now
            return Clock(now: { ContinuousClock.now - start }, wall: secondsSince1970)
        }
    }
}

@Sendable private func secondsSince1970() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
