import FeedModel
import FeedStore

/// Compacts feeds: a later version becomes the base, and the changes up to it are removed.
extension PostgresWorker {
    /// Writes compactions, each in a transaction of its own.
    func write(_ compactions: [Compaction]) throws(PostgresError) {
        for compaction in compactions {
            let target = compaction.plan.target
            guard heads[target.name]?.id == target.id else { continue }
            defer { heads.end([compaction]) }
            do throws(PostgresError) {
                try write(compaction)
            } catch {
                guard !error.endsConnection else { throw error }
                // The rows that were there stay valid.
                try session.run("ROLLBACK")
                if !error.isConflict { settings.report("the database: \(error)") }
            }
        }
    }

    private func write(_ compaction: Compaction) throws(PostgresError) {
        let plan = compaction.plan
        let locked = try session.run([
            PostgresStatement("BEGIN"),
            PostgresStatement(
                """
                SELECT version, EXISTS (SELECT FROM freshet_log WHERE feed = $1::bigint
                AND version = $2::bigint AND hash = $3::bigint)
                FROM freshet_base WHERE feed = $1::bigint FOR UPDATE
                """,
                [.integer(plan.target.id), .integer(plan.target.version), .bits(plan.target.hash)]
            ),
        ])[1]
        guard let old = locked.first, old.integer(0) == plan.oldVersion, old.flag(1) else {
            try session.run("ROLLBACK")
            // Another server was first, or the database has lost that version meanwhile.
            if !locked.isEmpty { try refreshBase(plan.target.name) }
            return
        }
        var statements: [PostgresStatement] = []
        let lastChunk = plan.chunks.map(\.row).max() ?? 0
        let base = PostgresWorker.replaceBase(by: compaction, after: lastChunk, &statements)
        statements.append(PostgresStatement("COMMIT"))
        try session.run(statements)
        heads[plan.target.name]?.replaceBase(base)
    }

    /// Adds the statements that replace a feed's base, and returns the new base; `lastChunk` is the
    /// highest number of the feed's chunks.
    static func replaceBase(
        by compaction: Compaction,
        after lastChunk: Int,
        _ statements: inout [PostgresStatement]
    ) -> FeedChain.Base {
        let plan = compaction.plan
        var record = compaction.record
        statements += addChunks(of: &record, after: lastChunk, to: plan.target.id)
        statements += [
            PostgresStatement(
                """
                UPDATE freshet_base SET version = $2::bigint, hash = $3::bigint,
                checksum = $4::bigint, data = $5::bytea WHERE feed = $1::bigint
                """,
                record.values(of: plan.target)
            ),
            PostgresStatement(
                "DELETE FROM freshet_chunk WHERE feed = $1::bigint AND number <> ALL($2::bigint[])",
                [.integer(plan.target.id), .integers(record.chunks.map(\.row).filter { $0 > 0 })]
            ),
            PostgresStatement(
                "DELETE FROM freshet_log WHERE feed = $1::bigint AND version <= $2::bigint",
                [.integer(plan.target.id), .integer(plan.target.version)]
            ),
        ]
        return FeedChain.Base(record, version: plan.target.version)
    }

    /// Returns the statements that add the chunks of a base that have no rows yet.
    static func addChunks(
        of record: inout BaseRecord,
        after lastChunk: Int,
        to feed: Int
    ) -> [PostgresStatement] {
        record.takeChunks(after: lastChunk).map { number, bytes in
            let sql = PostgresSchema.addChunk
            return PostgresStatement(sql, [.integer(feed), .integer(number), .blob(bytes)])
        }
    }

    /// Reads the base and the rows of the log again, after another server has replaced the base.
    private func refreshBase(_ feed: FeedName) throws(PostgresError) {
        guard let head = heads[feed] else { return }
        let results = try session.run([
            PostgresStatement(
                "SELECT version, data FROM freshet_base WHERE feed = $1::bigint",
                [.integer(head.id)]
            ),
            PostgresStatement(
                """
                SELECT version, published, hash, length(data)::bigint FROM freshet_log
                WHERE feed = $1::bigint ORDER BY version
                """,
                [.integer(head.id)]
            ),
        ])
        guard let base = results[0].first, let record = try? BaseRecord(base.blob(1)) else {
            return
        }
        let versions = StoredNumber.versions
        let later = try results[1].map { row throws(PostgresError) in
            FeedChain.Row(
                version: try row.integer(0, of: "freshet_log.version", in: versions),
                published: try row.time(1, of: "freshet_log.published"),
                hash: row.bits(2),
                dataByteCount: row.integer(3)
            )
        }
        let version = try base.integer(0, of: "freshet_base.version", in: versions)
        heads[feed]?.refresh(record, version: version, rows: later)
    }
}
