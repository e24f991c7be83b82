/// Corrections after the clock was put back, as on a machine that started with a wrong time.
///
/// Without them, tries would wait until the clock has reached their old times.
extension SourceTable {
    /// The seconds that a clock may be put back without a correction.
    static let clockTolerance = 10

    /// Takes note of the time, and corrects all times if the clock was put back since the last
    /// note.
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
    /// Returns the state for use after a restart, corrected if the clock was put back since.
    ///
    /// - Parameters:
    ///   - now: Seconds since 1970.
    ///   - every: The operator's interval in seconds, if there is one.
    func checked(now: Int, every: Int?) -> SourceState {
        // This is longer than any wait.
        let longest = 4 * max(SourceSchedule.failureCeiling, every ?? 0)
        let difference = max(succeeded - now, nextTry - now - longest)
        guard difference > SourceTable.clockTolerance else { return self }
        var state = self
        state.putBack(by: difference, to: now)
        return state
    }

    /// Makes future times so many seconds earlier, and past times no later than now.
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
