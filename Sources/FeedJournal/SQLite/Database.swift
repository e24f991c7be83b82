import CSQLite
import FeedStore
import Platform

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// An error that SQLite reports.
struct DatabaseError: Error, CustomStringConvertible {
    /// An extended result code (sqlite.org/rescode.html).
    let code: CInt
    let message: String

    /// Whether the disk is full.
    ///
    /// The transaction then ends without effect.
    var isFull: Bool { code & 0xFF == SQLITE_FULL }

    /// Whether another connection has locked the database.
    var isBusy: Bool { code & 0xFF == SQLITE_BUSY }

    /// Whether the file is damaged or not a database.
    var isDamage: Bool { [SQLITE_CORRUPT, SQLITE_NOTADB].contains(code & 0xFF) }

    var description: String { "\(message) (SQLite \(code))" }
}

/// A connection to a SQLite database; all calls are made on one queue.
final class Database {
    private let handle: OpaquePointer
    /// The number of pages in the write-ahead log after the last commit.
    ///
    /// SQLite's hook writes to this address.
    private let logPages: UnsafeMutablePointer<CInt>
    /// The prepared statements that no ``Statement`` runs, by their SQL.
    private var prepared: [String: OpaquePointer] = [:]

    /// Opens a database at a path or a URI; by default, it is made if it does not exist.
    init(
        path: String,
        _ mode: CInt = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    ) throws(DatabaseError) {
        var handle: OpaquePointer?
        let flags = mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        guard code == SQLITE_OK, let opened = handle else {
            let message = handle.map { Database.message(code, $0) }
            sqlite3_close_v2(handle)
            throw DatabaseError(code: code, message: message ?? "it cannot be opened")
        }
        self.handle = opened
        logPages = .allocate(capacity: 1)
        logPages.initialize(to: 0)
        // This replaces SQLite's own hook, which would run checkpoints by itself.
        sqlite3_wal_hook(
            opened,
            { count, _, _, pages in
                count?.assumingMemoryBound(to: CInt.self).pointee = pages
                return SQLITE_OK
            },
            logPages
        )
    }

    deinit {
        for statement in prepared.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(handle)
        logPages.deallocate()
    }

    /// The version of the library, as in "3.40.1".
    static var libraryVersion: String { String(cString: sqlite3_libversion()) }

    /// The number of pages in the write-ahead log after the last commit.
    var logPageCount: Int { Int(logPages.pointee) }

    /// Leaves the write-ahead log as it is when the connection closes.
    func keepLogOnClose() {
        _ = freshet_keep_log_on_close(handle)
    }

    /// Whether the open file was renamed or removed, or another file has its name.
    var hasMoved: Bool {
        var hasMoved: CInt = 0
        let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        return code == SQLITE_OK && hasMoved != 0
    }

    /// Runs statements without parameters, and ignores their rows.
    func execute(_ sql: String) throws(DatabaseError) {
        try check(sqlite3_exec(handle, sql, nil, nil, nil))
    }

    /// Runs one statement, and ignores its rows.
    func run(_ sql: String, _ values: [StatementValue]) throws(DatabaseError) {
        _ = try query(sql, values).next()
    }

    /// Begins a query, whose rows are then read one by one.
    func query(_ sql: String, _ values: [StatementValue] = []) throws(DatabaseError) -> Statement {
        try Statement(sql, values, of: self)
    }

    /// Returns the first column of a query's first row as text; `nil`: no row.
    func value(_ sql: String, _ values: [StatementValue] = []) throws(DatabaseError) -> String? {
        let rows = try query(sql, values)
        return try rows.next() ? rows.text(0) : nil
    }

    /// Returns the first column of a query's first row as a number; 0: no row.
    func number(_ sql: String) throws(DatabaseError) -> Int {
        let rows = try query(sql)
        return try rows.next() ? rows.integer(0) : 0
    }

    /// Takes a statement that was prepared before, or prepares one.
    fileprivate func prepare(_ sql: String) throws(DatabaseError) -> OpaquePointer {
        if let statement = prepared.removeValue(forKey: sql) { return statement }
        var statement: OpaquePointer?
        let flags = CUnsignedInt(SQLITE_PREPARE_PERSISTENT)
        try check(sqlite3_prepare_v3(handle, sql, -1, flags, &statement, nil))
        guard let statement else {
            throw DatabaseError(code: SQLITE_MISUSE, message: "there is no statement")
        }
        return statement
    }

    /// Keeps a prepared statement, ready to run again.
    ///
    /// A PRAGMA is prepared anew each time: it may run when it is prepared
    /// (sqlite.org/pragma.html).
    fileprivate func keep(_ statement: OpaquePointer, of sql: String) {
        guard !sql.hasPrefix("PRAGMA") else {
            sqlite3_finalize(statement)
            return
        }
        sqlite3_reset(statement)
        sqlite3_clear_bindings(statement)
        if let other = prepared.updateValue(statement, forKey: sql) { sqlite3_finalize(other) }
    }

    /// Whether no transaction is open.
    var isOutsideTransaction: Bool { sqlite3_get_autocommit(handle) != 0 }

    /// Ends the transaction of an error; if this fails, too, the caller closes the connection.
    func rollBack() {
        guard !isOutsideTransaction else { return }
        do { try execute("ROLLBACK") } catch {}
    }

    /// Runs a checkpoint: moves the whole write-ahead log into the database, and syncs both.
    ///
    /// - Parameter mode: `SQLITE_CHECKPOINT_PASSIVE` or `…_TRUNCATE`.
    /// - Throws: ``DatabaseError``, also when a part of the log could not be moved.
    func checkpoint(_ mode: CInt = SQLITE_CHECKPOINT_PASSIVE) throws(DatabaseError) {
        var (pages, moved): (CInt, CInt) = (0, 0)
        try check(sqlite3_wal_checkpoint_v2(handle, nil, mode, &pages, &moved))
        guard pages == moved else {
            throw DatabaseError(code: SQLITE_BUSY, message: "the log is not moved as a whole")
        }
        logPages.pointee = 0
    }

    /// Throws for any code but `SQLITE_OK`.
    func check(_ code: CInt) throws(DatabaseError) {
        guard code != SQLITE_OK else { return }
        throw DatabaseError(code: code, message: Database.message(code, handle))
    }

    /// Returns SQLite's message for an error, with the system's reason if there is one.
    private static func message(_ code: CInt, _ handle: OpaquePointer) -> String {
        let message = String(cString: sqlite3_errmsg(handle))
        let number = sqlite3_system_errno(handle)
        guard [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xFF), number != 0 else {
            return message
        }
        return "\(message): \(SystemError.words(number))"
    }

    /// Begins to copy `source` into this database.
    func backup(from source: Database) throws(DatabaseError) -> Backup {
        guard let backup = sqlite3_backup_init(handle, "main", source.handle, "main") else {
            throw DatabaseError(
                code: sqlite3_errcode(handle),
                message: String(cString: sqlite3_errmsg(handle))
            )
        }
        return Backup(backup, source: source, destination: self)
    }

    /// A copy of a database under way, made in steps.
    final class Backup {
        private let handle: OpaquePointer
        /// The databases, which must stay open until the copy ends (sqlite3_backup_finish).
        private let (source, destination): (Database, Database)

        fileprivate init(_ handle: OpaquePointer, source: Database, destination: Database) {
            self.handle = handle
            (self.source, self.destination) = (source, destination)
        }

        deinit { sqlite3_backup_finish(handle) }

        /// Copies the next pages, all that are left if the number is negative; returns whether all
        /// are copied.
        func step(pages: Int) throws(DatabaseError) -> Bool {
            let code = sqlite3_backup_step(handle, CInt(pages))
            switch code {
            case SQLITE_DONE: return true
            case SQLITE_OK: return false
            default:
                let message = String(cString: sqlite3_errstr(code))
                throw DatabaseError(code: code, message: message)
            }
        }
    }
}

/// A statement of SQLite that runs once; columns are counted from 0.
///
/// The database keeps the prepared statement for the next run when this object ends.
final class Statement {
    private let sql: String
    private let handle: OpaquePointer
    private let database: Database

    fileprivate init(
        _ sql: String,
        _ values: [StatementValue],
        of database: Database
    ) throws(DatabaseError) {
        (self.sql, self.database) = (sql, database)
        handle = try database.prepare(sql)
        for (index, value) in values.enumerated() {
            let index = CInt(index + 1)
            switch value {
            case .integer(let value):
                try database.check(sqlite3_bind_int64(handle, index, Int64(value)))
            case .bits(let value):
                let bits = Int64(bitPattern: value)
                try database.check(sqlite3_bind_int64(handle, index, bits))
            case .real(let value): try database.check(sqlite3_bind_double(handle, index, value))
            case .text(let value):
                let count = UInt64(value.utf8.count)
                try database.check(freshet_bind_text(handle, index, value, count))
            case .blob(let bytes) where bytes.isEmpty:
                try database.check(sqlite3_bind_zeroblob(handle, index, 0))
            case .blob(let bytes):
                try database.check(freshet_bind_blob(handle, index, bytes, UInt64(bytes.count)))
            }
        }
    }

    deinit { database.keep(handle, of: sql) }

    /// Goes to the next row, at first to the first one, and returns whether there is a row.
    func next() throws(DatabaseError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code:
            try database.check(code)
            return false
        }
    }
}

/// Reads the current row.
extension Statement: StoredRow {
    func bits(_ column: Int) -> UInt64 {
        UInt64(bitPattern: sqlite3_column_int64(handle, CInt(column)))
    }

    func real(_ column: Int) -> Double { sqlite3_column_double(handle, CInt(column)) }

    func blob(_ column: Int) -> [UInt8] {
        guard let start = sqlite3_column_blob(handle, CInt(column)) else { return [] }
        let count = Int(sqlite3_column_bytes(handle, CInt(column)))
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    func damage(_ words: String) -> DatabaseError {
        DatabaseError(code: SQLITE_CORRUPT, message: words)
    }
}
