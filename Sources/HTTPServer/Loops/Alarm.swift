import CLinux
import Glibc

/// A timer in an event loop's epoll set, which ends the loop's wait there (timerfd_create(2)).
///
/// A time-out of epoll_wait(2) would have the same effect, but the kernel would set it up with
/// every wait; this timer is set once for many waits.
final class Alarm {
    let descriptor: Descriptor
    private var due: LoopTime?

    init() throws(SystemError) {
        descriptor = Descriptor(
            owning: try System.check("timerfd_create") {
                timerfd_create(CLOCK_MONOTONIC, CInt(TFD_NONBLOCK) | CInt(TFD_CLOEXEC))
            }
        )
    }

    /// Makes the alarm go off at `time`, unless it is set for an earlier time.
    func set(for time: LoopTime, now: LoopTime) {
        if let due, due <= time, due > now { return }
        due = time
        // The value 0 would stop the timer.
        set(milliseconds: max(1, time.milliseconds - now.milliseconds))
    }

    /// Stops the alarm.
    func stop() {
        due = nil
        set(milliseconds: 0)
    }

    private func set(milliseconds: Int) {
        var time = itimerspec()
        time.it_value.tv_sec = milliseconds / 1000
        time.it_value.tv_nsec = milliseconds % 1000 * 1_000_000
        timerfd_settime(descriptor.rawValue, 0, &time, nil)
    }
}
