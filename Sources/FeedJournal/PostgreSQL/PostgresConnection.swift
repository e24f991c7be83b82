import CPostgres
import Glibc
import Platform

/// A connection to a database, used by one thread at a time.
///
/// Statements are sent together and answered together (libpq's pipeline mode), so a transaction
/// takes one round trip.
final class PostgresConnection {
    private let connection: OpaquePointer
    /// The number of warnings received since the last statements were sent.
    private let warnings: UnsafeMutablePointer<CInt>
    /// The names of the statements that the server has prepared.
    private var prepared: [String: String] = [:]
    private var preparedCount = 0

    /// The time after which a connection counts as lost when a result is due and nothing arrives.
    private let silence: Duration

    /// Connects, and waits until the connection is open.
    ///
    /// - Parameters:
    ///   - address: An address of the form `postgres://…`, with all parts that libpq can read.
    ///   - silence: The time after which the connection counts as lost when a result is due and
    ///     nothing arrives.
    init(_ address: String, silence: Duration) throws(PostgresError) {
        if let problem = freshet_pq_open() { throw .lost(String(cString: problem)) }
        // The address comes last, so its settings win.
        let settings = [
            ("connect_timeout", "3"), ("application_name", "freshet"), ("keepalives_idle", "5"),
            ("keepalives_interval", "2"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "8000"), ("dbname", address),
        ]
        let warnings = UnsafeMutablePointer<CInt>.allocate(capacity: 1)
        warnings.initialize(to: 0)
        guard let connection = PostgresConnection.connect(settings, warnings) else {
            warnings.deallocate()
            throw .lost("there is no memory for a connection")
        }
        self.connection = connection
        self.warnings = warnings
        self.silence = silence
        guard freshet_pq_isOpen(connection), freshet_pq_enterPipeline(connection) else {
            throw .lost(String(cString: freshet_pq_error(connection)))
        }
    }

    deinit {
        freshet_pq_finish(connection)
        warnings.deallocate()
    }

    private static func connect(
        _ settings: [(String, String)],
        _ warnings: UnsafeMutablePointer<CInt>
    ) -> OpaquePointer? {
        let names = settings.map { strdup($0.0) } + [nil]
        let values = settings.map { strdup($0.1) } + [nil]
        defer { for text in names + values { free(text) } }
        return freshet_pq_connect(
            names.map { UnsafePointer($0) },
            values.map { UnsafePointer($0) },
            warnings
        )
    }

    /// The host, port and database, without a password.
    var place: String {
        let text = { (value: UnsafePointer<CChar>?) in value.map { String(cString: $0) } ?? "" }
        return "\(text(freshet_pq_host(connection))):\(text(freshet_pq_port(connection)))/"
            + text(freshet_pq_database(connection))
    }

    /// The server's version, such as 150018.
    var serverVersion: Int { Int(freshet_pq_serverVersion(connection)) }

    /// The id of the server's process, as announced when the connection was made.
    ///
    /// A pooler announces another number than `pg_backend_pid()` returns.
    var processID: Int { Int(freshet_pq_process(connection)) }

    /// The socket, which becomes readable when a notification arrives.
    var descriptor: CInt { freshet_pq_socket(connection) }

    /// Takes the texts of the notifications that have arrived.
    func takeNotifications() throws(PostgresError) -> [String] {
        guard freshet_pq_consume(connection) else { throw lost() }
        var texts: [String] = []
        while let text = freshet_pq_notification(connection) {
            texts.append(String(cString: text))
            freshet_pq_freeText(text)
        }
        return texts
    }

    private func lost() -> PostgresError {
        .lost(String(cString: freshet_pq_error(connection)))
    }
}

/// Runs statements.
extension PostgresConnection {
    /// Runs statements, one after the other, and returns the rows of each.
    ///
    /// - Throws: The error of the first statement that failed; the statements after it were not
    ///   begun. When the connection is lost, any of the statements may have been carried out.
    @discardableResult
    func run(_ statements: [PostgresStatement]) throws(PostgresError) -> [PostgresRows] {
        // Each message that gets a result: the SQL that it prepares; `nil`: it runs a statement.
        var sent: [String?] = []
        for statement in statements {
            let name: String
            if let known = prepared[statement.sql] {
                name = known
            } else {
                preparedCount += 1
                name = "s\(preparedCount)"
                guard freshet_pq_sendPrepare(connection, name, statement.sql) else { throw lost() }
                sent.append(statement.sql)
                // Another statement of the same text may follow.
                prepared[statement.sql] = name
            }
            let isSent = statement.withParameters { values, lengths, formats in
                let count = CInt(statement.parameters.count)
                return freshet_pq_sendPrepared(connection, name, count, values, lengths, formats)
            }
            guard isSent else { throw lost() }
            sent.append(nil)
        }
        warnings.pointee = 0
        guard freshet_pq_sendSync(connection) else { throw lost() }
        let rows = try receive(sent)
        // A COMMIT whose wait for a standby is cancelled succeeds, with a warning (PostgreSQL's
        // documentation, "Synchronous Replication").
        if warnings.pointee > 0, statements.last?.sql == "COMMIT" {
            throw .lost("the commit did not wait for the standby")
        }
        return rows
    }

    /// Runs one statement.
    @discardableResult
    func run(
        _ sql: String,
        _ parameters: [StatementValue] = []
    ) throws(PostgresError) -> PostgresRows {
        let rows = try run([PostgresStatement(sql, parameters)])
        guard let first = rows.first else { throw .lost("a statement has no result") }
        return first
    }

    /// Receives the results of messages, and returns the rows of each statement.
    ///
    /// - Parameter sent: For each message the SQL that it prepares; `nil`: it runs a statement.
    private func receive(_ sent: [String?]) throws(PostgresError) -> [PostgresRows] {
        var rows: [PostgresRows] = []
        var failure: PostgresError?
        for preparation in sent {
            guard let result = try nextResult() else { throw .lost("a result is missing") }
            let taken = PostgresRows(result)
            switch freshet_pq_status(result) {
            case CInt(freshet_pq_status_done.rawValue):
                if preparation == nil { rows.append(taken) }
            case CInt(freshet_pq_status_skipped.rawValue):
                if let preparation { prepared[preparation] = nil }
            default:
                if let preparation { prepared[preparation] = nil }
                failure = PostgresError(
                    state: String(cString: freshet_pq_state(result)),
                    message: String(cString: freshet_pq_message(result))
                )
            }
            // A null result ends the results of each statement.
            if let other = try nextResult() { freshet_pq_clear(other) }
        }
        guard let end = try nextResult() else { throw .lost("a result is missing") }
        freshet_pq_clear(end)
        if let failure { throw failure }
        return rows
    }

    /// Waits for the next result, and sends buffered data meanwhile; `nil` ends the results of a
    /// statement.
    private func nextResult() throws(PostgresError) -> OpaquePointer? {
        while true {
            let unsent = freshet_pq_flush(connection)
            guard unsent >= 0 else { throw lost() }
            if !freshet_pq_isBusy(connection) {
                let result = freshet_pq_result(connection)
                if result == nil, !freshet_pq_isOpen(connection) { throw lost() }
                return result
            }
            let events = POLLIN | (unsent > 0 ? POLLOUT : 0)
            guard Descriptor.wait(for: [(descriptor, events)], atMost: silence) else {
                throw .lost("the database did not answer for \(silence)")
            }
            guard freshet_pq_consume(connection) else { throw lost() }
        }
    }
}
