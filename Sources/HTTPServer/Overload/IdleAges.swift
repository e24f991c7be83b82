/// Finds those that have been idle for longest among many, to the second, without sorting them.
struct IdleAges {
    private let now: LoopTime
    /// How many have been idle for so many whole seconds, or for longer with the last one.
    private var counts: [Int]

    private static let span = 128

    init(now: LoopTime) {
        self.now = now
        counts = Array(repeating: 0, count: IdleAges.span)
    }

    /// Whole seconds since `start`, as far as they are told apart.
    private func age(since start: LoopTime) -> Int {
        min(max(0, (now.milliseconds - start.milliseconds) / 1000), IdleAges.span - 1)
    }

    /// Counts one that has been idle since `start`.
    mutating func add(idleSince start: LoopTime) {
        counts[age(since: start)] += 1
    }

    /// The time since when, or longer, `wanted` of them have been idle, or as many as there are.
    ///
    /// - Parameters:
    ///   - wanted: How many are looked for.
    ///   - spared: Those idle for less are not looked at.
    /// - Returns: `nil` when there is none.
    func start(of wanted: Int, sparing spared: Duration) -> LoopTime? {
        let first = Int((spared / .seconds(1)).rounded(.up))
        var found = 0
        var start: LoopTime?
        for age in stride(from: counts.count - 1, through: first, by: -1) where counts[age] > 0 {
            guard found < wanted else { break }
            found += counts[age]
            start = LoopTime(milliseconds: now.milliseconds - age * 1000)
        }
        return start
    }
}
