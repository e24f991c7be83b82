/// Hosts that sources redirect to.
extension SourceTable {
    /// Lets a fetch go on at the host that it was redirected to, and gives back the one before.
    ///
    /// - Parameter turn: Is among ``takeTurns()`` when the host is free, if it is busy.
    /// - Returns: Whether it has the host.
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

    /// Gives a host back.
    mutating func leave(_ host: String) {
        // Files are of no host.
        guard !host.isEmpty else { return }
        if let turn = hosts.end(host) {
            turns.append(turn)
        } else {
            dues.freeHosts.insert(host)
        }
    }

    /// Takes note of what a try says about the host where it ended.
    ///
    /// - Returns: Whether the host refuses all requests for a while, and not the source.
    mutating func note(
        _ outcome: SourceService.Outcome,
        of task: Task,
        now: Int
    ) -> Bool {
        guard !task.host.isEmpty else { return false }
        switch outcome {
        case .failure(.paused(_, let seconds)):
            // What was redirected to a host that is paused was not sent.
            if hosts.pause(of: task.host) > now { return true }
            return hosts.refused(task.host, for: seconds, now: now)
        case .failure(.transport): break
        case .success, .failure: hosts.answered(task.host, rest: task.rest, now: now)
        }
        return false
    }

    /// The end of the pauses that keep a source from being asked.
    func pause(of entry: Entry) -> Int {
        let end = max(entry.state.pausedUntil, hosts.pause(of: entry.host))
        return max(end, entry.finalHost.map { hosts.pause(of: $0) } ?? 0)
    }

    /// What waited for hosts that it has now; each is to be called once.
    mutating func takeTurns() -> [HostQueue.Turn] {
        let taken = turns
        turns = []
        return taken
    }

    /// When a host that was redirected to may be asked, as it said itself; `nil`: now.
    func pause(of host: String, now: Int) -> Int? {
        let end = hosts.pause(of: host)
        return end > now ? end : nil
    }
}
