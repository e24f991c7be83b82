import FeedStore

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
        let kept = try connection.run(PostgresSchema.sources, .text("0"))
        isLeading = true
        journal.tell(.began(PostgresWorker.states(kept)))
    }

    /// Notes that the connection, and the lock with it, is gone.
    func leave(_ journal: PostgresJournal) {
        guard isLeading else { return }
        isLeading = false
        journal.tell(.ended)
    }
}

/// The states of sources, which the leader keeps.
extension PostgresWorker {
    /// Returns the states in rows of ``PostgresSchema/sources``.
    static func states(_ rows: PostgresRows) -> SourceStates {
        var states: SourceStates = [:]
        for row in 0..<rows.count { states[rows.text(row, 0)] = rows.bytes(row, 1) }
        return states
    }

    /// Tells of states that the leader has kept.
    func tell(ofSources rows: PostgresRows, _ journal: PostgresJournal) {
        if rows.count > 0 { journal.tell(.kept(PostgresWorker.states(rows))) }
    }

    /// Keeps states. The lock of the leader is held by the same session, so that no other server
    /// can lead meanwhile.
    ///
    /// - Returns: Whether they are kept, which they are not unless this server leads.
    /// - Throws: The error of a lost connection.
    func keep(_ states: SourceStates) throws(PostgresError) -> Bool {
        guard isLeading, let connection else { return false }
        guard !states.isEmpty else { return true }
        var statements = [PostgresStatement("BEGIN")]
        for (name, bytes) in states.sorted(by: { $0.key < $1.key }) {
            statements.append(
                bytes.isEmpty
                    ? PostgresStatement(PostgresSchema.forgetSource, .text(name))
                    : PostgresStatement(PostgresSchema.keepSource, .text(name), .blob(bytes))
            )
        }
        statements += [
            PostgresStatement(PostgresSchema.notify, .text("\(writer)")),
            PostgresStatement("COMMIT"),
        ]
        do throws(PostgresError) {
            _ = try connection.run(statements)
            return true
        } catch {
            guard !error.isLost, !error.endsConnection else { throw error }
            try connection.run("ROLLBACK")
            if !error.isConflict { settings.report("the database refused something: \(error)") }
            return false
        }
    }

    /// The start of a notification that is meant for the leader.
    private static let toLeader = "leader "

    /// Sends words to the leader.
    func tellLeader(_ words: [String]) throws(PostgresError) {
        guard let connection else { return }
        _ = try connection.run(
            words.map {
                PostgresStatement(PostgresSchema.notify, .text(PostgresWorker.toLeader + $0))
            }
        )
    }

    /// Hands over a notification that is meant for the leader.
    ///
    /// - Returns: Whether it is one.
    func hear(_ text: String, _ journal: PostgresJournal) -> Bool {
        guard text.hasPrefix(PostgresWorker.toLeader) else { return false }
        if isLeading {
            journal.tell(.told(String(text.dropFirst(PostgresWorker.toLeader.count))))
        }
        return true
    }
}
