import CSQLite

/// The tables of the journal in SQLite.
enum JournalSchema {
    /// The version of the tables' format.
    ///
    /// A server refuses a file with a later one.
    ///
    /// In format 1 the versions of a feed have no gaps. In format 2 they may: the check of each
    /// version covers the one before it. Format 3 added the table `kept`, and details such as the
    /// publisher to the records. Format 4 added the table `source`.
    static let format = 4

    /// The application id "Frsh", which marks an SQLite file as a server's (sqlite.org/pragma.html,
    /// application_id).
    static let application = 0x4672_7368

    /// The tables of format 1:
    ///
    /// - `feed`: the existing feeds.
    /// - `base`: for each feed, one version as a whole (``BaseRecord``). The items of a large feed
    ///   are in `chunk`.
    /// - `log`: the versions after the base, as their changes (``DeltaRecord``), in the order in
    ///   which they were published.
    /// - `answer`: the responses to requests with an Idempotency-Key.
    /// - `note`: single values, each under its name.
    private static let first = """
        CREATE TABLE note(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE feed(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, epoch TEXT NOT NULL);
        CREATE TABLE base(feed INTEGER PRIMARY KEY, version INTEGER NOT NULL, hash INTEGER NOT NULL,
            checksum INTEGER NOT NULL, data BLOB NOT NULL);
        CREATE TABLE chunk(id INTEGER PRIMARY KEY, data BLOB NOT NULL);
        CREATE TABLE log(id INTEGER PRIMARY KEY, feed INTEGER NOT NULL, version INTEGER NOT NULL,
            published REAL NOT NULL, hash INTEGER NOT NULL, data BLOB NOT NULL);
        CREATE TABLE answer(id INTEGER PRIMARY KEY, time REAL NOT NULL, owner BLOB NOT NULL,
            key BLOB NOT NULL, fingerprint BLOB NOT NULL, response BLOB NOT NULL);
        """

    /// The tables that later formats added.
    ///
    /// - `kept`: the older versions that a feed can be taken back to (``KeptVersion``).
    /// - `source`: the states of sources (``SourceStates``).
    private static let additions = [
        3: """
        CREATE TABLE kept(feed INTEGER NOT NULL, version INTEGER NOT NULL,
            superseded REAL NOT NULL, notes BLOB NOT NULL, checksum INTEGER NOT NULL,
            data BLOB NOT NULL, PRIMARY KEY(feed, version));
        """,
        4: "CREATE TABLE source(name TEXT PRIMARY KEY, data BLOB NOT NULL);",
    ]

    /// Returns the statements that make the tables of a format.
    ///
    /// - Parameter old: The format of the existing tables; 0: there are none.
    static func tables(of format: Int, after old: Int = 0) -> String {
        let later = additions.filter { $0.key > old && $0.key <= format }.sorted { $0.key < $1.key }
        return later.reduce(old == 0 ? first : "") { $0 + $1.value }
    }
}

extension Database {
    /// Throws if the file has other tables, indices, triggers or views than a server makes: a
    /// trigger could undo acknowledged publishes.
    func checkObjects() throws(DatabaseError) {
        let tables = JournalSchema.tables(of: try number("PRAGMA user_version"))
        var missing = Set(tables.split(separator: ";").map(Database.words))
        missing.remove("")
        let rows = try query("SELECT type, name, sql FROM sqlite_master")
        while try rows.next() {
            let (type, name) = (rows.text(0), rows.text(1))
            if missing.remove(Database.words(rows.text(2)[...])) != nil, type == "table" {
                continue
            }
            // SQLite makes such an index for a UNIQUE column, and ANALYZE makes such tables.
            if type == "index", rows.text(2).isEmpty { continue }
            if type == "table", name.hasPrefix("sqlite_stat") { continue }
            throw DatabaseError(
                code: SQLITE_CORRUPT,
                message: "the \(type) \"\(name)\" is no server's"
            )
        }
        guard let statement = missing.min() else { return }
        throw DatabaseError(code: SQLITE_CORRUPT, message: "there is no \(statement.prefix(40))…")
    }

    /// Returns a statement with each run of whitespace replaced by one space.
    private static func words(_ sql: Substring) -> String {
        sql.split(separator: /\s+/).joined(separator: " ")
    }
}
