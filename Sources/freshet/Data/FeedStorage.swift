import FeedJournal
import FeedStore
import Foundation
import Logging
import Platform

/// The storage of a server's feeds: a folder, or a database.
struct FeedStorage {
    let journal: any ExchangingJournal
    /// The socket by which backups of a folder are asked for.
    private let control: ControlSocket?
    /// Returns the description of the journal, such as its library with the version, for the log.
    private let place: @Sendable () -> String
    private let logger: Logger

    /// Opens the folder or database that `--data` names.
    init(_ data: String, adopts: Bool, _ logger: Logger) throws(JournalError) {
        if FeedStorage.isDatabase(data) {
            try self.init(database: data, adopts: adopts, logger)
        } else {
            try self.init(folder: data, adopts: adopts, logger)
        }
    }

    /// Returns whether `data` is the address of a database, rather than a folder.
    static func isDatabase(_ data: String) -> Bool {
        data.hasPrefix("postgres://") || data.hasPrefix("postgresql://")
    }

    /// Refuses the address of a database in place of a file or a folder.
    ///
    /// The message does not repeat the address, which may have a password.
    static func checkIsNoDatabase(_ place: String) throws(CommandFailure) {
        guard isDatabase(place) else { return }
        throw .usage("a database is backed up and restored by its own programs, such as pg_dump")
    }

    /// Returns the reason why feeds cannot be stored in a folder; `nil`: only an attempt can show
    /// it.
    static func problem(_ data: String) -> String? {
        guard !isDatabase(data), FileContents.status(data) != nil, !FileContents.isFolder(data)
        else { return nil }
        return "\(data) is no folder; \(otherPlaces)"
    }

    /// Returns the reason why the folder for feeds cannot be made now: the folder around it is
    /// missing, too, perhaps until a disk is mounted; `nil`: only an attempt can show it.
    static func presentProblem(_ data: String) -> String? {
        guard !isDatabase(data), !FileManager.default.fileExists(atPath: data) else { return nil }
        let outer = URL(fileURLWithPath: data).deletingLastPathComponent().path
        // Another user may see what this one may not.
        guard access(outer + "/.", F_OK) != 0, errno != EACCES else { return nil }
        let reason = SystemError.words()
        return "cannot make the folder \(data): \(reason); \(otherPlaces)"
    }

    private static let otherPlaces =
        "--data names another one, and --data memory keeps feeds in memory alone"

    /// Returns the message for the log that says where a server stores feeds.
    static func words(_ settings: ServeSettings) -> String {
        guard let data = settings.dataFolder else {
            return "feeds are kept in memory, and forgotten when the server ends"
        }
        // A database's address may have a password.
        guard !isDatabase(data) else { return "feeds are kept in a database" }
        let path = URL(fileURLWithPath: data).path
        let hint = settings.hasDefaultData ? "; --data memory forgets them" : ""
        return "feeds are kept in \(path)\(hint)"
    }

    private init(database: String, adopts: Bool, _ logger: Logger) throws(JournalError) {
        var settings = PostgresJournal.Settings(address: database) { Date().timeIntervalSince1970 }
        settings.adopts = adopts
        settings.report = { logger.warning("\($0)") }
        let journal = try PostgresJournal(settings)
        self.journal = journal
        self.logger = logger
        control = nil
        place = { "postgresql \(journal.place)" }
    }

    /// Locks and opens a folder.
    private init(folder path: String, adopts: Bool, _ logger: Logger) throws(JournalError) {
        let folder: DataFolder
        do {
            folder = try DataFolder(path)
        } catch {
            throw JournalError("\(error); \(FeedStorage.otherPlaces)", isFull: error.isFull)
        }
        var settings = SQLiteJournal.Settings { Date().timeIntervalSince1970 }
        settings.adopts = adopts
        let journal = try SQLiteJournal(folder, settings)
        self.journal = journal
        self.logger = logger
        place = { "sqlite \(SQLiteJournal.libraryVersion)" }
        control = ControlSocket(folder.path) { order, answer in
            journal.backup(to: order.path, replaces: order.replaces) { result in
                switch result {
                case .success(let bytes): answer("ok \(bytes)")
                case .failure(let error): answer("error \(error)")
                }
            }
        }
    }

    /// Reads all feeds into a store, and returns the journal's other content.
    func restore(_ store: FeedStore) throws(JournalError) -> RecoveredState {
        let start = ContinuousClock.now
        let state = try store.restore()
        let microseconds = Int((ContinuousClock.now - start) / .microseconds(1))
        logger.info(
            "feeds restored",
            metadata: [
                "feeds": .stringConvertible(store.feedCount),
                "duration_us": .stringConvertible(microseconds),
                "journal": "\(place())",
            ]
        )
        return state
    }

    /// Begins to take orders for backups.
    func start() {
        do throws(JournalError) {
            try control?.open()
        } catch {
            logger.warning("no backups by \"freshet backup\": \(error)")
        }
    }

    /// Writes the changes under way, and gives up the folder or database.
    func close() {
        control?.close()
        journal.close()
        let counters = journal.counters
        logger.info(
            "feeds kept",
            metadata: [
                "entries": .stringConvertible(counters.entries),
                "syncs": .stringConvertible(counters.transactions),
            ]
        )
    }
}
