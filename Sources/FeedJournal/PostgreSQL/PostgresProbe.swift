package import FeedStore

/// Facts about a database for checks by the operator, read without changing anything there.
package struct PostgresProbe: Sendable {
    /// The host, port and database, without a password.
    package let place: String
    /// The server's version as PostgreSQL numbers it: 150018 is 15.18.
    package let serverVersion: Int
    /// The database's clock at the time of the query, in seconds since 1970.
    package let time: Double
    /// Whether the database syncs commits to the disk.
    package let syncs: Bool
    /// Whether the database cannot be written to: it is a standby.
    package let isReadOnly: Bool

    /// Connects to a database, and runs the query; fails if the database is silent for 5 seconds.
    package init(_ address: String) throws(JournalError) {
        do throws(PostgresError) {
            let connection = try PostgresConnection(address, silence: .seconds(5))
            let rows = try connection.run(
                """
                SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint,
                    current_setting('fsync') = 'on', pg_is_in_recovery()
                """
            )
            place = connection.place
            serverVersion = connection.serverVersion
            time = Double(rows[0].integer(0)) / 1000
            syncs = rows[0].flag(1)
            isReadOnly = rows[0].flag(2)
        } catch {
            throw JournalError("\(error)")
        }
    }
}
