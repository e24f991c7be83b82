import CSQLite
import Dispatch
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Copies that are made while the journal works.
extension SQLiteJournal {
    /// A copy that is wanted.
    struct BackupOrder {
        let path: String
        let completion: @Sendable (Result<Int, JournalError>) -> Void
    }

    /// Writes a copy of everything that is durable, in steps between which publishes go on.
    ///
    /// One after the other: two of one name would write into one file.
    ///
    /// - Parameters:
    ///   - path: The file, which appears when it is whole and synced, in the place of one that is
    ///     there.
    ///   - completion: Gets its bytes, or why there is none.
    package func backup(
        to path: String,
        completion: @escaping @Sendable (Result<Int, JournalError>) -> Void
    ) {
        let order = BackupOrder(path: path, completion: completion)
        let isFirst = backups.withLock { orders in
            orders.append(order)
            return orders.count == 1
        }
        if isFirst { begin(order) }
    }

    private func begin(_ order: BackupOrder) {
        queue.async {
            do throws(JournalError) {
                try self.checkOpen()
                try self.copy(JournalBackup(of: self.writer, to: order.path))
            } catch {
                self.end(.failure(error))
            }
        }
    }

    /// Copies the next pages, and goes on in the next turn of the queue.
    private func copy(_ backup: JournalBackup) throws(JournalError) {
        guard try !backup.step(of: writer) else {
            return end(.success(try backup.finish(with: writer.folder)))
        }
        queue.async {
            do throws(JournalError) {
                try self.checkOpen()
                try self.copy(backup)
            } catch {
                self.end(.failure(error))
            }
        }
    }

    private func checkOpen() throws(JournalError) {
        guard !inbox.withLock(\.isClosed) else { throw JournalError("the server is stopping") }
    }

    /// Waits until those who wait for a copy are told that there will be none, and nothing is left
    /// of it.
    func endBackups() {
        while !backups.withLock(\.isEmpty) { queue.sync {} }
        queue.sync {}
    }

    /// Tells of the copy that was made, or could not be, and begins the next.
    private func end(_ result: Result<Int, JournalError>) {
        let (order, next) = backups.withLock { orders in (orders.removeFirst(), orders.first) }
        order.completion(result)
        if let next { begin(next) }
    }
}

/// A copy under way; it is used on the journal's queue alone.
///
/// `@unchecked Sendable`: see above; ``JournalWriter`` asserts the queue.
final class JournalBackup: @unchecked Sendable {
    private let path: String
    private var copy: (database: Database, backup: Database.Backup)?
    /// The connection that is copied from; another one has other content.
    private let source: Database

    private let part: String
    /// Open, and locked, for as long as this is there.
    private let lock: CInt
    /// Whether the copy has its name.
    private var isMoved = false

    init(of writer: JournalWriter, to path: String) throws(JournalError) {
        guard let source = writer.connection?.database else {
            throw JournalError("the journal is not open")
        }
        guard !writer.folder.isOwnFile(path) else {
            throw JournalError("\(path) is a file that the server works with: name another")
        }
        guard Self.mayReplace(path) else {
            throw JournalError("\(path) is there, and is no file: name another")
        }
        self.path = path
        self.source = source
        part = path + ".part"
        lock = try Self.makePart(of: path)
        do throws(DatabaseError) {
            let database = try Database(path: part)
            copy = (database, try database.backup(from: source))
        } catch {
            throw JournalError("\(part): \(error)")
        }
    }

    deinit {
        copy = nil
        if !isMoved { unlink(part) }
        close(lock)
    }

    /// Whether a copy may take the place of what is there: nothing, a file, or a link, which leads
    /// elsewhere. A server that runs as root would replace a device, such as `/dev/null`.
    private static func mayReplace(_ path: String) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else { return true }
        return [S_IFREG, S_IFLNK].contains(status.st_mode & S_IFMT)
    }

    /// Makes the file that is written, which nobody else may read: SQLite would go by the umask.
    ///
    /// - Returns: The file, open and locked: another server may be told to write to the same place.
    private static func makePart(of path: String) throws(JournalError) -> CInt {
        let part = path + ".part"
        try removeRest(part, of: path)
        let descriptor = open(part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            if errno == EEXIST { throw isTaken(path) }
            let reason = DataFolder.reason()
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

    /// Removes what a server left that ended while it wrote.
    private static func removeRest(_ part: String, of path: String) throws(JournalError) {
        let descriptor = open(part, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            // No file, or none that can be read: what makes one says why.
            if errno != ENOENT { unlink(part) }
            return
        }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw isTaken(path) }
        if isAt(part, descriptor) { unlink(part) }
    }

    /// Whether a file that is open still has its name.
    private static func isAt(_ path: String, _ descriptor: CInt) -> Bool {
        var (own, other) = (stat(), stat())
        guard fstat(descriptor, &own) == 0, lstat(path, &other) == 0 else { return false }
        return own.st_dev == other.st_dev && own.st_ino == other.st_ino
    }

    private static func isTaken(_ path: String) -> JournalError {
        JournalError("another server is writing a backup to \(path)")
    }

    /// Copies some pages.
    ///
    /// - Returns: Whether that was all.
    func step(of writer: JournalWriter) throws(JournalError) -> Bool {
        dispatchPrecondition(condition: .onQueue(writer.queue))
        guard let copy, writer.connection?.database === source else {
            throw JournalError("the journal was opened anew meanwhile: try again")
        }
        do throws(DatabaseError) {
            return try copy.backup.step(pages: 256)
        } catch {
            throw JournalError("\(part): \(error)")
        }
    }

    /// Marks the copy as one, adds what else is in the folder, and gives it its name.
    ///
    /// - Returns: Its bytes.
    func finish(with folder: DataFolder) throws(JournalError) -> Int {
        copy = nil
        do throws(DatabaseError) {
            let database = try Database(path: part)
            _ = try database.value("PRAGMA journal_mode = DELETE")
            try database.execute(
                """
                DELETE FROM note WHERE name IN ('file', 'folder', 'made');
                INSERT OR REPLACE INTO note VALUES('backup', 'yes')
                """
            )
            try database.addCompanions(of: folder)
        } catch {
            throw JournalError("\(part): \(error)")
        }
        try FileMove.move(part, to: path)
        isMoved = true
        return DataFolder.byteCount(path) ?? 0
    }
}

/// Giving a file its name for good.
enum FileMove {
    /// Syncs a file, gives it another name, and syncs that.
    static func move(_ part: String, to path: String) throws(JournalError) {
        try DataFolder.fill(part, upTo: 0)
        guard rename(part, path) == 0 else {
            throw JournalError("cannot rename \(part) to \(path): \(DataFolder.reason())")
        }
        try syncFolder(of: path)
    }

    /// Syncs the folder that a file or folder is in.
    static func syncFolder(of path: String) throws(JournalError) {
        let slash = path.dropLast(path.hasSuffix("/") ? 1 : 0).lastIndex(of: "/")
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(descriptor) }
        guard descriptor >= 0, fsync(descriptor) == 0 else {
            throw JournalError("cannot sync \(folder): \(DataFolder.reason())")
        }
    }
}
