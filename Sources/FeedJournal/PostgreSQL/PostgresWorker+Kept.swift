import FeedModel
import FeedStore

/// Stores and finds the older versions that feeds can be taken back to.
extension PostgresWorker {
    /// Returns the statements that keep the version which an entry supersedes, and that remove
    /// versions which are too old or too many.
    ///
    /// If the entry keeps no older versions, the statements remove all of them.
    ///
    /// - Parameters:
    ///   - entry: The entry; its own statement runs before these.
    ///   - head: The feed's chain before the entry.
    ///   - version: The version that the entry makes.
    ///   - hash: The check of that version: nothing is kept if the version was not written.
    func keeping(
        _ entry: JournalEntry,
        _ head: FeedChain,
        _ version: Int,
        hash: UInt64
    ) -> [PostgresStatement] {
        guard let keeping = entry.keeping else {
            guard head.hasKept else { return [] }
            let sql = "DELETE FROM freshet_kept WHERE feed = $1::bigint"
            return [PostgresStatement(sql, [.integer(head.id)])]
        }
        let row = PostgresWorker.row(keeping.previous, of: head.id)
        let newest: [StatementValue] = [
            .text(entry.feed.rawValue), .integer(version), .bits(hash),
        ]
        let limit = StatementValue.integer(keeping.retention.limit - 1)
        let statements = [
            PostgresStatement(PostgresSchema.keep, row + newest),
            PostgresStatement(PostgresSchema.limitKept, [.integer(head.id), limit]),
        ]
        guard case .age(let age) = keeping.retention else { return statements }
        let time = keeping.previous.superseded
        let values: [StatementValue] = [.integer(head.id), .real(time - age), .real(time)]
        return statements + [PostgresStatement(PostgresSchema.ageKept, values)]
    }

    private static func row(_ version: KeptVersion, of feed: Int) -> [StatementValue] {
        [
            .integer(feed), .integer(version.version), .real(version.superseded),
            .blob(version.notes), .bits(version.checksum),
            .text(version.isWhole ? "true" : "false"), .blob(version.content),
        ]
    }

    /// Answers requests about kept versions.
    func answer(
        _ requests: [JournalInbox.KeptRequest],
        _ journal: PostgresJournal
    ) throws(PostgresError) {
        for (place, request) in requests.enumerated() {
            do throws(PostgresError) {
                switch request {
                case .find(let query, let feed, let epoch, let completion):
                    let found = try find(query, of: feed, epoch: epoch)
                    journal.afterwards { completion(.success(found)) }
                case .forget(let order, let completion):
                    let outcome = try forget(order, journal)
                    journal.afterwards { completion(outcome) }
                }
            } catch {
                let rest = error.endsConnection ? requests[place...] : requests[place...place]
                journal.refuse(Array(rest), "the database: \(error)")
                if error.endsConnection { throw error }
            }
        }
    }

    private func find(
        _ query: KeptQuery,
        of feed: FeedName,
        epoch: String
    ) throws(PostgresError) -> [KeptVersion] {
        guard let head = heads[feed], head.newest.epoch == epoch else { return [] }
        let rows: PostgresRows
        var hasContent = false
        switch query {
        case .list(let end, let limit):
            rows = try session.run(
                PostgresSchema.listKept,
                [.integer(head.id), .integer(end), .integer(limit)]
            )
        case .content(let version, let end):
            hasContent = true
            rows = try session.run(
                PostgresSchema.keptContent,
                [.integer(head.id), .integer(version), .integer(end)]
            )
        }
        return try rows.map { row throws(PostgresError) in
            try row.keptVersion(of: feed, hasContent: hasContent)
        }
    }
}

/// Forgets one version.
extension PostgresWorker {
    /// Removes a version from the database, and has other servers forget it.
    ///
    /// If the base or the log has the version, the newest version becomes the base.
    private func forget(
        _ order: ForgetOrder,
        _ journal: PostgresJournal
    ) throws(PostgresError) -> JournalOutcome {
        try catchUp([order.feed], journal)
        guard let head = heads[order.feed], head.newest.epoch == order.epoch,
            order.version < head.version
        else { return .late }
        let outcome: JournalOutcome
        do throws(PostgresError) {
            outcome = try forget(order, head)
        } catch {
            guard !error.endsConnection else { throw error }
            try session.run("ROLLBACK")
            return error.isConflict ? .late : .refused("the database: \(error)")
        }
        if case .durable = outcome {
            heads[order.feed]?.forget(order.version)
        } else {
            try session.run("ROLLBACK")
        }
        return outcome
    }

    private func forget(
        _ order: ForgetOrder,
        _ head: FeedChain
    ) throws(PostgresError) -> JournalOutcome {
        let feed = StatementValue.integer(head.id)
        let results = try session.run([
            PostgresStatement("BEGIN"),
            PostgresStatement(
                PostgresSchema.lockNewest,
                [.text(order.feed.rawValue), feed, .text(head.newest.epoch)]
            ),
            PostgresStatement(PostgresSchema.lockBase, [feed]),
            PostgresStatement(PostgresSchema.lastChunk, [feed]),
            PostgresStatement(PostgresSchema.lastKept, [feed, .integer(order.version)]),
        ])
        guard let newest = results[1].first, newest.integer(0) == head.version,
            newest.bits(1) == head.newest.hash, let base = results[2].first
        else { return .late }
        let found = try results[4].map { row throws(PostgresError) in
            try row.keptVersion(of: order.feed, hasContent: false)
        }
        guard let change = order.change(of: found) else { return .late }
        var statements = statements(forgetting: order, change, of: head)
        var replaced: FeedChain.Base?
        if order.version >= base.integer(0) {
            var plan = head.compactionToNewest()
            // Another server may have replaced the chunks.
            plan.chunks = []
            let compaction = Compaction(plan)
            let lastChunk = results[3][0].integer(0)
            replaced = PostgresWorker.replaceBase(by: compaction, after: lastChunk, &statements)
        }
        statements.append(PostgresStatement("COMMIT"))
        try session.run(statements)
        if let replaced { heads[order.feed]?.replaceBase(replaced) }
        return .durable
    }

    /// Returns the statements that remove a version, and note that for other servers.
    private func statements(
        forgetting order: ForgetOrder,
        _ change: (isKept: Bool, replacement: KeptVersion?),
        of head: FeedChain
    ) -> [PostgresStatement] {
        let feed = StatementValue.integer(head.id)
        let version = StatementValue.integer(order.version)
        var statements: [PostgresStatement] = []
        if change.isKept {
            let sql = "DELETE FROM freshet_kept WHERE feed = $1::bigint AND version = $2::bigint"
            statements.append(PostgresStatement(sql, [feed, version]))
        }
        if let replacement = change.replacement {
            let parameters =
                PostgresWorker.row(replacement, of: head.id)
                + [.text(order.feed.rawValue), .integer(head.version), .bits(head.newest.hash)]
            statements.append(PostgresStatement(PostgresSchema.keep, parameters))
        }
        statements.append(
            PostgresStatement(PostgresSchema.noteForgotten, [feed, version, .integer(writer)])
        )
        statements.append(PostgresStatement(PostgresSchema.notify, [.text("\(writer)")]))
        return statements
    }

    /// Adds a change for each version that other servers have forgotten.
    ///
    /// - Parameters:
    ///   - rows: The rows of ``PostgresSchema/forgotten``.
    ///   - remote: Gets the changes for the store.
    func noteForgotten(_ rows: PostgresRows, _ remote: inout [RemoteChange]) {
        for row in rows {
            guard let feed = FeedName(row.text(0)), heads[feed]?.id == row.integer(1)
            else { continue }
            let version = row.integer(3)
            heads[feed]?.forget(version)
            remote.append(.forgotten(Token(epoch: row.text(2), version: version), of: feed))
        }
    }
}

/// Statements on the older versions that feeds can be taken back to.
extension PostgresSchema {
    /// Locks a feed, and finds its newest version: $1 name, $2 incarnation, $3 epoch.
    static let lockNewest = """
        SELECT version, hash FROM freshet_feed WHERE name = $1::text AND id = $2::bigint
        AND epoch = $3::text FOR UPDATE
        """

    /// Locks a feed's base: $1 incarnation.
    static let lockBase = "SELECT version FROM freshet_base WHERE feed = $1::bigint FOR UPDATE"

    /// Finds the highest number of a feed's chunks: $1 incarnation.
    static let lastChunk =
        "SELECT coalesce(max(number), 0) FROM freshet_chunk WHERE feed = $1::bigint"

    /// Finds the kept version with a number and the one before it: $1 incarnation, $2 number.
    static let lastKept = """
        SELECT version, superseded, notes, checksum FROM freshet_kept
        WHERE feed = $1::bigint AND version <= $2::bigint ORDER BY version DESC LIMIT 2
        """

    /// Writes a kept version: $1 incarnation, $2 version, $3 the time it was superseded, $4 notes,
    /// $5 checksum, $6 whether the content is the whole version, $7 content.
    ///
    /// The statement has an effect only if $8 name, $9 version, $10 hash is the feed's newest
    /// version.
    static let keep = """
        INSERT INTO freshet_kept SELECT $1::bigint, $2::bigint, $3::double precision, $4::bytea,
        $5::bigint, $6::boolean, $7::bytea FROM freshet_feed
        WHERE name = $8::text AND id = $1::bigint AND version = $9::bigint AND hash = $10::bigint
        ON CONFLICT (feed, version) DO UPDATE SET superseded = excluded.superseded,
        notes = excluded.notes, checksum = excluded.checksum, whole = excluded.whole,
        data = excluded.data
        """

    /// Removes the oldest kept versions beyond a number: $1 incarnation, $2 the number less one.
    static let limitKept = """
        DELETE FROM freshet_kept WHERE feed = $1::bigint AND version <
        (SELECT version FROM freshet_kept WHERE feed = $1::bigint
        ORDER BY version DESC OFFSET $2::bigint LIMIT 1)
        """

    /// Removes the kept versions before the first one that is young enough: $1 incarnation, $2 and
    /// $3 the times in seconds since 1970 between which a version must have been superseded.
    ///
    /// A time after that of the newest version is from a clock that was put back.
    static let ageKept = """
        DELETE FROM freshet_kept WHERE feed = $1::bigint AND version <
        (SELECT version FROM freshet_kept WHERE feed = $1::bigint
        AND superseded BETWEEN $2::double precision AND $3::double precision
        ORDER BY version LIMIT 1)
        """

    /// Lists kept versions without their content: $1 incarnation, $2 the version before which the
    /// list begins, $3 the most versions.
    static let listKept = """
        SELECT version, superseded, notes, checksum FROM freshet_kept
        WHERE feed = $1::bigint AND version < $2::bigint ORDER BY version DESC LIMIT $3::bigint
        """

    /// Finds kept versions with their content, up to the first whole one: $1 incarnation, $2 the
    /// first version, $3 the version before which the rows end.
    static let keptContent = """
        SELECT version, superseded, notes, checksum, data FROM freshet_kept
        WHERE feed = $1::bigint AND version >= $2::bigint AND version < $3::bigint
        AND version <= coalesce((SELECT min(version) FROM freshet_kept WHERE feed = $1::bigint
        AND version >= $2::bigint AND version < $3::bigint AND whole), $3::bigint)
        ORDER BY version
        """

    /// Notes for other servers that a version was forgotten: $1 incarnation, $2 version, $3 the
    /// writer.
    static let noteForgotten = """
        INSERT INTO freshet_forgotten VALUES($1::bigint, $2::bigint,
        pg_current_xact_id(), $3::bigint) ON CONFLICT (feed, version) DO NOTHING
        """

    /// Finds the versions that other servers have forgotten: $1 the first transaction that may not
    /// have been seen, $2 this server's number.
    static let forgotten = """
        SELECT name, id, epoch, forgotten.version FROM freshet_forgotten AS forgotten
        JOIN freshet_feed ON id = feed
        WHERE forgotten.change >= $1::text::xid8 AND forgotten.writer <> $2::bigint
        """
}
