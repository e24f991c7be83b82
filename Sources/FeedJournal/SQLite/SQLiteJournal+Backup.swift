import Dispatch
package import FeedStore
import Platform

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Backups that are made while the journal works.
extension SQLiteJournal {
    /// Writes a backup: a copy of all durable data.
    ///
    /// Publishes go on between its steps.
    ///
    /// - Parameters:
    ///   - path: The file to make; it gets this name when it is complete and synced.
    ///   - completion: Called with the number of bytes of the backup, or with the reason of a
    ///     failure.
    package func backup(
        to path: String,
        replaces: Bool = false,
        completion: @escaping @Sendable (Result<Int, JournalError>) -> Void
    ) {
        backups.async {
            completion(Result { () throws(JournalError) in try self.backup(path, replaces) })
        }
    }

    private func backup(_ path: String, _ replaces: Bool) throws(JournalError) -> Int {
        var backup: JournalBackup?
        // The journal's queue alone uses a backup, and so also frees it.
        defer { queue.sync { backup = nil } }
        while true {
            let byteCount = try queue.sync {
                Result { () throws(JournalError) -> Int? in
                    guard !isClosing else { throw Self.stopping }
                    guard let backup else {
                        backup = try JournalBackup(of: writer, to: path, replaces: replaces)
                        return nil
                    }
                    return try backup.step(of: writer) ? backup.finish() : nil
                }
            }.get()
            if let byteCount { return byteCount }
        }
    }
}

/// A backup under way, which is used on the journal's queue alone.
final class JournalBackup {
    private let path: String
    private var copy: (database: Database, backup: Database.Backup)?
    /// The connection to copy from.
    ///
    /// The backup fails if the journal opens another connection, which may have other content.
    private let source: Database

    private let part: String
    /// The descriptor of the file to write, locked while this object exists.
    private let lock: CInt
    /// Whether the copy has its final name.
    private var isMoved = false

    init(of writer: JournalWriter, to path: String, replaces: Bool) throws(JournalError) {
        guard let source = writer.database else {
            throw JournalError("the journal is not open")
        }
        // The path would be checked as a whole, but opened only up to the NUL.
        guard !path.utf8.contains(0) else {
            throw JournalError("the name of a file has no NUL")
        }
        guard !writer.folder.isOwnFile(path), !writer.folder.isOwnFile(path + ".part") else {
            throw JournalError("\(path) is a file that the server works with: name another")
        }
        try Self.checkPlace(path, replaces: replaces)
        self.path = path
        self.source = source
        part = path + ".part"
        lock = try Self.makePart(of: path)
        try attempt { () throws(DatabaseError) in
            let database = try Database(path: part)
            copy = (database, try database.backup(from: source))
        }
    }

    deinit {
        copy = nil
        if !isMoved {
            unlink(part)
            // SQLite leaves it where the disk was full.
            unlink(part + "-journal")
        }
        close(lock)
    }

    /// Throws if there is a file that may not be replaced.
    ///
    /// Only a backup may be replaced: the server may have rights to write files that the caller has
    /// not.
    private static func checkPlace(_ path: String, replaces: Bool) throws(JournalError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard isBackup(path) else {
            throw JournalError("\(path) is there, and is no backup: name another")
        }
        guard replaces else {
            throw JournalError("\(path) is there: --force replaces a backup, or name another")
        }
    }

    /// Whether a file, and not a link, is a database that a server marked as a backup.
    private static func isBackup(_ path: String) -> Bool {
        guard let head = DataFolder.head(path), isOwn(head) else { return false }
        return (try? isMarked(path)) == true
    }

    /// Whether a server marked a database as a backup.
    static func isMarked(_ path: String) throws(DatabaseError) -> Bool {
        let database = try Database(looking: path, hasLog: false)
        return try database.value("SELECT value FROM note WHERE name = 'backup'") == "yes"
    }

    /// Whether a file may be an unfinished backup: it is empty, begins with zeros, or is a server's
    /// database.
    private static func isPart(_ path: String) -> Bool {
        guard let head = DataFolder.head(path) else { return false }
        return head.allSatisfy { $0 == 0 } || isOwn(head)
    }

    private static func isOwn(_ head: [UInt8]) -> Bool {
        DataFolder.isDatabase(head)
            && head[68...].reduce(0) { $0 << 8 | Int($1) } == JournalSchema.application
    }

    /// Makes the file to write, readable only for this user (SQLite would use the umask), and
    /// returns its descriptor, locked: another server may be told to write to the same path.
    private static func makePart(of path: String) throws(JournalError) -> CInt {
        let part = path + ".part"
        try removeRest(part, of: path)
        let descriptor = open(part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            if errno == EEXIST { throw isTaken(path) }
            let reason = SystemError.words()
            let user = getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) }
            let name = user ?? String(geteuid())
            throw JournalError("cannot write \(path): \(reason) (as the server's user \(name))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, isAt(part, descriptor) else {
            close(descriptor)
            throw isTaken(path)
        }
        return descriptor
    }

    /// Removes the unfinished file of a server that was stopped while it wrote a backup.
    private static func removeRest(_ part: String, of path: String) throws(JournalError) {
        let descriptor = open(part, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return }
            throw JournalError("\(part) is there, and is no part of a backup: name another")
        }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw isTaken(path) }
        guard isPart(part) else {
            throw JournalError("\(part) is there, and is no part of a backup: name another")
        }
        if isAt(part, descriptor) { unlink(part) }
    }

    /// Whether an open file still has this path.
    private static func isAt(_ path: String, _ descriptor: CInt) -> Bool {
        var (own, other) = (stat(), stat())
        guard fstat(descriptor, &own) == 0, lstat(path, &other) == 0 else { return false }
        return own.st_dev == other.st_dev && own.st_ino == other.st_ino
    }

    private static func isTaken(_ path: String) -> JournalError {
        JournalError("another server is writing a backup to \(path)")
    }

    /// Copies the next pages, and returns whether all pages are copied.
    func step(of writer: JournalWriter) throws(JournalError) -> Bool {
        dispatchPrecondition(condition: .onQueue(writer.queue))
        guard let copy, writer.database === source else {
            throw JournalError("the journal was opened anew meanwhile: try again")
        }
        return try attempt { () throws(DatabaseError) in try copy.backup.step(pages: 256) }
    }

    /// Marks the copy as a backup, gives it its final name, and returns its number of bytes.
    func finish() throws(JournalError) -> Int {
        copy = nil
        try attempt { () throws(DatabaseError) in
            let database = try Database(path: part)
            try database.disown()
            try database.execute("INSERT OR REPLACE INTO note VALUES('backup', 'yes')")
        }
        try DataFolder.move(part, to: path)
        isMoved = true
        return DataFolder.byteCount(path) ?? 0
    }

    /// Returns the result of `body`; an error names the file.
    private func attempt<Result>(
        _ body: () throws(DatabaseError) -> Result
    ) throws(JournalError) -> Result {
        do throws(DatabaseError) {
            return try body()
        } catch {
            throw JournalError("\(part): \(error)")
        }
    }
}
