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

        /// Whole seconds since some moment, which never go back; quickly read.
        package var seconds: @Sendable () -> Int

        /// Makes a clock of functions that any thread may call.
        ///
        /// - Parameters:
        ///   - now: The time since some moment.
        ///   - wall: Seconds since 1970.
        ///   - seconds: Whole seconds; those of `now`, if there is nothing that takes less.
        package init(
            now: @escaping @Sendable () -> Duration,
            wall: @escaping @Sendable () -> Double,
            seconds: (@Sendable () -> Int)? = nil
        ) {
            self.now = now
            self.wall = wall
            self.seconds = seconds ?? { Int(now().components.seconds) }
        }

        /// The machine's own.
        package static var system: Clock {
            let start = ContinuousClock.now
            return Clock(
                now: { ContinuousClock.now - start },
                wall: secondsSince1970,
                seconds: coarseSeconds
            )
        }
    }

    /// Whole seconds by the store's clock, quickly read.
    package var seconds: Int { clock.seconds() }

    /// Whole seconds since 1970 by the store's clock.
    package var wallSeconds: Int { Int(clock.wall()) }

    /// How long it is likely to be until a feed changes again.
    ///
    /// - Parameter version: Its current version.
    /// - Returns: A time from zero.
    package func remainder(of version: Version) -> Duration {
        (version.updateIntervals?.current ?? UpdateIntervals()).remainder(
            after: clock.now() - version.time
        )
    }
}

/// As of the kernel's last tick, as the Date of responses is: no version is later than that.
@Sendable private func secondsSince1970() -> Double {
    var time = timespec()
    #if canImport(Glibc)
    unsafe clock_gettime(CLOCK_REALTIME_COARSE, &time)
    #else
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    #endif
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Whole seconds of a clock that never goes back, off by a tick of the kernel at most.
@Sendable private func coarseSeconds() -> Int {
    var time = timespec()
    #if canImport(Glibc)
    unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    #else
    unsafe clock_gettime(CLOCK_MONOTONIC_RAW_APPROX, &time)
    #endif
    return time.tv_sec
}
