import Glibc

/// Measures several sides in turn, A B C, A B C.
enum Turns {
    /// Runs the rounds.
    ///
    /// - Returns: The values of all rounds, for each side.
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

    /// Returns the time that some work takes, in seconds.
    static func seconds(_ work: () throws -> Void) rethrows -> Double {
        let start = ContinuousClock.now
        try work()
        return (ContinuousClock.now - start) / .seconds(1)
    }

    /// Returns the core's time that one of many runs takes on this thread, in seconds.
    ///
    /// Other work of the machine disturbs this time less than one by a clock on the wall.
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
