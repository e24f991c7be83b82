import CSQLite
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

    /// Opens a database, which is made if it does not exist.
    convenience init(path: String) throws(DatabaseError) {
        try self.init(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    }

    /// Opens an existing database.
    ///
    /// - Parameters:
    ///   - name: The database's path, or a URI; with a URI it is opened for reading only.
    ///   - isURI: Whether the name is a URI.
    convenience init(name: String, isURI: Bool) throws(DatabaseError) {
        try self.init(name, isURI ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI : SQLITE_OPEN_READWRITE)
    }

    private init(_ name: String, _ mode: CInt) throws(DatabaseError) {
        var handle: OpaquePointer?
        let flags = mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(name, &handle, flags, nil)
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

    /// Prepares a statement for repeated use.
    func prepare(_ sql: String) throws(DatabaseError) -> Statement {
        var statement: OpaquePointer?
        let flags = CUnsignedInt(SQLITE_PREPARE_PERSISTENT)
        try check(sqlite3_prepare_v3(handle, sql, -1, flags, &statement, nil))
        guard let statement = statement else {
            throw DatabaseError(code: SQLITE_MISUSE, message: "there is no statement")
        }
        return Statement(statement, of: self)
    }

    /// Runs a query, and returns the first column of the first row as text; `nil`: no row.
    func value(_ sql: String) throws(DatabaseError) -> String? {
        let statement = try prepare(sql)
        return try statement.next() ? statement.text(0) : nil
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

        /// Copies the next pages.
        ///
        /// - Returns: Whether all pages are copied.
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
