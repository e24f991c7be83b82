import FeedStore

/// Removes expired records.
extension PostgresWorker {
    /// The most rows of deleted feeds that a sweep removes.
    private static let forgottenCount = 10_000

    /// Removes expired answers, each owner's oldest answers beyond a limit, the numbers of old
    /// transactions, and the rows of feeds that were deleted long ago.
    ///
    /// All servers sweep. Rows of feeds that another server has locked are skipped. If the lock on
    /// another row lasts too long, the rest waits for the next sweep.
    func sweep() throws(PostgresError) {
        do throws(PostgresError) {
            try session.run([
                PostgresStatement(PostgresSchema.forgetAnswers, [.real(JournalAnswer.lifetime)]),
                PostgresStatement(
                    """
                    DELETE FROM freshet_answer WHERE (owner, key) IN (SELECT owner, key FROM
                    (SELECT owner, key, row_number() OVER (PARTITION BY owner ORDER BY time DESC)
                    AS place FROM freshet_answer) AS places WHERE place > $1::bigint)
                    """,
                    [.integer(JournalAnswer.countLimit)]
                ),
                PostgresStatement(
                    "DELETE FROM freshet_batch WHERE time < now() - interval '1 hour'"
                ),
            ])
            try session.run(PostgresSchema.stampDeleted)
            let age = StatementValue.real(settings.deletedTime / .seconds(1))
            let limit = StatementValue.integer(PostgresWorker.forgottenCount)
            try session.run(PostgresSchema.forgetDeleted, [age, limit])
        } catch {
            // Another server sweeps at the same time.
            guard error.isConflict else { throw error }
        }
    }
}
