import FeedStore

/// Makes one server of several the leader: the only one that fetches sources and makes derived
/// feeds.
///
/// The leader holds an advisory lock, which ends with its session. PostgreSQL 14 and newer ends the
/// session of a leader that hangs, because a leader that sends no statement for 7 seconds reaches
/// `idle_session_timeout`.
extension PostgresWorker {
    /// Tries to take the leader's lock; called at each poll.
    func lead(_ journal: PostgresJournal) throws(PostgresError) {
        guard !isLeading, journal.wantsToLead else { return }
        // The number is "Frsi" in ASCII. Each schema of tables has its own leader.
        let session = try session
        let rows = try session.run(
            "SELECT pg_try_advisory_lock(1181905769, hashtext(current_schema()::text))"
        )
        guard rows[0].flag(0) else { return }
        if session.serverVersion >= 140_000 {
            // A leader that works polls every second, so its session is never idle for so long.
            try session.run("SELECT set_config('idle_session_timeout', '7s', false)")
        }
        let kept = try session.run(PostgresSchema.sources, [.text("0")])
        isLeading = true
        journal.tell(.began(PostgresWorker.states(kept)))
    }

    /// Ends leading, since the connection and with it the lock is gone.
    func leave(_ journal: PostgresJournal) {
        guard isLeading else { return }
        isLeading = false
        journal.tell(.ended)
    }
}

/// Stores the states of sources, which only the leader writes, and passes notifications to the
/// leader.
extension PostgresWorker {
    /// Returns the states in the result of ``PostgresSchema/sources``, by the names of their feeds.
    static func states(_ rows: PostgresRows) -> SourceStates {
        var states: SourceStates = [:]
        for row in rows { states[row.text(0)] = row.blob(1) }
        return states
    }

    /// Reports states that the leader, another server, has written.
    func tell(ofSources rows: PostgresRows, _ journal: PostgresJournal) {
        if !rows.isEmpty { journal.tell(.kept(PostgresWorker.states(rows))) }
    }

    /// Writes states, if this server is the leader, and returns whether they are durable; only the
    /// error of a lost connection is thrown.
    ///
    /// The leader's lock belongs to the same session, so no other server can be the leader
    /// meanwhile.
    func keep(_ states: SourceStates) throws(PostgresError) -> Bool {
        guard isLeading else { return false }
        guard !states.isEmpty else { return true }
        var statements = [PostgresStatement("BEGIN")]
        for (name, bytes) in states.sorted(by: { $0.key < $1.key }) {
            statements.append(
                bytes.isEmpty
                    ? PostgresStatement(PostgresSchema.forgetSource, [.text(name)])
                    : PostgresStatement(PostgresSchema.keepSource, [.text(name), .blob(bytes)])
            )
        }
        statements += [
            PostgresStatement(PostgresSchema.notify, [.text("\(writer)")]),
            PostgresStatement("COMMIT"),
        ]
        do throws(PostgresError) {
            try session.run(statements)
            return true
        } catch {
            guard !error.endsConnection else { throw error }
            try session.run("ROLLBACK")
            if !error.isConflict { settings.report("the database refused something: \(error)") }
            return false
        }
    }

    /// The prefix of a notification that is meant for the leader.
    private static let toLeader = "leader "

    /// Sends texts to the leader.
    func tellLeader(_ words: [String]) throws(PostgresError) {
        try session.run(
            words.map {
                PostgresStatement(PostgresSchema.notify, [.text(PostgresWorker.toLeader + $0)])
            }
        )
    }

    /// Passes a notification for the leader to `journal`, if this server is the leader; returns
    /// whether it was meant for the leader.
    func hear(_ text: String, _ journal: PostgresJournal) -> Bool {
        guard text.hasPrefix(PostgresWorker.toLeader) else { return false }
        if isLeading {
            journal.tell(.told(String(text.dropFirst(PostgresWorker.toLeader.count))))
        }
        return true
    }
}
