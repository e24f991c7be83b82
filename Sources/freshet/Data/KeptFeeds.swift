import FeedJournal
import FeedStore
import Foundation
import Logging

/// The folder that keeps a server's feeds, and what else goes on there.
struct KeptFeeds {
    let journal: SQLiteJournal
    private let control: ControlSocket
    private let logger: Logger

    /// Locks and opens a folder.
    init(_ path: String, adopts: Bool, _ logger: Logger) throws(JournalError) {
        let folder = try DataFolder(path)
        var settings = SQLiteJournal.Settings { Date().timeIntervalSince1970 }
        settings.adopts = adopts
        let journal = try SQLiteJournal(folder, settings)
        self.journal = journal
        self.logger = logger
        control = ControlSocket(folder.path) { order, answer in
            journal.backup(to: order) { result in
                switch result {
                case .success(let bytes): answer("ok \(bytes)")
                case .failure(let error): answer("error \(error)")
                }
            }
        }
    }

    /// Reads all feeds into a store.
    ///
    /// - Returns: What is kept beside them.
    func restore(_ store: FeedStore) throws(JournalError) -> RecoveredState {
        let start = ContinuousClock.now
        let state = try store.restore()
        logger.info(
            "feeds restored",
            metadata: [
                "feeds": "\(store.feedCount)", "time": "\(ContinuousClock.now - start)",
                "sqlite": "\(SQLiteJournal.libraryVersion)",
            ]
        )
        return state
    }

    /// Begins to take orders for backups.
    func start() {
        do throws(JournalError) {
            try control.open()
        } catch {
            logger.warning("no backups by \"freshet backup\": \(error)")
        }
    }

    /// Writes what is under way, and lets go of the folder.
    func close() {
        control.close()
        journal.close()
        let counters = journal.counters
        logger.info(
            "feeds kept",
            metadata: ["entries": "\(counters.entries)", "syncs": "\(counters.transactions)"]
        )
    }
}
