import FeedStore

/// The changes to a source's entry after a try.
extension SourceTable.Entry {
    /// Takes the state of a source after a try, and the outcome; the entry keeps its own
    /// subscription.
    ///
    /// - Parameter isHosts: Whether the source did not fail itself, but its host wants no requests
    ///   for a while.
    mutating func note(
        _ outcome: SourceService.Outcome,
        _ new: SourceState,
        now: Int,
        isHosts: Bool
    ) {
        let (push, before) = (state.push, state.succeeded)
        state = new
        state.push = push
        switch outcome {
        case .success(let publication):
            if publication?.isChanged == true { state.push?.miss(since: before, now: now) }
            (state.error, state.reason) = (nil, nil)
            state.failureCount = 0
            state.pauseCount = nil
            state.succeeded = now
        case .failure(let failure):
            (state.error, state.reason) = (failure.description, failure.reason.rawValue)
            state.failureCount += 1
            if isHosts { state.pauseCount = (state.pauseCount ?? 0) + 1 }
        }
    }

    /// Returns the time of the next try by the schedule; `nil`: not before a refresh is asked for.
    func nextTry(after outcome: SourceService.Outcome, now: Int, random: Double) -> Int? {
        var isGone = false
        if case .failure(.status(410, _)) = outcome { isGone = true }
        return SourceSchedule.next(
            state,
            every: settings.every.map { max(1, Int($0.components.seconds)) },
            now: now,
            random: random,
            isGone: isGone
        )
    }
}
