/// Why something could not be done with a database.
struct PostgresError: Error, CustomStringConvertible {
    /// The condition by PostgreSQL's number (its documentation, appendix A, "Error Codes"); `nil`:
    /// the connection is lost, or there was none.
    let state: String?
    let message: String

    /// The connection is lost: what was sent may be done or not.
    static func lost(_ message: String) -> PostgresError {
        let line = message.split(separator: "\n").first.map(String.init) ?? ""
        return PostgresError(state: nil, message: line.isEmpty ? "the connection is lost" : line)
    }

    /// Something that is kept cannot be.
    static func damaged(_ words: String) -> PostgresError {
        PostgresError(state: damage, message: "it is damaged: \(words). Restore a backup")
    }

    var isLost: Bool { state == nil }

    /// Whether the same may succeed when it is sent again: another server was in the way.
    var isConflict: Bool {
        guard let state else { return false }
        return state.hasPrefix("40") || state == "23505" || state == "55P03"
    }

    /// Whether something in the database is damaged, by what it or this server says.
    var isDamage: Bool { state == PostgresError.damage }

    /// The condition `data_corrupted`.
    static let damage = "XX001"

    /// Whether the server is going away, or is none that can be written to: shutdowns, a standby.
    var endsConnection: Bool {
        guard let state else { return true }
        return state.hasPrefix("57P") || state.hasPrefix("08") || state == "25006"
    }

    var description: String { state.map { "\(message) (\($0))" } ?? message }
}
