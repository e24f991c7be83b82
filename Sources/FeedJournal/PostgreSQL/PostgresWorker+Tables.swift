/// Makes the tables, and upgrades tables of an earlier format.
extension PostgresWorker {
    /// Creates or upgrades the tables to the format of this server.
    ///
    /// - Throws: An error when the tables have a newer format; nothing is changed then.
    func prepareTables() throws(PostgresError) {
        var format = try format()
        let isIncomplete = try format == PostgresSchema.format ? lacksAdditions() : false
        if format < PostgresSchema.format || isIncomplete {
            try upgrade()
            format = try self.format()
        }
        guard format == PostgresSchema.format else {
            throw PostgresError(
                state: "0A000",
                message: "a newer server made its tables: nothing was changed"
            )
        }
    }

    /// Returns the format of the tables; 0: there are no tables.
    ///
    /// In a transaction, `to_regclass` alone may use the session's outdated catalog cache, and miss
    /// tables that another server has just made. The query of `pg_class` refreshes the cache first.
    private func format() throws(PostgresError) -> Int {
        let known = try session.run(
            """
            SELECT EXISTS (SELECT FROM pg_catalog.pg_class
            WHERE oid = to_regclass('freshet_note'))
            """
        )
        guard known[0].flag(0) else { return 0 }
        let format = try note("format").flatMap(Int.init) ?? .max
        guard format >= 0 else { throw .damaged("freshet_note.value of format is \(format)") }
        return format
    }

    private func lacksAdditions() throws(PostgresError) -> Bool {
        try session.run("SELECT to_regclass('freshet_source') IS NULL")[0].flag(0)
    }

    /// Runs the missing steps in one transaction.
    private func upgrade() throws(PostgresError) {
        try session.run("BEGIN")
        let old: Int
        do throws(PostgresError) {
            // The number is "Frsh". One server at a time upgrades; the next one sees its changes.
            try session.run("SELECT pg_advisory_xact_lock(1181905768)")
            old = try format()
            // The statements are sent one by one: each needs the tables of the ones before.
            for sql in PostgresSchema.steps.dropFirst(old).joined() { try session.run(sql) }
            if old <= PostgresSchema.format, try lacksAdditions() {
                for sql in PostgresSchema.additions { try session.run(sql) }
            }
            if old < PostgresSchema.format {
                try session.run([PostgresWorker.setNote("format", "\(PostgresSchema.format)")])
            }
            try session.run("COMMIT")
        } catch {
            if !error.isLost { try session.run("ROLLBACK") }
            // After a lost connection, the upgrade is tried again.
            throw error.isConflict ? .lost(error.description) : error
        }
        guard old > 0, old < PostgresSchema.format else { return }
        settings.report(
            "the database's tables were brought from format \(old) to \(PostgresSchema.format): "
                + "older servers no longer connect"
        )
    }
}
