import CLinux
import Glibc

/// Starts threads for work that may take long.
///
/// Dispatch has as many threads as there are cores, and these also serve tasks that must never
/// wait: signals, timers, the shutdown of the server. So long computations have their own threads.
package enum WorkerThread {
    /// The argument of a new thread.
    private final class Body {
        let niceness: CInt
        let run: @Sendable () -> Void

        init(niceness: CInt, run: @escaping @Sendable () -> Void) {
            self.niceness = niceness
            self.run = run
        }
    }

    /// Starts a thread that runs `body` and then ends; returns `false` if the system cannot.
    ///
    /// - Parameter niceness: The priority below other threads when all cores are busy, 0 to 19
    ///   (setpriority(2), which on Linux applies to one thread).
    package static func start(niceness: CInt, _ body: @escaping @Sendable () -> Void) -> Bool {
        let argument = Unmanaged.passRetained(Body(niceness: niceness, run: body))
        var thread = pthread_t()
        let result = pthread_create(
            &thread,
            nil,
            { argument in
                guard let argument else { return nil }
                let body = Unmanaged<Body>.fromOpaque(argument).takeRetainedValue()
                if body.niceness > 0 {
                    _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, body.niceness)
                }
                body.run()
                return nil
            },
            argument.toOpaque()
        )
        guard result == 0 else {
            argument.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    /// The processor time that the calling thread has used, in nanoseconds.
    package static var processorTime: Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}

/// The processors that the process may use.
package enum MachineCores {
    /// The number of processors that the process may run on, or that its control group may keep
    /// busy if that is less; at least 1.
    package static let count = max(
        1,
        min(Int(freshet_processorCount()), ControlGroup.current.processorLimit ?? .max)
    )
}
