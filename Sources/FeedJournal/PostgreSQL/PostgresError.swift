/// The error of a statement or connection.
struct PostgresError: Error, CustomStringConvertible {
    /// PostgreSQL's code of the condition (its documentation, appendix A, "Error Codes"); `nil`:
    /// the connection is lost, or there was none.
    let state: String?
    let message: String

    /// Returns the error of a lost connection: sent statements may be done or not.
    static func lost(_ message: String) -> PostgresError {
        let line = message.split(separator: "\n").first.map(String.init) ?? ""
        return PostgresError(state: nil, message: line.isEmpty ? "the connection is lost" : line)
    }

    /// Returns the error of an impossible value in the database.
    static func damaged(_ words: String) -> PostgresError {
        PostgresError(state: damage, message: "it is damaged: \(words). Restore a backup")
    }

    var isLost: Bool { state == nil }

    /// Whether the statements may succeed when they are sent again: another server was in the way.
    var isConflict: Bool {
        guard let state else { return false }
        return state.hasPrefix("40") || state == "23505" || state == "55P03"
    }

    /// Whether something in the database is damaged, as the database or this server says.
    var isDamage: Bool { state == PostgresError.damage }

    /// The condition `data_corrupted`.
    static let damage = "XX001"

    /// Whether the database is stopping, or cannot be written to: shutdowns, a standby.
    var endsConnection: Bool {
        guard let state else { return true }
        return state.hasPrefix("57P") || state.hasPrefix("08") || state == "25006"
    }

    var description: String { state.map { "\(message) (\($0))" } ?? message }
}
