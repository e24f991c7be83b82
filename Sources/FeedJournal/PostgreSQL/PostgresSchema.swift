/// The SQL of the journal in PostgreSQL: the tables, and the statements on them.
enum PostgresSchema {
    /// The version of the tables' format.
    ///
    /// A server refuses a database with a later one.
    static var format: Int { steps.count }

    /// The channel by which servers notify each other.
    static let channel = "freshet"

    /// Notifies the other servers: $1 the writer's number, or a text for the leader.
    static let notify = "SELECT pg_notify('\(channel)', $1::text)"

    /// The statements that upgrade the tables to each format from the one before.
    ///
    /// A step may run twice.
    ///
    /// - `freshet_feed`: the newest version of each feed, and the transaction that made it. A
    ///   deleted feed keeps its row for a while, with `id` 0 and the time of the deletion.
    /// - `freshet_base`: for each feed, one version as a whole (``BaseRecord``). The items of a
    ///   large feed are in `freshet_chunk`.
    /// - `freshet_log`: the versions after the base, as their changes (``DeltaRecord``).
    /// - `freshet_answer`: the responses to requests with an Idempotency-Key.
    /// - `freshet_batch`: the transactions of the last hour, so that a server whose connection
    ///   broke finds out whether its last transaction was committed.
    /// - `freshet_note`: single values, each under its name.
    /// - `freshet_kept`: the older versions that a feed can be taken back to (``KeptVersion``).
    /// - `freshet_forgotten`: the versions that were forgotten by request, so that the other
    ///   servers forget them, too.
    static let steps = [
        [
            "CREATE TABLE IF NOT EXISTS freshet_note(name text PRIMARY KEY, value text NOT NULL)",
            """
            CREATE TABLE IF NOT EXISTS freshet_feed(name text COLLATE "C" PRIMARY KEY,
                id bigint NOT NULL, epoch text NOT NULL, version bigint NOT NULL,
                hash bigint NOT NULL,
                published double precision NOT NULL, change xid8 NOT NULL, writer bigint NOT NULL)
            """,
            "CREATE INDEX IF NOT EXISTS freshet_feed_change ON freshet_feed(change)",
            """
            CREATE TABLE IF NOT EXISTS freshet_base(feed bigint PRIMARY KEY, version bigint
                NOT NULL, hash bigint NOT NULL, checksum bigint NOT NULL, data bytea NOT NULL)
            """,
            """
            CREATE TABLE IF NOT EXISTS freshet_chunk(feed bigint, number bigint,
                data bytea NOT NULL, PRIMARY KEY(feed, number))
            """,
            """
            CREATE TABLE IF NOT EXISTS freshet_log(feed bigint, version bigint,
                published double precision NOT NULL, hash bigint NOT NULL, data bytea NOT NULL,
                PRIMARY KEY(feed, version))
            """,
            """
            CREATE TABLE IF NOT EXISTS freshet_answer(owner bytea, key bytea,
                time double precision NOT NULL, fingerprint bytea NOT NULL, response bytea NOT NULL,
                PRIMARY KEY(owner, key))
            """,
            """
            CREATE TABLE IF NOT EXISTS freshet_batch(id bigint PRIMARY KEY,
                time timestamptz NOT NULL DEFAULT now())
            """,
        ],
        [
            "ALTER TABLE freshet_feed ADD COLUMN IF NOT EXISTS gone timestamptz",
            "CREATE INDEX IF NOT EXISTS freshet_feed_gone ON freshet_feed(gone) WHERE id = 0",
        ],
        // The tables stay, but a feed's versions may have gaps, which earlier servers take for
        // damage. The check of each version names the one before it.
        [],
        // Records have details of their versions, such as who published.
        [
            """
            CREATE TABLE IF NOT EXISTS freshet_kept(feed bigint, version bigint,
                superseded double precision NOT NULL, notes bytea NOT NULL,
                checksum bigint NOT NULL, whole boolean NOT NULL, data bytea NOT NULL,
                PRIMARY KEY(feed, version))
            """,
            """
            CREATE TABLE IF NOT EXISTS freshet_forgotten(feed bigint, version bigint,
                change xid8 NOT NULL, writer bigint NOT NULL, PRIMARY KEY(feed, version))
            """,
            "CREATE INDEX IF NOT EXISTS freshet_forgotten_change ON freshet_forgotten(change)",
        ],
    ]

    /// The statements that make the tables which were added without a new format.
    ///
    /// - `freshet_source`: the states of sources (``SourceStates``), and for each the transaction
    ///   that wrote it.
    static let additions = [
        """
        CREATE TABLE IF NOT EXISTS freshet_source(name text COLLATE "C" PRIMARY KEY,
            data bytea NOT NULL, change xid8 NOT NULL)
        """,
        "CREATE INDEX IF NOT EXISTS freshet_source_change ON freshet_source(change)",
    ]
}

/// Has the statements for the states of sources.
extension PostgresSchema {
    /// Writes a state: $1 name, $2 state.
    static let keepSource = """
        INSERT INTO freshet_source VALUES($1::text, $2::bytea, pg_current_xact_id())
        ON CONFLICT (name) DO UPDATE SET data = excluded.data, change = excluded.change
        """

    /// Removes a state: $1 name.
    static let forgetSource = "DELETE FROM freshet_source WHERE name = $1::text"

    /// Finds states: $1 the first transaction that may not have been seen.
    static let sources = "SELECT name, data FROM freshet_source WHERE change >= $1::text::xid8"
}

/// Has the statements for publishes. Each names the newest version that this server knows, and has
/// no effect if another server has made a later one.
extension PostgresSchema {
    /// The condition for the newest version: $1 name, $2 incarnation, $3 epoch, $4 version, $5
    /// hash.
    private static let isNewest =
        "name = $1::text AND id = $2::bigint AND epoch = $3::text AND version = $4::bigint "
        + "AND hash = $5::bigint"

    /// The time in seconds since 1970 by the database's clock, from which the age of answers is
    /// computed.
    ///
    /// The servers' clocks may differ: a server that is ahead would remove answers that another has
    /// just written.
    static let time = "extract(epoch FROM now())::double precision"

    /// Returns the parts of a statement that keep an answer, with their parameters from `first` on:
    /// owner, key, age in seconds, fingerprint, response.
    private static func answer(_ first: Int) -> (condition: String, insertion: String) {
        let (owner, key) = ("$\(first)::bytea", "$\(first + 1)::bytea")
        return (
            """
             AND NOT EXISTS (SELECT FROM freshet_answer
             WHERE freshet_answer.owner = \(owner) AND freshet_answer.key = \(key))
            """,
            """
            , answer AS (INSERT INTO freshet_answer SELECT \(owner), \(key), \(time)
            - $\(first + 2)::double precision, $\(first + 3)::bytea, $\(first + 4)::bytea FROM head)
            """
        )
    }

    /// Removes an outdated answer: $1 owner, $2 key, $3 the age in seconds from which an answer is
    /// outdated.
    static let forgetAnswer = """
        DELETE FROM freshet_answer WHERE owner = $1::bytea AND key = $2::bytea
        AND time < \(time) - $3::double precision
        """

    /// Removes all outdated answers: $1 the age in seconds from which an answer is outdated.
    static let forgetAnswers = """
        DELETE FROM freshet_answer WHERE time < \(time) - $1::double precision
        """

    /// Finds an answer: $1 owner, $2 key, $3 the age in seconds from which an answer is outdated.
    static let findAnswer = """
        SELECT \(time) - time, owner, key, fingerprint, response FROM freshet_answer
        WHERE owner = $1::bytea AND key = $2::bytea AND time > \(time) - $3::double precision
        """

    /// Finds all answers: $1 the age in seconds from which an answer is outdated.
    static let answers = """
        SELECT \(time) - time, owner, key, fingerprint, response FROM freshet_answer
        WHERE time > \(time) - $1::double precision ORDER BY time
        """

    private static let change = "change = pg_current_xact_id()"

    /// Adds a version: the parameters of ``isNewest``, then $6 the hash of the new version, $7 the
    /// publish time, $8 the writer, $9 the record, $10 the new version.
    static func addVersion(withAnswer: Bool) -> String {
        let answer = withAnswer ? answer(11) : ("", "")
        return """
            WITH head AS (UPDATE freshet_feed SET version = $10::bigint, hash = $6::bigint,
            published = $7::double precision, \(change), writer = $8::bigint
            WHERE \(isNewest)\(answer.0) RETURNING id)\(answer.1)
            INSERT INTO freshet_log SELECT id, $10::bigint, $7::double precision, $6::bigint,
            $9::bytea FROM head RETURNING version
            """
    }

    /// Adds a feed: $1 name, $2 incarnation, $3 epoch, $4 version, $5 hash, $6 the publish time, $7
    /// the writer, $8 the base's checksum, $9 the base.
    ///
    /// - Parameter afterDeletion: Whether the same transaction deletes the feed first. If that
    ///   deletion had no effect, the new feed must not be added either, even where another server
    ///   has deleted the feed.
    static func addFeed(withAnswer: Bool, afterDeletion: Bool) -> String {
        let answer = withAnswer ? answer(10) : ("", "")
        let isDeletedHere =
            " AND EXISTS (SELECT FROM freshet_feed WHERE name = $1::text AND id = 0 AND \(change))"
        return """
            WITH head AS (INSERT INTO freshet_feed
            SELECT $1::text, $2::bigint, $3::text, $4::bigint, $5::bigint, $6::double precision,
            pg_current_xact_id(), $7::bigint
            WHERE true\(afterDeletion ? isDeletedHere : "")\(answer.0)
            ON CONFLICT (name) DO UPDATE SET id = excluded.id, epoch = excluded.epoch,
            version = excluded.version, hash = excluded.hash, published = excluded.published,
            gone = NULL, change = excluded.change, writer = excluded.writer
            WHERE freshet_feed.id = 0
            RETURNING id)\(answer.1)
            INSERT INTO freshet_base SELECT id, $4::bigint, $5::bigint, $8::bigint, $9::bytea
            FROM head RETURNING feed
            """
    }

    /// Removes a feed: the parameters of ``isNewest``, then $6 the writer.
    static func removeFeed(withAnswer: Bool) -> String {
        let answer = withAnswer ? answer(7) : ("", "")
        return """
            WITH head AS (UPDATE freshet_feed SET id = 0, epoch = '', version = 0, hash = 0,
            gone = now(), \(change), writer = $6::bigint
            WHERE \(isNewest)\(answer.0) RETURNING $2::bigint AS id),
            log AS (DELETE FROM freshet_log WHERE feed IN (SELECT id FROM head)),
            chunk AS (DELETE FROM freshet_chunk WHERE feed IN (SELECT id FROM head)),
            kept AS (DELETE FROM freshet_kept WHERE feed IN (SELECT id FROM head)),
            forgotten AS (DELETE FROM freshet_forgotten WHERE feed IN (SELECT id FROM head)),
            base AS (DELETE FROM freshet_base WHERE feed IN (SELECT id FROM head))\(answer.1)
            SELECT id FROM head
            """
    }

    /// Returns a row if a version is still the newest: the parameters of ``isNewest``.
    ///
    /// Writes the answer then, if there is one.
    static func confirm(withAnswer: Bool) -> String {
        guard withAnswer else { return "SELECT id FROM freshet_feed WHERE \(isNewest)" }
        let answer = answer(6)
        return """
            WITH head AS (SELECT id FROM freshet_feed WHERE \(isNewest)\(answer.0) FOR UPDATE)
            \(answer.1) SELECT id FROM head
            """
    }

    /// Returns a row if there is no feed of a name: $1 name.
    static let confirmAbsence =
        "SELECT 1::bigint WHERE NOT EXISTS "
        + "(SELECT FROM freshet_feed WHERE name = $1::text AND id <> 0)"

    /// Adds a chunk to a feed that was created in this transaction: $1 incarnation, $2 number, $3
    /// bytes.
    static let addChunk = """
        INSERT INTO freshet_chunk SELECT $1::bigint, $2::bigint, $3::bytea
        WHERE EXISTS (SELECT FROM freshet_base WHERE feed = $1::bigint)
        """

    /// Notes a deletion: $1 the publish time of the deleted feed's last version.
    ///
    /// The latest such time is kept.
    static let noteDeletion = """
        INSERT INTO freshet_note VALUES('deleted', $1::text) ON CONFLICT (name) DO UPDATE
        SET value = CASE WHEN freshet_note.value::double precision < $1::double precision
        THEN $1::text ELSE freshet_note.value END
        """
}

/// Has the statements that read.
extension PostgresSchema {
    private static let headColumns = "name, id, epoch, version, hash"

    /// Finds the feeds that other servers changed: $1 the first transaction that may not have been
    /// seen, $2 this server's number.
    ///
    /// The first column is the oldest transaction that is still running; the next poll starts from
    /// there, since transactions do not end in the order of their numbers.
    static let changedHeads = """
        SELECT pg_snapshot_xmin(pg_current_snapshot())::text, current_setting('\(synchronous)'),
        \(headColumns) FROM (SELECT) AS one LEFT JOIN freshet_feed
        ON change >= $1::text::xid8 AND writer <> $2::bigint
        """

    /// Finds all feeds.
    static let allHeads = """
        SELECT pg_snapshot_xmin(pg_current_snapshot())::text, current_setting('\(synchronous)'),
        \(headColumns) FROM (SELECT) AS one LEFT JOIN freshet_feed ON true
        """

    /// Finds the newest versions of feeds: $1 names.
    static let heads = """
        SELECT '', '', \(headColumns) FROM freshet_feed WHERE name = ANY($1::text[])
        """

    /// PostgreSQL's setting with the standbys that commits wait for; empty: none.
    static let synchronous = "synchronous_standby_names"

    /// Finds the versions after the known ones: $1 names, $2 incarnations, $3 known versions.
    ///
    /// A feed whose base is newer than the known version has no rows in the result: some versions
    /// in between are gone.
    static let laterVersions = """
        SELECT known.name, epoch, log.version, log.published, log.hash, log.data
        FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS known(name, id, version)
        JOIN freshet_feed AS feed ON feed.name = known.name AND feed.id = known.id
        JOIN freshet_base AS base ON base.feed = known.id AND base.version <= known.version
        JOIN freshet_log AS log ON log.feed = known.id AND log.version > known.version
        ORDER BY known.name, log.version
        """

    /// Finds the bases of feeds: $1 names.
    ///
    /// A feed without its base has a row, too: it is damaged.
    static let bases = """
        SELECT name, id, epoch, base.version, base.hash, checksum, data,
        EXISTS (SELECT FROM freshet_kept WHERE feed = id)
        FROM freshet_feed LEFT JOIN freshet_base AS base ON base.feed = id
        WHERE name = ANY($1::text[]) AND id <> 0
        """

    /// Finds the chunks of feeds: $1 names.
    static let chunks = """
        SELECT feed, number, data FROM freshet_chunk
        WHERE feed IN (SELECT id FROM freshet_feed WHERE name = ANY($1::text[]))
        """

    /// Finds the versions of feeds after their bases: $1 names.
    static let logs = """
        SELECT feed, version, published, hash, data FROM freshet_log
        WHERE feed IN (SELECT id FROM freshet_feed WHERE name = ANY($1::text[]))
        ORDER BY feed, version
        """
}

/// Has the statements that remove the rows of deleted feeds.
extension PostgresSchema {
    /// Sets the time of deletion for feeds that servers of format 1 deleted.
    ///
    /// Locked rows are skipped, as in ``forgetDeleted``, so the statement never waits.
    static let stampDeleted = """
        UPDATE freshet_feed SET gone = now() WHERE name IN (SELECT name FROM freshet_feed
        WHERE id = 0 AND (gone IS NULL OR gone < to_timestamp(published))
        FOR UPDATE SKIP LOCKED)
        """

    /// Removes the rows of feeds that were deleted long ago: $1 the seconds for which they are
    /// kept, $2 the most rows to remove.
    static let forgetDeleted = """
        WITH old AS (SELECT name FROM freshet_feed WHERE id = 0
        AND gone < now() - make_interval(secs => $1::double precision)
        AND change < pg_snapshot_xmin(pg_current_snapshot())
        ORDER BY gone LIMIT $2::bigint FOR UPDATE SKIP LOCKED)
        DELETE FROM freshet_feed USING old WHERE freshet_feed.name = old.name AND id = 0
        """

    /// The statements that give rows of deleted feeds and of sources a current transaction number,
    /// after the database became another one with other numbers.
    static let recount = [
        "UPDATE freshet_source SET change = pg_current_xact_id()",
        "UPDATE freshet_feed SET change = pg_current_xact_id(), writer = 0 WHERE id = 0",
    ]
}
