#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension FeedStore {
    /// The store's source of time.
    package struct Clock: Sendable {
        /// Returns the time of a monotonic clock.
        package var now: @Sendable () -> Duration

        /// Returns the seconds since 1970.
        package var wall: @Sendable () -> Double

        /// Returns the whole seconds of a monotonic clock; it is cheap to read.
        package var seconds: @Sendable () -> Int

        /// Makes a clock from functions that may be called on any thread.
        ///
        /// - Parameters:
        ///   - now: Returns the time of a monotonic clock.
        ///   - wall: Returns the seconds since 1970.
        ///   - seconds: Returns whole monotonic seconds; by default those of `now`.
        package init(
            now: @escaping @Sendable () -> Duration,
            wall: @escaping @Sendable () -> Double,
            seconds: (@Sendable () -> Int)? = nil
        ) {
            self.now = now
            self.wall = wall
            self.seconds = seconds ?? { Int(now().components.seconds) }
        }

        /// A clock that reads the machine's time.
        package static var system: Clock {
            let start = ContinuousClock.now
            return Clock(
                now: { ContinuousClock.now - start },
                wall: secondsSince1970,
                seconds: coarseSeconds
            )
        }
    }

    /// The whole seconds of the store's monotonic clock, cheap to read.
    package var seconds: Int { clock.seconds() }

    /// The whole seconds since 1970 by the store's clock.
    package var wallSeconds: Int { Int(clock.wall()) }

    /// Returns the likely time until a feed changes again.
    ///
    /// - Parameter version: The feed's current version.
    /// - Returns: A duration, at least zero.
    package func remainder(of version: Version) -> Duration {
        (version.updateIntervals?.current ?? UpdateIntervals()).remainder(
            after: clock.now() - version.time
        )
    }
}

/// Returns the seconds since 1970 as of the kernel's last tick, like the Date of responses: no
/// version is later than the Date of its response.
@Sendable private func secondsSince1970() -> Double {
    var time = timespec()
    #if canImport(Glibc)
    unsafe clock_gettime(CLOCK_REALTIME_COARSE, &time)
    #else
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    #endif
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Returns the whole seconds of a monotonic clock, at most one tick of the kernel late.
@Sendable private func coarseSeconds() -> Int {
    var time = timespec()
    #if canImport(Glibc)
    unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    #else
    unsafe clock_gettime(CLOCK_MONOTONIC_RAW_APPROX, &time)
    #endif
    return time.tv_sec
}
