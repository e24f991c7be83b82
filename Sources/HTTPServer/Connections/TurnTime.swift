/// For how long a connection is served before others have their turn.
struct TurnTime {
    private static let limit = 1_000_000

    /// When it was first asked for; in nanoseconds, 0 before.
    private var start = 0
    private(set) var wasOver = false

    /// Whether it is over. Who has but one request is not asked, which saves the time of asking.
    mutating func isOver() -> Bool {
        let now = System.monotonicNanoseconds()
        if start == 0 { start = now }
        wasOver = now - start > TurnTime.limit
        return wasOver
    }
}
