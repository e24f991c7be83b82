import Dispatch
import FeedModel
import FeedStore
import Platform
import Synchronization

/// Connects, and checks whether the database is still the one of the last connection.
extension PostgresWorker {
    /// Connects, and tries again for `settings.patience` while the database cannot be reached.
    private func connectPatiently() throws(JournalError) {
        let end = ContinuousClock.now + settings.patience
        var pause = Duration.milliseconds(100)
        let report = settings.report
        // The first attempt may take seconds to fail; the operator is told earlier.
        let silence = DispatchWorkItem { report("the database has not answered yet") }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(900), execute: silence)
        defer { silence.cancel() }
        var isReported = false
        while true {
            do throws(PostgresError) {
                return try connect()
            } catch {
                connection = nil
                guard error.isLost, ContinuousClock.now + pause < end else {
                    throw JournalError("the database: \(error)")
                }
                silence.cancel()
                if !isReported { report("the database cannot be reached yet: \(error)") }
                isReported = true
                Descriptor.wait(for: [], atMost: pause)
                pause = min(pause * 2, .seconds(1))
            }
        }
    }

    /// Connects, and reads all feeds, which `body` takes, and returns the answers and other records
    /// beside them.
    func recover(_ body: (RecoveredFeed) -> Void) throws(JournalError) -> RecoveredState {
        try connectPatiently()
        do throws(PostgresError) {
            if settings.adopts { try adopt() }
            let rows = try session.run(PostgresSchema.allHeads)
            if let first = rows.first { horizon = first.text(0) }
            var names: [FeedName] = []
            for row in rows {
                if let newest = try newest(row), newest.id != 0 { names.append(newest.name) }
            }
            for start in stride(from: 0, to: names.count, by: PostgresWorker.loadCount) {
                let end = min(names.count, start + PostgresWorker.loadCount)
                for feed in try load(Array(names[start..<end])) { body(feed) }
            }
            return try recoverState()
        } catch {
            throw JournalError("the database: \(error)")
        }
    }

    private func recoverState() throws(PostgresError) -> RecoveredState {
        var state = RecoveredState()
        state.latestDeleted = [try latestDeleted(), try adopted()].compactMap(\.self).max()
        state.sources = PostgresWorker.states(
            try session.run(PostgresSchema.sources, [.text("0")])
        )
        let rows = try session.run(PostgresSchema.answers, [.real(JournalAnswer.lifetime)])
        for row in rows { state.answers.append(try answer(row)) }
        return state
    }

    /// Reads an answer from a row that begins with its age in seconds.
    func answer(_ row: PostgresRow) throws(PostgresError) -> JournalAnswer {
        let age = try row.age(0, of: "freshet_answer.time")
        return row.answer(from: 1, at: settings.wall() - age)
    }

    /// Returns the latest publish time of all deleted feeds, in seconds since 1970; `nil`: no feed
    /// was deleted.
    func latestDeleted() throws(PostgresError) -> Double? {
        try time("deleted")
    }

    /// Returns the time at which all feeds last got new epochs, in seconds since 1970; `nil`: they
    /// never did.
    ///
    /// The database may have lost earlier versions that readers saw.
    func adopted() throws(PostgresError) -> Double? {
        try time("adopted")
    }

    /// Returns the time stored under a name in `freshet_note`; `nil`: there is none.
    private func time(_ name: String) throws(PostgresError) -> Double? {
        guard let text = try note(name) else { return nil }
        guard let time = Double(text), StoredNumber.times.contains(time) else {
            throw .damaged("freshet_note.value of \(name) is no time")
        }
        return time
    }

    /// Returns the text stored under a name in `freshet_note`; `nil`: there is none.
    func note(_ name: String) throws(PostgresError) -> String? {
        let rows = try session.run(
            "SELECT value FROM freshet_note WHERE name = $1::text",
            [.text(name)]
        )
        return rows.first?.text(0)
    }

    /// Opens the connection, prepares the session and the tables, and checks the database.
    ///
    /// Commits of the session are durable, unless the database does not sync: that is reported.
    func connect() throws(PostgresError) {
        let connection = try PostgresConnection(settings.address, silence: settings.silence)
        guard connection.serverVersion >= 130_000 else {
            throw PostgresError(state: "0A000", message: "PostgreSQL 13 or newer is needed")
        }
        place.withLock { $0 = connection.place }
        try checkSession(connection)
        // The keepalives let the database notice soon that this machine is gone. Until then, the
        // rows that its transaction has locked block all other servers.
        let setup = try connection.run(
            """
            SELECT pg_is_in_recovery(), current_setting('fsync') = 'on',
            current_setting('synchronous_commit') IN ('on', 'remote_apply'),
            set_config('lock_timeout', '4s', false),
            set_config('idle_in_transaction_session_timeout', '10s', false),
            set_config('client_encoding', 'UTF8', false),
            set_config('tcp_keepalives_idle', '5', false),
            set_config('tcp_keepalives_interval', '2', false),
            set_config('tcp_keepalives_count', '3', false)
            """
        )
        guard !setup[0].flag(0) else { throw .lost("this is a standby, which takes no publishes") }
        if !setup[0].flag(1) {
            settings.report(
                "the database does not sync (fsync is off): a power cut can lose publishes"
            )
        }
        if !setup[0].flag(2) {
            try connection.run("SELECT set_config('synchronous_commit', 'on', false)")
        }
        try connection.run("LISTEN \(PostgresSchema.channel)")
        self.connection = connection
        try prepareTables()
        // All connected servers hold this lock, shared.
        try connection.run("SELECT pg_advisory_lock_shared(\(PostgresWorker.presence))")
        try checkPlace(connection)
    }

    /// Refuses a pooler that changes the session between transactions, such as PgBouncer with
    /// `pool_mode = transaction`.
    ///
    /// Locks, prepared statements and notifications belong to a session.
    private func checkSession(_ connection: PostgresConnection) throws(PostgresError) {
        func process(of connection: PostgresConnection) throws(PostgresError) -> Int {
            try connection.run("SELECT pg_backend_pid()")[0].integer(0)
        }
        var isSameSession: Bool
        do throws(PostgresError) {
            let first = try process(of: connection)
            guard first != connection.processID else { return }
            // There is a pooler. One that pools transactions gives the session, which is free now,
            // to the next connection that begins a transaction.
            let other = try PostgresConnection(settings.address, silence: settings.silence)
            try other.run("BEGIN")
            let (second, again) = (try process(of: other), try process(of: connection))
            isSameSession = second != first && again == first
        } catch {
            // These states mean that a prepared statement exists already, or does not exist: the
            // session has changed.
            guard error.state == "42P05" || error.state == "26000" else { throw error }
            isSameSession = false
        }
        guard isSameSession else {
            throw PostgresError(
                state: "0A000",
                message: "a pooler such as PgBouncer serves each transaction by another session: "
                    + "give it pool_mode = session, or name the database itself"
            )
        }
    }

    /// The key of the advisory lock that every connected server holds: "Frsj" in ASCII, and the
    /// hash of its tables' schema.
    private static let presence = "1181905770, hashtext(current_schema()::text)"

    /// Gives every feed a new epoch; fails if another server is connected, which has the feeds in
    /// memory.
    private func adopt() throws(PostgresError) {
        let rows = try session.run(
            "SELECT pg_try_advisory_lock(\(PostgresWorker.presence))"
        )
        guard rows[0].flag(0) else {
            throw PostgresError(
                state: "55006",
                message: "another server is connected to it: stop all servers before --adopt"
            )
        }
        try drawEpochs()
        try session.run("SELECT pg_advisory_unlock(\(PostgresWorker.presence))")
    }

    /// The query for the identity of the database's write-ahead log: `SYSTEM/TIMELINE`.
    ///
    /// Another database has another system identifier. The timeline changes when a standby is
    /// promoted or a backup is put back.
    private static let timeline = """
        SELECT (SELECT system_identifier::text FROM pg_control_system()) || '/'
        || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)
        """

    /// Gives every feed a new epoch if the database may lack versions that readers saw.
    ///
    /// It may lack some if its ``timeline`` differs from that of the last connection, unless it was
    /// a standby for which all commits waited.
    private func checkPlace(_ connection: PostgresConnection) throws(PostgresError) {
        let place = try connection.run(PostgresWorker.timeline)[0].text(0)
        try connection.run("BEGIN")
        do throws(PostgresError) {
            let rows = try connection.run(
                "SELECT name, value FROM freshet_note WHERE name IN ('place', 'synchronous') "
                    + "ORDER BY name FOR UPDATE"
            )
            var known: [String: String] = [:]
            for row in rows { known[row.text(0)] = row.text(1) }
            notedSynchronous = known["synchronous"].map { $0 == "yes" }
            if let last = known["place"], last != place {
                let isSame = last.split(separator: "/").first == place.split(separator: "/").first
                // The note in the database is not enough: it may be outdated on a standby that was
                // cut off. So this server must have seen it, too.
                if !isSame || notedSynchronous != true || sawSynchronous != true {
                    settings.report(
                        "the database is another one than before, and may lack versions that "
                            + "readers saw: every feed gets a new epoch"
                    )
                    try drawEpochs()
                }
            }
            if known["place"] != place {
                for sql in PostgresSchema.recount { try connection.run(sql) }
                try connection.run([PostgresWorker.setNote("place", place)])
            }
            // The transaction wrote at least row locks, so its commit waits for the disk and for a
            // standby. All earlier commits are then durable: `resolve` relies on that.
            try connection.run("COMMIT")
        } catch {
            if !error.isLost { try connection.run("ROLLBACK") }
            throw error
        }
        let names = try connection.run("SELECT current_setting('\(PostgresSchema.synchronous)')")
        try note(isSynchronous: !names[0].blob(0).isEmpty)
    }

    /// Returns the statement that stores a text under a name in `freshet_note`.
    static func setNote(_ name: String, _ value: String) -> PostgresStatement {
        PostgresStatement(
            """
            INSERT INTO freshet_note VALUES($1::text, $2::text)
            ON CONFLICT (name) DO UPDATE SET value = excluded.value
            """,
            [.text(name), .text(value)]
        )
    }

    /// Records in the database whether commits wait for a standby.
    func note(isSynchronous: Bool) throws(PostgresError) {
        sawSynchronous = isSynchronous
        guard isSynchronous != notedSynchronous else { return }
        let value = isSynchronous ? "yes" : "no"
        try session.run([PostgresWorker.setNote("synchronous", value)])
        notedSynchronous = isSynchronous
    }

    /// Gives every feed a new epoch, and notes the time.
    private func drawEpochs() throws(PostgresError) {
        let rows = try session.run("SELECT name FROM freshet_feed WHERE id <> 0")
        let names = rows.map { $0.text(0) }
        try session.run(
            """
            UPDATE freshet_feed SET epoch = new.epoch, change = pg_current_xact_id(), writer = 0
            FROM unnest($1::text[], $2::text[]) AS new(name, epoch)
            WHERE freshet_feed.name = new.name
            """,
            [.texts(names), .texts(names.map { _ in Token.randomEpoch() })]
        )
        try session.run([PostgresWorker.setNote("adopted", "\(settings.wall())")])
    }
}
