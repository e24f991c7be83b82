import CSQLite
import Dispatch
import FeedModel
package import FeedStore
import Platform

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Putting a backup in place, and looking a folder over.
extension DataFolder {
    /// The numbers of feeds, versions and items in a folder.
    package struct Contents: Sendable, Equatable {
        package var feeds = 0
        package var versions = 0
        package var items = 0
    }

    /// Puts a backup in a folder, which is made if it does not exist, and removed again if the
    /// restore fails.
    ///
    /// The parameters, result and errors are the ones of ``restore(_:replaces:)``.
    package static func restore(
        _ file: String,
        to path: String,
        replaces: Bool
    ) throws(JournalError) -> Contents {
        var status = stat()
        let isNew = stat(path, &status) != 0
        do throws(JournalError) {
            return try DataFolder(path).restore(file, replaces: replaces)
        } catch {
            if isNew {
                unlink(path + "/lock")
                rmdir(path)
            }
            throw error
        }
    }

    /// Replaces the feeds in the folder by a backup.
    ///
    /// All feeds get new epochs: readers may have seen later versions than the backup has. The
    /// whole backup is read first; if something in it is damaged, the feeds in the folder stay. If
    /// this is killed or the power is cut at any time, the folder has either the old feeds or the
    /// backup, whole.
    ///
    /// - Parameters:
    ///   - file: A backup.
    ///   - replaces: Whether feeds in the folder may be replaced.
    /// - Returns: The numbers of feeds, versions and items that were restored.
    /// - Throws: ``JournalError``.
    package func restore(_ file: String, replaces: Bool) throws(JournalError) -> Contents {
        guard replaces || Self.byteCount(database) == nil else {
            throw JournalError("\(path) has feeds already; --replace lets them go")
        }
        let contents: Contents
        do throws(JournalError) {
            contents = try Self.prepare(file, in: part)
        } catch {
            try? FileCopy.remove(part)
            throw error
        }
        // Up to here the old feeds count; from here on the backup counts, whatever happens.
        guard rename(part, restored) == 0 else {
            throw JournalError("cannot rename \(part) to \(restored): \(SystemError.words())")
        }
        try syncNames()
        try finishRestore()
        return contents
    }

    /// Makes a folder of a backup, reads all of it, and syncs it.
    private static func prepare(
        _ file: String,
        in folder: String
    ) throws(JournalError) -> Contents {
        let copy = try DataFolder(folder)
        try FileCopy.copy(file, to: copy.database)
        guard !isBlank(copy.database) else {
            throw JournalError("\(file) is no backup: nothing of a server's is in it")
        }
        let contents = try copy.adoptAll(naming: file)
        try fill(copy.database, upTo: 0)
        try copy.syncNames()
        return contents
    }

    /// Whether a file is empty, or a database without an owner: with those a server begins anew.
    private static func isBlank(_ path: String) -> Bool {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        var head = [UInt8](repeating: 0, count: 72)
        let count = pread(file, &head, head.count, 0)
        guard count == head.count, head.starts(with: "SQLite format 3\0".utf8) else {
            return count == 0
        }
        // These are the tables' own version, and the application's number
        // (sqlite.org/fileformat2.html, 1.3).
        return (head[60..<64] + head[68..<72]).allSatisfy { $0 == 0 }
    }

    /// A copy of a backup that is being read and does not count yet.
    private var part: String { path + "/restored.part" }

    /// Removes the files of a restore that was killed before the backup counted; they take as much
    /// room as the feeds. Files that no restore makes stay, and so does the folder then.
    func removeUnfinishedRestore() {
        var status = stat()
        guard lstat(part, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return }
        try? FileCopy.remove(part)
    }

    /// A backup that is about to be put in place.
    private var restored: String { path + "/restored.whole" }

    /// Puts a backup in place that counts already, or finishes that after a crash.
    func finishRestore() throws(JournalError) {
        guard Self.byteCount(restored) != nil else { return }
        let copy = restored + "/feeds.db"
        if Self.byteCount(copy) != nil {
            // SQLite would take the old log for one of the new file.
            for name in [log, database + "-shm", database + "-journal"] {
                guard unlink(name) == 0 || errno == ENOENT else {
                    throw JournalError("cannot remove \(name): \(SystemError.words())")
                }
            }
            try note(leastLogByteCount: nil)
            try syncNames()
        }
        // A restore that an earlier server began has the file beside its database.
        let sources = path + "/" + DataFolder.oldSources
        guard
            rename(restored + "/" + DataFolder.oldSources, sources) == 0 || unlink(sources) == 0
                || errno == ENOENT
        else { throw JournalError("cannot remove \(sources): \(SystemError.words())") }
        if Self.byteCount(copy) != nil { try FileMove.move(copy, to: database) }
        try syncNames()
        try FileCopy.remove(restored)
    }

    /// Gives the copy new epochs, reads and checks it whole, and makes it one file without an
    /// owner.
    ///
    /// - Parameter file: The backup that this is a copy of: errors name it, since the caller knows
    ///   that name, unless the disk here is full.
    /// - Returns: The copy's numbers of feeds, versions and items.
    private func adoptAll(naming file: String) throws(JournalError) -> Contents {
        let contents: Contents
        do throws(JournalError) {
            contents = try examine(adopts: true)
        } catch {
            guard !error.isFull else { throw error }
            throw JournalError(
                error.description.replacing(database, with: file)
                    .replacing("Restore a backup", with: "Take another backup")
            )
        }
        do throws(DatabaseError) {
            let database = try Database(path: database)
            _ = try database.value("PRAGMA journal_mode = DELETE")
            try database.execute("DELETE FROM note WHERE name IN ('file', 'folder', 'made')")
        } catch {
            throw JournalError("\(database): \(error)")
        }
        return contents
    }

    /// Reads and checks everything in the folder.
    ///
    /// - Throws: ``JournalError`` that names the damaged part.
    package func examine(adopts: Bool = false) throws(JournalError) -> Contents {
        guard Self.byteCount(database) != nil else {
            throw JournalError("\(path) has no feeds: there is no \(database)")
        }
        var settings = SQLiteJournal.Settings { Double(time(nil)) }
        settings.adopts = adopts
        settings.logByteCount = 1 << 16
        let journal = try SQLiteJournal(self, settings)
        defer { journal.close() }
        let report = journal.queue.sync { () -> String in
            do throws(DatabaseError) {
                let database = journal.writer.connection?.database
                return try database?.value("PRAGMA integrity_check") ?? "it is not open"
            } catch {
                return error.description
            }
        }
        guard report == "ok" else {
            let lines = report.split(separator: "\n").joined(separator: "; ")
            throw JournalError("\(database) is damaged: \(lines)\nRestore a backup.")
        }
        var contents = Contents()
        _ = try journal.recover { feed in
            contents.feeds += 1
            contents.versions += feed.versions.count
            contents.items += feed.versions.last?.snapshot.count ?? 0
        }
        return contents
    }
}

/// Copies and removes whole files.
enum FileCopy {
    static func copy(_ source: String, to target: String) throws(JournalError) {
        let input = open(source, O_RDONLY | O_CLOEXEC)
        guard input >= 0 else {
            throw JournalError("cannot read \(source): \(SystemError.words())")
        }
        defer { close(input) }
        let output = open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard output >= 0 else {
            throw JournalError("cannot write \(target): \(SystemError.words())")
        }
        defer { close(output) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = read(input, &buffer, buffer.count)
            guard count >= 0 else {
                throw JournalError("cannot read \(source): \(SystemError.words())")
            }
            if count == 0 { break }
            try append(buffer[..<count], to: output, target)
        }
        guard fsync(output) == 0 else {
            throw JournalError("cannot sync \(target): \(SystemError.words())")
        }
    }

    /// Writes bytes in several calls if need be: with hardly any room on the disk, a call may write
    /// only a part.
    private static func append(
        _ bytes: ArraySlice<UInt8>,
        to file: CInt,
        _ path: String
    ) throws(JournalError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            guard count > 0 else {
                throw JournalError("cannot write \(path): \(SystemError.words())")
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Removes a data folder with its files.
    static func remove(_ path: String) throws(JournalError) {
        let own = [
            "feeds.db", "feeds.db-wal", "feeds.db-shm", "feeds.db-journal", "reserve", "lock",
            DataFolder.oldSources, DataFolder.oldSources + ".absent",
        ]
        for name in own { unlink(path + "/" + name) }
        guard rmdir(path) == 0 else {
            throw JournalError("cannot remove \(path): \(SystemError.words())")
        }
    }
}
