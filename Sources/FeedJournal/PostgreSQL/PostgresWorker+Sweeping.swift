import FeedStore

/// Removing expired records.
extension PostgresWorker {
    /// The most rows of deleted feeds that one sweep removes.
    private static let forgottenCount = 10_000

    /// Removes expired answers, transactions and rows of deleted feeds.
    ///
    /// All servers sweep; no server waits for another.
    func sweep() throws(PostgresError) {
        guard let connection else { return }
        do throws(PostgresError) {
            _ = try connection.run([
                PostgresStatement(PostgresSchema.forgetAnswers, .real(JournalAnswer.lifetime)),
                PostgresStatement(
                    """
                    DELETE FROM freshet_answer WHERE (owner, key) IN (SELECT owner, key FROM
                    (SELECT owner, key, row_number() OVER (PARTITION BY owner ORDER BY time DESC)
                    AS place FROM freshet_answer) AS places WHERE place > $1::bigint)
                    """,
                    .integer(JournalAnswer.countLimit)
                ),
                PostgresStatement(
                    "DELETE FROM freshet_batch WHERE time < now() - interval '1 hour'"
                ),
            ])
            try connection.run(PostgresSchema.stampDeleted)
            try connection.run(
                PostgresSchema.forgetDeleted,
                .real(settings.deletedTime / .seconds(1)),
                .integer(PostgresWorker.forgottenCount)
            )
        } catch {
            // Another server sweeps, too.
            guard error.isConflict else { throw error }
        }
    }
}
