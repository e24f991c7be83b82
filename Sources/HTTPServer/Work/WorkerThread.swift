import Glibc

/// A thread for work that may take long.
///
/// Dispatch's threads are as many as there are cores, and shared by all that must never wait:
/// signals, timers, the end of a stop. What computes for long has threads of its own.
package enum WorkerThread {
    private final class Body {
        let niceness: CInt
        let run: @Sendable () -> Void

        init(niceness: CInt, run: @escaping @Sendable () -> Void) {
            self.niceness = niceness
            self.run = run
        }
    }

    /// Starts a thread that ends with `body`.
    ///
    /// - Parameters:
    ///   - niceness: How far it stands back for other threads when all cores are busy, 0 to 19
    ///     (setpriority(2), which on Linux is about one thread).
    ///   - body: What it does.
    /// - Returns: `false` when the system has no thread left.
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

    /// Processor time that the calling thread has used, in nanoseconds.
    package static var processorTime: Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}

/// The processors that may be used.
package enum MachineCores {
    /// How many are online, at least 1.
    package static let count = max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN)))
}
