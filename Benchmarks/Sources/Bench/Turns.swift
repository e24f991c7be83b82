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

    /// How long one of many runs takes, in seconds.
    static func secondsPerRun(atLeast whole: Double, _ work: () -> Void) -> Double {
        var runs = 0
        var spent = 0.0
        while spent < whole {
            spent += seconds(work)
            runs += 1
        }
        return spent / Double(runs)
    }
}
