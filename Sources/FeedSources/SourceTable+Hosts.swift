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
