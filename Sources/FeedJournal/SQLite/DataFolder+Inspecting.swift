import FeedModel

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Looking at a folder without changing anything in it.
extension DataFolder {
    /// The condition of a folder.
    package enum Condition: Sendable, Equatable {
        /// A quick look finds nothing wrong.
        case sound
        /// There are no feeds yet.
        case empty
        /// A process has the folder open, which the lock file names: only that process can look.
        case inUse(String)
        /// No server starts with the folder without being told to, since it is a copy.
        case copied
        /// A server starts with the folder, and something may be lost; in words.
        case doubtful(String)
        /// No server starts with the folder, or not with all of it; in words.
        case damaged(String)
    }

    /// Looks at a folder's database and log as a server does before it opens them.
    ///
    /// The pages of the database are checked (`PRAGMA quick_check`), not the records in them;
    /// ``examine(adopts:)`` reads everything. A server that is started meanwhile finds the folder
    /// in use.
    ///
    /// - Parameter path: The folder.
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
        let identity = (try? identity(of: database, in: directory)) ?? [:]
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
    /// Opens a database that is there, to look at it alone: neither it nor its log is changed, and
    /// no file is made.
    ///
    /// - Parameter hasLog: Whether the log is not empty. Then no other process may have the
    ///   database open.
    convenience init(looking path: String, hasLog: Bool) throws(DatabaseError) {
        guard hasLog else {
            // SQLite would make a log and an index of it (sqlite.org/uri.html, "immutable").
            try self.init(name: "file:\(path.percentEncoded)?immutable=1", isURI: true)
            return
        }
        try self.init(name: path, isURI: false)
        keepLogOnClose()
        // Without a file for the log's index.
        try execute("PRAGMA locking_mode = EXCLUSIVE")
    }
}
