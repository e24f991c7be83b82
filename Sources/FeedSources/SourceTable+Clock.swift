/// A clock that is put back, as that of a machine which started with a wrong time.
///
/// What was to come would otherwise wait until the clock is there again.
extension SourceTable {
    /// Clocks are put back by so many seconds without that anything is done about it.
    static let clockTolerance = 10

    /// Takes note of the time, and of a clock that was put back since it last did.
    mutating func note(now: Int) {
        let difference = latest - now
        latest = now
        guard difference > SourceTable.clockTolerance else { return }
        for (feed, old) in entries {
            var entry = old
            entry.state.putBack(by: difference, to: now)
            entry.next = entry.next.map { $0 - difference }
            entry.pushFetched = min(entry.pushFetched, now)
            entries[feed] = entry
        }
        hosts.putBack(by: difference)
        forgetWhenKept()
        dues.isStale = true
    }
}

extension SourceState {
    /// The state as it is to be taken over after a restart: the clock may have been put back since.
    ///
    /// - Parameters:
    ///   - now: Seconds since 1970.
    ///   - every: What the operator says, in seconds.
    func checked(now: Int, every: Int?) -> SourceState {
        // Longer than anything waits.
        let longest = 4 * max(SourceSchedule.failureCeiling, every ?? 0)
        let difference = max(succeeded - now, nextTry - now - longest)
        guard difference > SourceTable.clockTolerance else { return self }
        var state = self
        state.putBack(by: difference, to: now)
        return state
    }

    /// Has what is to come be so many seconds earlier, and what was not be later than now.
    fileprivate mutating func putBack(by seconds: Int, to now: Int) {
        nextTry = max(0, nextTry - seconds)
        pausedUntil = max(0, pausedUntil - seconds)
        validatorsSince = min(validatorsSince, now)
        movedSince = min(movedSince, now)
        goneSince = min(goneSince, now)
        succeeded = min(succeeded, now)
        changed = min(changed, now)
        newest = min(newest, now)
        push?.putBack(by: seconds, to: now)
    }
}
