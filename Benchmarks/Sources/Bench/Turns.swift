import Glibc

/// Things that are measured in turn, A B C, A B C.
enum Turns {
    /// Runs the rounds.
    ///
    /// - Returns: For each side what its rounds gave.
    static func run<Value>(
        _ rounds: Int,
        _ sides: [() throws -> Value]
    ) throws -> [[Value]] {
        var values: [[Value]] = sides.map { _ in [] }
        for _ in 0..<rounds {
            for (index, side) in sides.enumerated() { values[index].append(try side()) }
        }
        return values
    }

    /// How long something takes, in seconds.
    static func seconds(_ work: () throws -> Void) rethrows -> Double {
        let start = ContinuousClock.now
        try work()
        return (ContinuousClock.now - start) / .seconds(1)
    }

    /// How much of a core's time one of many runs takes on this thread, in seconds.
    ///
    /// What else the machine does counts less that way than by a clock on the wall.
    static func cpuSecondsPerRun(atLeast whole: Double, _ work: () -> Void) -> Double {
        var runs = 0
        let start = threadSeconds
        var spent = 0.0
        while spent < whole {
            work()
            runs += 1
            spent = threadSeconds - start
        }
        return spent / Double(runs)
    }

    /// The time that this thread has spent on a core.
    static var threadSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
