/// The owner of a database by its `note` table: a copy and a backup must not be mistaken for the
/// original, since readers may have seen later versions.
enum JournalOwner {
    /// The owner is the folder that the database is in.
    case folder
    /// The owner is another folder: the database was copied.
    case other
    /// The database is a backup, which has no owner.
    case backup
    /// The database is new, and has no owner yet.
    case nobody

    /// Reads the owner from the `note` table.
    ///
    /// - Parameter identity: The numbers that tell the file from a copy
    ///   (``DataFolder/identity(of:in:)``).
    init(_ database: Database, _ identity: [String: String]) throws(DatabaseError) {
        var known: [String: String] = [:]
        let rows = try database.query("SELECT name, value FROM note")
        while try rows.next() { known[rows.text(0)] = rows.text(1) }
        if known["backup"] != nil {
            self = .backup
        } else if identity.allSatisfy({ known[$0.key] == $0.value }) {
            self = .folder
        } else {
            self = known["file"] == nil ? .nobody : .other
        }
    }
}

extension Database {
    /// Makes a copy of a journal's database one file, without a log, and removes the owner from its
    /// `note` table.
    func disown() throws(DatabaseError) {
        _ = try value("PRAGMA journal_mode = DELETE")
        try execute("DELETE FROM note WHERE name IN ('file', 'folder', 'made')")
    }
}
