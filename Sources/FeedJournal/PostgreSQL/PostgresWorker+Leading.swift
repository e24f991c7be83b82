/// Leading: being the one server that fetches sources and makes derived feeds.
///
/// The leader holds an advisory lock of its session, which ends with the connection. A server that
/// stands still asks nothing, so PostgreSQL ends its session (14 and newer).
extension PostgresWorker {
    /// Takes the lock, if no server has it; each poll tries.
    func lead(_ journal: PostgresJournal) throws(PostgresError) {
        guard !isLeading, journal.wantsToLead, let connection else { return }
        // The number is "Frsi"; servers with tables in another schema have a leader of their own.
        let rows = try connection.run(
            "SELECT pg_try_advisory_lock(1181905769, hashtext(current_schema()::text))"
        )
        guard rows.count > 0, rows.flag(0, 0) else { return }
        if connection.serverVersion >= 140_000 {
            // Polls come every second.
            try connection.run("SELECT set_config('idle_session_timeout', '7s', false)")
        }
        isLeading = true
        journal.tell(isLeading: true)
    }

    /// Notes that the connection, and the lock with it, is gone.
    func leave(_ journal: PostgresJournal) {
        guard isLeading else { return }
        isLeading = false
        journal.tell(isLeading: false)
    }
}
