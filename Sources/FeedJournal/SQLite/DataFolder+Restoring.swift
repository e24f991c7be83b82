import Dispatch
import FeedModel
package import FeedStore

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Restores a backup, and checks everything in a folder.
extension DataFolder {
    /// The numbers of feeds, versions and items in a folder.
    package struct Contents: Sendable, Equatable {
        package var feeds = 0
        package var versions = 0
        package var items = 0
    }

    /// Restores a backup to a folder; see ``restore(_:replaces:)``.
    ///
    /// A folder that does not exist is made, and removed again if the restore fails.
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
    /// the process is killed or the power is cut at any time, the folder has either all old feeds
    /// or the whole backup.
    ///
    /// - Parameter replaces: Whether feeds in the folder may be replaced.
    package func restore(_ file: String, replaces: Bool) throws(JournalError) -> Contents {
        guard replaces || Self.byteCount(database) == nil else {
            throw JournalError("\(path) has feeds already; --replace lets them go")
        }
        let contents: Contents
        do throws(JournalError) {
            contents = try Self.prepare(file, in: part)
        } catch {
            try? Self.remove(part)
            throw error
        }
        // The rename is the turning point: before it the old feeds are valid, after it the backup.
        try Self.check(rename(part, restored) == 0, "rename \(part) to \(restored)")
        try syncNames()
        try finishRestore()
        return contents
    }

    /// Copies a backup to a folder of its own, reads and checks all of it, and syncs it.
    private static func prepare(
        _ file: String,
        in folder: String
    ) throws(JournalError) -> Contents {
        let copy = try DataFolder(folder)
        try copy.take(file)
        guard !isBlank(copy.database) else {
            throw JournalError("\(file) is no backup: nothing of a server's is in it")
        }
        // The newest publishes may be in the log alone. A damaged database is refused further down.
        guard (try? JournalBackup.isMarked(copy.database)) != false else {
            throw JournalError(
                """
                \(file) is no backup, but the database of a folder, without its log: "freshet \
                backup" makes one, and "serve --adopt" takes a folder that was copied whole
                """
            )
        }
        let contents = try copy.adoptAll(naming: file)
        try fill(copy.database, upTo: 0)
        try copy.syncNames()
        return contents
    }

    /// Copies a database into this new folder, readable only for this user: SQLite would use the
    /// umask.
    private func take(_ file: String) throws(JournalError) {
        var status = stat()
        guard stat(file, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
            throw JournalError("\(file) is not a regular file: write the backup into one first")
        }
        try Self.fill(database, upTo: 0)
        do throws(DatabaseError) {
            let source = try Database(looking: file, hasLog: false)
            _ = try Database(path: database).backup(from: source).step(pages: -1)
        } catch {
            throw error.isDamage
                ? JournalError("\(file) is damaged: \(error). Take another backup")
                : JournalError("cannot copy \(file): \(error)")
        }
    }

    /// Whether a file is empty, or an SQLite database that no server has written: a server would
    /// begin without feeds.
    private static func isBlank(_ path: String) -> Bool {
        guard let head = head(path) else { return false }
        guard !head.isEmpty else { return true }
        // These bytes are the user version and the application id.
        return isDatabase(head) && (head[60..<64] + head[68..<72]).allSatisfy { $0 == 0 }
    }

    /// Returns the first 72 bytes of a file, or fewer if it is shorter; `nil`: it cannot be read,
    /// or is a link.
    static func head(_ path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        var head = [UInt8](repeating: 0, count: 72)
        let count = pread(file, &head, head.count, 0)
        return count < 0 ? nil : Array(head.prefix(count))
    }

    /// Whether the first bytes of a file are those of an SQLite database
    /// (sqlite.org/fileformat2.html, 1.3).
    static func isDatabase(_ head: [UInt8]) -> Bool {
        head.count == 72 && head.starts(with: "SQLite format 3\0".utf8)
    }

    /// The folder of a backup that is being copied and checked; ignored and removed after a crash.
    private var part: String { path + "/restored.part" }

    /// Removes the files of a restore that was killed before the backup was checked; they may be as
    /// large as the feeds.
    ///
    /// Foreign files stay, and then the folder stays, too.
    func removeUnfinishedRestore() {
        var status = stat()
        guard lstat(part, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return }
        try? Self.remove(part)
    }

    /// The folder of a checked backup that replaces the feeds, also after a crash.
    private var restored: String { path + "/restored.whole" }

    /// Moves the checked backup, if there is one, into place.
    ///
    /// A crash may interrupt this at any time: the next call goes on.
    func finishRestore() throws(JournalError) {
        guard Self.byteCount(restored) != nil else { return }
        let copy = restored + "/feeds.db"
        if Self.byteCount(copy) != nil {
            // SQLite would apply the old log to the new database.
            for name in [log, database + "-shm", database + "-journal"] {
                try Self.check(unlink(name) == 0 || errno == ENOENT, "remove \(name)")
            }
            try note(leastLogByteCount: nil)
            try syncNames()
        }
        // A restore that an earlier server began may have a file with the states of sources.
        let sources = path + "/" + DataFolder.oldSources
        try Self.check(
            rename(restored + "/" + DataFolder.oldSources, sources) == 0 || unlink(sources) == 0
                || errno == ENOENT,
            "remove \(sources)"
        )
        if Self.byteCount(copy) != nil { try Self.move(copy, to: database) }
        try syncNames()
        try Self.remove(restored)
    }

    /// Gives all feeds of the copy new epochs, reads and checks all of it, and makes the database
    /// one file without an owner.
    ///
    /// - Parameter file: The path of the backup: errors name it in place of the copy, unless the
    ///   disk is full.
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
            try Database(path: database).disown()
        } catch {
            throw JournalError("\(database): \(error)")
        }
        return contents
    }

    /// Reads and checks everything in the folder; all feeds get new epochs if it `adopts`.
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
                let database = journal.writer.database
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

    /// Removes a data folder with its files.
    private static func remove(_ path: String) throws(JournalError) {
        let own = [
            "feeds.db", "feeds.db-wal", "feeds.db-shm", "feeds.db-journal", "reserve", "lock",
            DataFolder.oldSources, DataFolder.oldSources + ".absent",
        ]
        for name in own { unlink(path + "/" + name) }
        try check(rmdir(path) == 0, "remove \(path)")
    }
}
