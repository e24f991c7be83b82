/// The owner of a database, as its notes state it.
enum JournalOwner {
    /// The folder that the database is in.
    case folder
    /// The owner is another folder: the database was copied.
    case other
    /// There is no owner: the database is a backup.
    case backup
    /// There is no owner: the database is new.
    case nobody

    /// Reads the notes.
    ///
    /// - Parameters:
    ///   - database: A connection to it.
    ///   - identity: The numbers that tell the file from a copy (``DataFolder/identity()``).
    init(_ database: Database, _ identity: [String: String]) throws(DatabaseError) {
        var known: [String: String] = [:]
        let rows = try database.prepare("SELECT name, value FROM note")
        while try rows.next() { known[rows.text(0)] = rows.text(1) }
        rows.reset()
        if known["backup"] != nil {
            self = .backup
        } else if identity.allSatisfy({ known[$0.key] == $0.value }) {
            self = .folder
        } else {
            self = known["file"] == nil ? .nobody : .other
        }
    }
}
