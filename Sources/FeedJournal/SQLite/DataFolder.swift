import CLinux
package import FeedStore
import Platform

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The folder in which a server keeps its feeds, locked against other processes while this object
/// exists.
///
/// - `feeds.db`, `feeds.db-wal`: the SQLite database and its write-ahead log.
/// - `lock`: locked by the process that has the folder open; names the process, and the least
///   length of the log.
/// - `reserve`: room that is freed when the disk is full, so that feeds can be deleted.
/// - `restored.part`: a backup that is being read; after a killed restore, it is removed.
/// - `restored.whole`: a backup whose restore was interrupted; the next process that opens the
///   folder finishes it.
/// - `control.sock`: the socket on which the running server takes orders for backups.
package final class DataFolder: Sendable {
    package let path: String
    /// The descriptor of the lock file.
    let lock: CInt
    /// The descriptor of the folder.
    let directory: CInt

    package var database: String { path + "/feeds.db" }
    package var log: String { path + "/feeds.db-wal" }
    package var socket: String { path + "/control.sock" }
    var reserve: String { path + "/reserve" }

    /// Opens and locks a folder, which is made if it does not exist.
    ///
    /// - Throws: ``JournalError`` when the folder cannot be written to, or another process has it.
    package init(_ path: String) throws(JournalError) {
        self.path = path
        let isNew = mkdir(path, 0o700) == 0
        try Self.check(isNew || errno == EEXIST, "make the folder \(path)")
        if isNew { try Self.syncFolder(of: path) }
        directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try Self.check(directory >= 0, "open the folder \(path)")
        lock = open(path + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        // From here on `deinit` closes both, also after an error.
        try Self.check(lock >= 0, "write to the folder \(path)")
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            let owner = Self.firstLine(lock)
            let words = owner.isEmpty ? "" : " (\(owner))"
            throw JournalError("\(path) is in use by another process\(words)")
        }
        try finishRestore()
        removeUnfinishedRestore()
    }

    deinit {
        close(lock)
        close(directory)
    }

    /// Whether a path is one of the folder's own files, even if the file does not exist.
    func isOwnFile(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let names = [
            "feeds.db", "lock", "reserve", "control.sock", DataFolder.oldSources,
            "restored.part", "restored.whole",
        ]
        let name = parts.last.map(String.init) ?? ""
        let isNamed = names.contains { name == $0 || name.hasPrefix($0 + "-") }
        guard isNamed else { return false }
        let parent = parts.count > 1 ? parts.dropLast().joined(separator: "/") + "/" : "."
        var (own, other) = (stat(), stat())
        guard fstat(directory, &own) == 0, stat(parent, &other) == 0 else { return false }
        return own.st_dev == other.st_dev && own.st_ino == other.st_ino
    }

    /// Unlocks the folder for other processes.
    func release() {
        flock(lock, LOCK_UN)
    }

    private static func read(_ descriptor: CInt) -> String {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}

/// Reads and writes the lock file.
extension DataFolder {
    /// Returns the least length of the log in bytes, as noted in the lock file by the last process
    /// that had the folder open; `nil`: that process was stopped properly.
    static func leastLogByteCount(_ lock: CInt) -> Int? {
        let lines = read(lock).split(separator: "\n")
        return lines.lazy.compactMap { line in
            line.hasPrefix("log ") ? Int(line.dropFirst(4)) : nil
        }.first
    }

    /// Returns the problem of an empty database file; `nil`: the file is not empty, or the folder
    /// is new.
    ///
    /// SQLite would make a new database, and drop the log.
    static func emptyProblem(_ database: String, lock: CInt) -> String? {
        // A server writes the lock file once the database is complete.
        guard byteCount(database) == 0, !firstLine(lock).isEmpty else { return nil }
        return "\(database) is empty, though feeds were kept there"
    }

    /// Returns the name of the process that has the folder open; empty: the lock file does not say.
    static func firstLine(_ lock: CInt) -> String {
        read(lock).split(separator: "\n").first.map(String.init) ?? ""
    }

    /// Returns the problem of a log that is shorter than its server left it, or damaged before its
    /// last transaction; `nil`: the log is sound.
    ///
    /// SQLite would take such a log for an unfinished write after a power cut, and drop its end.
    static func logProblem(_ log: String, least: Int?) -> String? {
        let what: String
        let count = byteCount(log) ?? 0
        if let least, count < least {
            what = "has \(count) bytes, and the server left at least \(least)"
        } else if let frame = LogScan.damagedFrame(log) {
            what = "is damaged at frame \(frame)"
        } else {
            return nil
        }
        return "\(log) \(what): publishes that were acknowledged may be lost"
    }

    /// Writes the lock file: this process, and the least length of the log.
    ///
    /// - Parameter leastLogByteCount: The least length of the log from now on, in bytes; `nil`: the
    ///   log may have any length, since all of it was moved into the database.
    func note(leastLogByteCount: Int?) throws(JournalError) {
        let log = leastLogByteCount.map { "log \($0)\n" } ?? ""
        // The content always has the same length, so that nothing of an earlier one is left.
        let text = "process \(getpid())\n\(log)"
        let bytes = Array(text.utf8) + Array(repeating: UInt8(ascii: "\n"), count: 64)
        let isWritten = pwrite(lock, bytes, min(bytes.count, 64), 0) == 64 && fsync(lock) == 0
        try Self.check(isWritten, "write \(path)/lock")
    }
}

/// Files in the folder.
extension DataFolder {
    /// Throws the system's error (`errno`) if an action, in words such as "sync feeds.db", has
    /// failed.
    static func check(
        _ isDone: Bool,
        _ action: @autoclosure () -> String
    ) throws(JournalError) {
        guard !isDone else { return }
        let code = errno
        throw JournalError(
            "cannot \(action()): \(SystemError.words(code))",
            isFull: code == ENOSPC || code == EDQUOT
        )
    }

    /// Syncs the folder itself, so that new and renamed files survive a power cut.
    func syncNames() throws(JournalError) {
        try Self.check(fsync(directory) == 0, "sync the folder \(path)")
    }

    /// Returns the length of a file in bytes; `nil`: there is no such file.
    static func byteCount(_ path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }

    /// Returns numbers that distinguish a database in an open folder from a copy: the inodes of
    /// file and folder, and the file's creation time.
    ///
    /// The device's number is left out: it may change when the machine starts.
    static func identity(
        of database: String,
        in directory: CInt
    ) throws(JournalError) -> [String: String] {
        let file = open(database, O_RDONLY | O_CLOEXEC)
        // Closing a descriptor releases all POSIX locks of its file, so this must be called before
        // SQLite takes any.
        defer { close(file) }
        var (status, folder) = (stat(), stat())
        let isRead = file >= 0 && fstat(file, &status) == 0 && fstat(directory, &folder) == 0
        try check(isRead, "read \(database)")
        return [
            "file": String(status.st_ino), "folder": String(folder.st_ino),
            "made": String(freshet_birthTime(file)),
        ]
    }

    /// Extends a file with zeros to a length in bytes, and syncs it.
    ///
    /// Its content stays.
    static func fill(_ path: String, upTo byteCount: Int) throws(JournalError) {
        let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        try check(file >= 0, "write \(path)")
        defer { close(file) }
        var offset = Int(lseek(file, 0, SEEK_END))
        let zeros = [UInt8](repeating: 0, count: 1 << 18)
        while offset < byteCount {
            let count = pwrite(file, zeros, min(zeros.count, byteCount - offset), off_t(offset))
            try check(count > 0, "write \(path)")
            offset += count
        }
        try check(fsync(file) == 0, "sync \(path)")
    }

    /// Syncs a file, renames it, and syncs its folder, so that the new name survives a power cut.
    package static func move(_ part: String, to path: String) throws(JournalError) {
        try fill(part, upTo: 0)
        try check(rename(part, path) == 0, "rename \(part) to \(path)")
        try syncFolder(of: path)
    }

    /// Syncs the folder that contains a file or folder.
    static func syncFolder(of path: String) throws(JournalError) {
        let slash = path.dropLast(path.hasSuffix("/") ? 1 : 0).lastIndex(of: "/")
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(descriptor) }
        try check(descriptor >= 0 && fsync(descriptor) == 0, "sync \(folder)")
    }

    /// Writes all bytes of the write-ahead log again, and syncs them.
    ///
    /// After a failed sync, the data is only in the system's cache, which counts it as written. The
    /// log must be on the disk before it is moved into the database: a power cut during that move
    /// would leave a part of a transaction in the database, and the rest nowhere.
    func rewriteLog() throws(JournalError) {
        let file = open(log, O_RDWR | O_CLOEXEC)
        if file < 0, errno == ENOENT { return }
        try Self.check(file >= 0, "write \(log)")
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        var offset = off_t(0)
        while true {
            let count = pread(file, &buffer, buffer.count, offset)
            try Self.check(count >= 0, "read \(log)")
            if count == 0 { break }
            try Self.check(pwrite(file, buffer, count, offset) == count, "write \(log)")
            offset += off_t(count)
        }
        try Self.check(fsync(file) == 0, "sync \(log)")
    }

    /// The number of free bytes on the disk.
    var freeByteCount: Int {
        var status = statvfs()
        guard fstatvfs(directory, &status) == 0 else { return 0 }
        return Int(status.f_bavail) * Int(status.f_frsize)
    }

    /// Makes or extends the reserve file: a sixteenth of the free room, or up to a quarter if a
    /// sixteenth is less than needed; at most 16 MiB.
    ///
    /// - Parameter takesAll: Whether all free room may be taken to reach the needed bytes.
    func makeReserve(least: Int, takesAll: Bool = false) {
        let present = Self.byteCount(reserve) ?? 0
        let free = freeByteCount + present
        let count = min(16 << 20, max(free / 16, min(least, takesAll ? free : free / 4)))
        guard present < count else { return }
        // A server works without a reserve until the disk is full; then a part of a reserve is
        // better than none.
        do { try Self.fill(reserve, upTo: count) } catch { if !takesAll { freeReserve() } }
    }

    /// Removes the reserve file, so that its room can be used.
    func freeReserve() { unlink(reserve) }
}
