import CSQLite
import FeedModel

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Checks a data folder without changing anything in it.
extension DataFolder {
    /// The condition of a data folder.
    package enum Condition: Sendable, Equatable {
        /// A quick check finds nothing wrong.
        case sound
        /// The folder has no feeds yet.
        case empty
        /// Another process, named here, has the folder open, so that it cannot be checked.
        case inUse(String)
        /// The folder is a copy: a server starts with it only with `--adopt`.
        case copied
        /// A server starts with the folder, but something may be lost; the text says what.
        case doubtful(String)
        /// A server refuses the folder, or a part of it; the text says why.
        case damaged(String)
    }

    /// Checks a folder's database and log as a server does before it opens them.
    ///
    /// The pages of the database are checked (`PRAGMA quick_check`), not the records in them;
    /// ``examine(adopts:)`` reads everything. A server that is started meanwhile finds the folder
    /// in use.
    ///
    /// - Parameter path: The path of the folder.
    package static func condition(of path: String) -> Condition {
        let lock = open(path + "/lock", O_RDONLY | O_CLOEXEC)
        defer { close(lock) }
        if lock >= 0, flock(lock, LOCK_SH | LOCK_NB) != 0 { return .inUse(firstLine(lock)) }
        if byteCount(path + "/restored.whole") != nil {
            return .doubtful("a restore was cut off; the next server to start ends it")
        }
        let (database, log) = (path + "/feeds.db", path + "/feeds.db-wal")
        guard let count = byteCount(database) else {
            return byteCount(log) == nil ? .empty : .damaged("\(log) is there without its database")
        }
        if let problem = emptyProblem(database, lock: lock) { return .damaged(problem) }
        if count == 0 { return .doubtful("\(database) is empty: the server begins anew") }
        if let problem = logProblem(log, least: leastLogByteCount(lock)) {
            return .damaged(problem)
        }
        let directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(directory) }
        guard let identity = try? identity(of: database, in: directory) else {
            return .damaged("\(path) cannot be read")
        }
        return condition(ofDatabase: database, log: log, identity)
    }

    private static func condition(
        ofDatabase path: String,
        log: String,
        _ identity: [String: String]
    ) -> Condition {
        do throws(DatabaseError) {
            let database = try Database(looking: path, hasLog: (byteCount(log) ?? 0) > 0)
            let report = try database.value("PRAGMA quick_check(3)") ?? ""
            guard report == "ok" else {
                let lines = report.split(separator: "\n").joined(separator: "; ")
                return .damaged("\(path) is damaged: \(lines)")
            }
            try database.checkObjects()
            switch try JournalOwner(database, identity) {
            case .folder, .nobody: break
            case .other: return .copied
            case .backup: return .damaged("\(path) is a backup that was put there by hand")
            }
        } catch {
            // The error is caused by a process without the lock, such as SQLite's own shell.
            if error.isBusy { return .inUse("a process that has \(path) open") }
            return .damaged("\(path) is damaged: \(error)")
        }
        guard LogScan.hasBrokenHead(log) else { return .sound }
        return .doubtful("the head of \(log) is damaged: what is in it does not count")
    }
}

extension Database {
    /// Opens an existing database for reading, without changing it or its log and without making
    /// any file.
    ///
    /// - Parameter hasLog: Whether the log is not empty. Then no other process may have the
    ///   database open.
    convenience init(looking path: String, hasLog: Bool) throws(DatabaseError) {
        guard hasLog else {
            // SQLite would make a log and an index of it (sqlite.org/uri.html, "immutable").
            let uri = "file:\(path.percentEncoded)?immutable=1"
            try self.init(path: uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
            return
        }
        try self.init(path: path, SQLITE_OPEN_READWRITE)
        keepLogOnClose()
        // In this mode SQLite makes no file for the log's index.
        try execute("PRAGMA locking_mode = EXCLUSIVE")
    }
}
