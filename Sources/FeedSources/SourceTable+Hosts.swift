/// Hosts that sources redirect to.
extension SourceTable {
    /// Moves a fetch to the host that it was redirected to, and releases the host before.
    ///
    /// - Parameter turn: If the host is busy, this is among ``takeTurns()`` when the host is free.
    /// - Returns: Whether the fetch has the host now.
    mutating func move(
        _ task: inout Task,
        to host: String,
        or turn: @escaping @Sendable (Task) -> Void
    ) -> Bool {
        if host == task.host { return true }
        leave(task.host)
        if !task.host.isEmpty { hosts.answered(task.host, rest: task.rest, now: latest) }
        task.rest = 0
        task.host = host
        return hosts.begin(host) { [task] in turn(task) }
    }

    /// Releases a host.
    mutating func leave(_ host: String) {
        // Files have no host.
        guard !host.isEmpty else { return }
        if let turn = hosts.end(host) {
            turns.append(turn)
        } else {
            dues.freeHosts.insert(host)
        }
    }

    /// Records what the outcome of a try says about the host where it ended.
    ///
    /// - Returns: Whether the host refuses all requests for a while, and not only those for the
    ///   source.
    mutating func note(
        _ outcome: SourceService.Outcome,
        of task: Task,
        now: Int
    ) -> Bool {
        guard !task.host.isEmpty else { return false }
        switch outcome {
        case .failure(.paused(_, let seconds)):
            // A request that was redirected to a paused host was not sent.
            if hosts.pause(of: task.host) > now { return true }
            return hosts.refused(task.host, for: seconds, now: now)
        case .failure(.transport): break
        case .success, .failure: hosts.answered(task.host, rest: task.rest, now: now)
        }
        return false
    }

    /// Returns the end of the pauses that keep a source from being asked.
    func pause(of entry: Entry) -> Int {
        let end = max(entry.state.pausedUntil, hosts.pause(of: entry.host))
        return max(end, entry.finalHost.map { hosts.pause(of: $0) } ?? 0)
    }

    /// Returns the waiting requests whose hosts are free now, and removes them; each is to be
    /// called once.
    mutating func takeTurns() -> [HostQueue.Turn] {
        let taken = turns
        turns = []
        return taken
    }

    /// Returns the end of the pause that a host has asked for; `nil`: it may be asked now.
    func pause(of host: String, now: Int) -> Int? {
        let end = hosts.pause(of: host)
        return end > now ? end : nil
    }
}
