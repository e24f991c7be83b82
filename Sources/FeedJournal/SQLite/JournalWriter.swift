import CSQLite
import Dispatch
import FeedModel
import FeedStore

/// The part of an SQLite journal that runs on its queue: the single connection, and what is known
/// of the database.
///
/// `@unchecked Sendable`: all properties are used on the journal's queue alone, which
/// `dispatchPrecondition` asserts.
final class JournalWriter: @unchecked Sendable {
    let folder: DataFolder
    let queue: DispatchQueue
    let settings: SQLiteJournal.Settings
    /// The connection; `nil`: a write failed, or the journal is closed.
    var database: Database?

    /// The known chains of all feeds.
    var heads: [FeedName: FeedChain] = [:]
    /// The answers of batches whose outcome was unknown at first.
    ///
    /// Their requests may be repeated before the memory of requests knows the answers.
    var resolved: [JournalAnswer] = []
    /// The latest publish of a feed that is deleted now, in seconds since 1970.
    var latestDeleted: Double?
    /// The time at which the feeds last got new epochs, in seconds since 1970.
    ///
    /// Versions from before may have been seen by readers and then lost.
    var adopted: Double?

    /// The number of the next row of `feed`; the other tables have their own numbers.
    var nextFeed = 1
    var nextChunk = 1
    var nextRow = 1
    var nextAnswer = 1

    /// The rows of each owner's last answers, the oldest first.
    var answerRows: [[UInt8]: ArraySlice<Int>] = [:]

    /// The feeds whose base in the file may differ from the known one.
    var doubtful: Set<FeedName> = []

    /// Whether the reserve was used on a full disk and has not been restored.
    var isShort = false

    /// Whether the file has lost acknowledged publishes and its feeds got new epochs for that.
    var isLossNoted = false

    /// Whether an earlier server's file with states of sources is still to be removed.
    var hasOldSources = false

    /// The batch whose commit failed, so that it may be kept or not.
    var undecided: (batch: JournalBatch, reason: String)?

    /// Opens a folder's database.
    ///
    /// ``recover(_:)`` then reads it.
    init(
        _ folder: DataFolder,
        _ settings: SQLiteJournal.Settings,
        queue: DispatchQueue
    ) throws(JournalError) {
        self.folder = folder
        self.settings = settings
        self.queue = queue
        if DataFolder.byteCount(folder.database) == nil {
            guard DataFolder.byteCount(folder.log) == nil else {
                throw JournalError("\(folder.log) is there without its database. Restore a backup")
            }
            try DataFolder.fill(folder.database, upTo: 0)
            try folder.syncNames()
        }
        let problem = DataFolder.emptyProblem(folder.database, lock: folder.lock)
        if let problem, !settings.adopts {
            throw JournalError(
                "\(problem). Restore a backup, or start with --adopt, which begins anew"
            )
        }
        let cut = logProblem()
        if let cut, !settings.adopts { throw JournalError(cut) }
        let identity = try DataFolder.identity(of: folder.database, in: folder.directory)
        try open()
        try claim(identity, isCut: cut != nil)
        try secureLog()
        folder.makeReserve(least: leastReserveByteCount)
    }

    /// The open connection.
    ///
    /// - Throws: An error if there is none.
    var session: Database {
        get throws(DatabaseError) {
            guard let database else {
                throw DatabaseError(code: SQLITE_MISUSE, message: "the journal is closed")
            }
            return database
        }
    }

    // The connection is closed before the folder is unlocked: the next process that opens the
    // folder finds no file in use.
    deinit { database = nil }

    /// Returns the problem of the log with its remedy; `nil`: the log is sound.
    private func logProblem() -> String? {
        let least = DataFolder.leastLogByteCount(folder.lock)
        return DataFolder.logProblem(folder.log, least: least).map {
            """
            \($0). Restore a backup, or start with --adopt, which takes what is there and gives \
            every feed a new epoch
            """
        }
    }
}

/// Opens and closes the database.
extension JournalWriter {
    /// Opens the connection, checks that commits are durable, upgrades the tables, and moves the
    /// synced log into the database.
    ///
    /// The writes of a killed process may not be on the disk yet.
    func open() throws(JournalError) {
        try folder.rewriteLog()
        try attempt { () throws(DatabaseError) in
            let database = try Database(path: folder.database)
            try configure(database)
            let format = try database.number("PRAGMA user_version")
            let application = try database.number("PRAGMA application_id")
            let first = try database.value("SELECT name FROM sqlite_master LIMIT 1")
            if format != 0 || application != 0 || first != nil {
                try checkForm(format: format, application: application)
                try database.checkObjects()
            }
            if format < JournalSchema.format {
                try database.execute(
                    """
                    BEGIN IMMEDIATE;
                    \(JournalSchema.tables(of: JournalSchema.format, after: format))
                    PRAGMA application_id = \(JournalSchema.application);
                    PRAGMA user_version = \(JournalSchema.format); COMMIT
                    """
                )
            }
            try moveLog(into: database)
            self.database = database
        }
    }

    /// Moves the log into the database.
    ///
    /// On a disk that is full even without the reserve, the synced log stays as it is: feeds can be
    /// read, and deletions make room.
    private func moveLog(into database: Database) throws(DatabaseError) {
        do throws(DatabaseError) {
            try database.checkpoint()
        } catch {
            guard error.isFull else { throw error }
            folder.freeReserve()
            do throws(DatabaseError) {
                try database.checkpoint()
            } catch {
                guard error.isFull else { throw error }
            }
        }
    }

    /// Sets the options that durability depends on, and checks them.
    private func configure(_ database: Database) throws(DatabaseError) {
        database.keepLogOnClose()
        try database.execute("PRAGMA locking_mode = EXCLUSIVE")
        _ = try database.value("PRAGMA journal_mode = WAL")
        try database.execute(
            """
            PRAGMA synchronous = FULL; PRAGMA secure_delete = FAST;
            PRAGMA journal_size_limit = \(settings.logByteCount); PRAGMA temp_store = MEMORY;
            PRAGMA cell_size_check = ON; PRAGMA cache_size = -16000
            """
        )
        try JournalWriter.checkDurability(database)
    }

    /// Throws unless the connection reports the options under which commits are synced.
    static func checkDurability(_ database: Database) throws(DatabaseError) {
        for (name, wanted) in [
            ("journal_mode", "wal"), ("synchronous", "2"), ("locking_mode", "exclusive"),
        ] {
            let found = try database.value("PRAGMA \(name)")
            guard found == wanted else {
                throw DatabaseError(
                    code: SQLITE_MISUSE,
                    message: "\(name) is \(found ?? "unknown") and has to be \(wanted)"
                )
            }
        }
    }

    private func checkForm(format: Int, application: Int) throws(DatabaseError) {
        guard application == JournalSchema.application else {
            throw DatabaseError(
                code: SQLITE_CANTOPEN,
                message: "it is a database of something else"
            )
        }
        guard format <= JournalSchema.format else {
            throw DatabaseError(
                code: SQLITE_CANTOPEN,
                message: """
                    a newer server wrote it, in format \(format), and this one knows \
                    \(JournalSchema.format): nothing was changed
                    """
            )
        }
    }

    /// Returns the result of `body`.
    ///
    /// - Throws: The error of `body` with the file's name, and for damage with the remedy.
    func attempt<Result>(
        _ body: () throws(DatabaseError) -> Result
    ) throws(JournalError) -> Result {
        do throws(DatabaseError) {
            return try body()
        } catch {
            throw error.isDamage
                ? damaged("\(error)")
                : JournalError("\(folder.database): \(error)", isFull: error.isFull)
        }
    }

    /// Returns the error of a damaged part of the file.
    func damaged(_ part: String) -> JournalError {
        JournalError("\(folder.database) is damaged: \(part). Restore a backup")
    }

    /// Extends the log to its least length and notes that length, so that a truncated log is
    /// noticed and writes to the log need no further room.
    ///
    /// On a full disk the log keeps its length, and no length is noted.
    func secureLog() throws(JournalError) {
        do throws(JournalError) {
            try fillLog()
        } catch {
            guard error.isFull else { throw error }
            folder.freeReserve()
            do throws(JournalError) {
                try fillLog()
            } catch {
                guard error.isFull else { throw error }
                try folder.note(leastLogByteCount: nil)
            }
        }
    }

    private func fillLog() throws(JournalError) {
        try DataFolder.fill(folder.log, upTo: settings.logByteCount)
        try folder.syncNames()
        try folder.note(leastLogByteCount: settings.logByteCount)
    }

    /// Moves the log into the database, closes the connection, and unlocks the folder.
    func close() {
        dispatchPrecondition(condition: .onQueue(queue))
        defer { folder.release() }
        guard let database else { return }
        self.database = nil
        do {
            try database.checkpoint()
            try folder.note(leastLogByteCount: nil)
            try database.checkpoint(SQLITE_CHECKPOINT_TRUNCATE)
        } catch {
            // The log has all data, and the next process reads it.
        }
    }
}

/// Checks and changes the owner of the database.
extension JournalWriter {
    /// Refuses a copy or a backup, which may lack versions that readers saw.
    ///
    /// With ``SQLiteJournal/Settings/adopts`` the folder becomes its owner, and all feeds get new
    /// epochs.
    private func claim(_ identity: [String: String], isCut: Bool) throws(JournalError) {
        try attempt { () throws(DatabaseError) in
            let database = try session
            let owner = try JournalOwner(database, identity)
            switch owner {
            case .backup where !settings.adopts:
                throw DatabaseError(code: SQLITE_READONLY, message: Self.isBackup)
            case .other where !settings.adopts:
                throw DatabaseError(code: SQLITE_READONLY, message: Self.copied)
            case .folder where !isCut && !settings.adopts: return
            default: break
            }
            try database.execute("BEGIN IMMEDIATE")
            for (name, value) in identity { try note(name, value) }
            if owner != .nobody {
                try adoptAll()
                try database.execute("DELETE FROM note WHERE name = 'backup'")
            }
            try database.execute("COMMIT")
            // A copy of the database without its log has its owner, too.
            try moveLog(into: database)
        }
    }

    private static let isBackup = """
        this is a backup: put it in place by "freshet restore", which gives every feed a new epoch
        """

    private static let copied = """
        this folder was copied, so readers may have seen later versions than it has. Start with \
        --adopt to take it as it is: every feed gets a new epoch
        """

    /// Gives every feed a new epoch and notes the time, within the open transaction.
    func adoptAll() throws(DatabaseError) {
        try drawEpochs()
        try note("adopted", "\(settings.wall().bitPattern)")
    }

    /// Stores a text under a name in the `note` table.
    func note(_ name: String, _ value: String) throws(DatabaseError) {
        try session.run("INSERT OR REPLACE INTO note VALUES(?, ?)", [.text(name), .text(value)])
    }

    private func drawEpochs() throws(DatabaseError) {
        let feeds = try session.query("SELECT id FROM feed")
        var ids: [Int] = []
        while try feeds.next() { ids.append(feeds.integer(0)) }
        for id in ids {
            let sql = "UPDATE feed SET epoch = ? WHERE id = ?"
            try session.run(sql, [.text(Token.randomEpoch()), .integer(id)])
        }
    }
}
