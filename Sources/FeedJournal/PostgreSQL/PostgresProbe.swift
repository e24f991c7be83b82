#if canImport(Glibc)
package import FeedStore
import Glibc
#endif

/// The state of a database, found without changing anything there.
package struct PostgresProbe: Sendable {
    /// The host, port and database, without a password.
    package let place: String
    /// The server's version, such as 150018.
    package let serverVersion: Int
    /// The database's time, in seconds since 1970, when it was asked.
    package let time: Double
    /// Whether the database syncs commits to the disk.
    package let syncs: Bool
    /// Whether the database cannot be written to: it is a standby.
    package let isReadOnly: Bool

    /// Connects and asks; waits for some seconds at most.
    ///
    /// - Throws: ``JournalError`` when it cannot be reached.
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
            time = Double(rows.integer(0, 0)) / 1000
            syncs = rows.flag(0, 1)
            isReadOnly = rows.flag(0, 2)
        } catch {
            throw JournalError("\(error)")
        }
    }
}
