/// When a source is tried next; no clock and no chance in here.
struct SourceSchedule {
    /// Without `every`, in seconds.
    static let floor = 15 * 60
    static let ceiling = 4 * 3600
    /// What a publisher may ask for at most.
    static let askedCeiling = 5 * 3600
    /// The longest pause after failures: nothing is ever given up but what is gone for good.
    static let failureCeiling = 24 * 3600
    /// After `503` and `429` that do not say for how long; of the latter, each one in a row doubles
    /// it.
    static let pause = 600
    static let refusalPause = 60
    static let pauseCeiling = 24 * 3600
    /// For how long a `410` must be said until it is believed.
    static let goneTime = 3 * 86_400

    /// - Parameters:
    ///   - state: As the last try has left it.
    ///   - every: What the operator says, in seconds.
    ///   - now: Seconds since 1970.
    ///   - random: From 0 to 1.
    ///   - isGone: Whether the last try was answered `410`.
    /// - Returns: When to try; `nil`: not before somebody asks for it.
    static func next(
        _ state: SourceState,
        every: Int?,
        now: Int,
        random: Double,
        isGone: Bool = false
    ) -> Int? {
        // What is pushed is looked at less often: a hub may forget, or be gone.
        let isPushed = state.push?.isReliable(now: now) ?? false
        let usual = (every ?? adaptive(state)) * (isPushed ? pushedFactor : 1)
        var wait = usual
        if state.ownFailureCount > 0 {
            let doublings = min(state.ownFailureCount - 1, 16)
            wait = min(max(usual, 60) << doublings, max(failureCeiling, usual))
            if isGone, state.goneSince > 0 {
                if now - state.goneSince >= goneTime { return nil }
                wait = max(wait, 6 * 3600)
            }
        }
        // Sources that were started together must not stay together.
        let jittered = Double(wait) * (0.95 + 0.1 * random)
        return max(now + max(1, Int(jittered)), state.pausedUntil)
    }

    /// By the source's own rhythm and its publisher's wish.
    private static func adaptive(_ state: SourceState) -> Int {
        let rhythm = state.rhythm.map { min(max($0 / 4, floor), ceiling) } ?? 2 * floor
        return max(rhythm, min(state.asked ?? 0, askedCeiling))
    }

    /// So many times as late are polls of what is pushed.
    private static let pushedFactor = 3

    /// How often entries have come: the mean time between the newest ten, and since.
    static func rhythm(_ dates: [Int], now: Int) -> Int? {
        let newest = dates.filter { $0 <= now }.sorted(by: >).prefix(10)
        guard let first = newest.first, let last = newest.last, newest.count > 1 else { return nil }
        return max((first - last) / (newest.count - 1), (now - first) / 2)
    }
}
