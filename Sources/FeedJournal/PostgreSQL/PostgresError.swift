/// An error of a statement or of the connection.
struct PostgresError: Error, CustomStringConvertible {
    /// The SQLSTATE code (PostgreSQL's documentation, appendix A, "Error Codes"); `nil`: the
    /// connection is lost, or there was none.
    let state: String?
    let message: String

    /// Returns the error of a lost connection: statements that were sent may have been carried out.
    static func lost(_ message: String) -> PostgresError {
        let line = message.split(separator: "\n").first.map(String.init) ?? ""
        return PostgresError(state: nil, message: line.isEmpty ? "the connection is lost" : line)
    }

    /// Returns the error of an impossible value in the database.
    static func damaged(_ words: String) -> PostgresError {
        PostgresError(state: damage, message: "it is damaged: \(words). Restore a backup")
    }

    var isLost: Bool { state == nil }

    /// Whether the statements may succeed when they are sent again: a serialization failure or
    /// deadlock, a unique violation, or a lock that another session holds.
    var isConflict: Bool {
        guard let state else { return false }
        return state.hasPrefix("40") || state == "23505" || state == "55P03"
    }

    /// Whether something in the database is damaged.
    ///
    /// Both PostgreSQL and this server report damage with this code.
    var isDamage: Bool { state == PostgresError.damage }

    /// The SQLSTATE code `data_corrupted`.
    static let damage = "XX001"

    /// Whether the connection cannot be used any more: it is lost, the database is shutting down,
    /// or it is a standby that takes no writes.
    var endsConnection: Bool {
        guard let state else { return true }
        return state.hasPrefix("57P") || state.hasPrefix("08") || state == "25006"
    }

    var description: String { state.map { "\(message) (\($0))" } ?? message }
}
