/// Computes when a source is tried next; the time and chance are parameters.
enum SourceSchedule {
    /// The bounds of the wait, in seconds, that follows from how often the source has new entries;
    /// they do not apply to an operator's `every`.
    static let floor = 15 * 60
    static let ceiling = 4 * 3600
    /// The longest pause that a publisher may ask for, in seconds.
    static let askedCeiling = 5 * 3600
    /// The longest pause after failures, in seconds: only a source that is gone for good is given
    /// up.
    static let failureCeiling = 24 * 3600
    /// The pauses after `503` and `429` that name none, and the longest pause that is kept, in
    /// seconds; a host's refusals in a row double its pause.
    static let pause = 600
    static let refusalPause = 60
    static let pauseCeiling = 24 * 3600
    /// The seconds for which a `410` must be repeated until it is believed.
    static let goneTime = 3 * 86_400

    /// Returns the time of a source's next try; all times are in seconds since 1970.
    ///
    /// - Parameters:
    ///   - state: The source's state after its last try.
    ///   - every: The operator's interval in seconds, if there is one.
    ///   - random: A random number from 0 to 1.
    ///   - isGone: Whether the last try was answered `410`.
    /// - Returns: The time of the next try; `nil`: not before a refresh is asked for.
    static func next(
        _ state: SourceState,
        every: Int?,
        now: Int,
        random: Double,
        isGone: Bool = false
    ) -> Int? {
        // A source with pushes is still polled, but less often: a hub may forget, or be gone.
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

    /// Returns the wait, in seconds, from the time between new entries and the time that the
    /// publisher asks to wait.
    private static func adaptive(_ state: SourceState) -> Int {
        let rhythm = state.rhythm.map { min(max($0 / 4, floor), ceiling) } ?? 2 * floor
        let asked = max(state.interval ?? 0, state.asked ?? 0)
        return max(rhythm, min(asked, askedCeiling))
    }

    /// The factor by which polls are rarer while changes are pushed.
    private static let pushedFactor = 3

    /// Estimates the seconds between new entries: the mean among the newest ten, or half the time
    /// since the newest, if that is longer; `nil` for fewer than two past dates.
    static func rhythm(_ dates: [Int], now: Int) -> Int? {
        let newest = dates.filter { $0 <= now }.sorted(by: >).prefix(10)
        guard let first = newest.first, let last = newest.last, newest.count > 1 else { return nil }
        return max((first - last) / (newest.count - 1), (now - first) / 2)
    }
}
