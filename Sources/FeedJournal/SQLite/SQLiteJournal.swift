import Dispatch
package import FeedStore
import Synchronization

/// A journal in a data folder, in an SQLite database.
///
/// A single connection, on one queue, writes and runs checkpoints: versions of SQLite before 3.51.3
/// can damage a log that two connections use at once (sqlite.org/wal.html#walresetbug). Entries
/// that are appended while a transaction is being synced share the next one.
package final class SQLiteJournal: ExchangingJournal {
    /// The settings that differ between servers.
    package struct Settings: Sendable {
        /// Whether a copied or damaged folder is accepted, with a new epoch for every feed.
        package var adopts = false

        /// The length of the write-ahead log, in bytes, beyond which it is moved into the database.
        package var logByteCount = 4 << 20

        /// Returns the current time, in seconds since 1970.
        package var wall: @Sendable () -> Double

        package init(wall: @escaping @Sendable () -> Double) {
            self.wall = wall
        }
    }

    /// The inbox of the writer, and the queue of completions.
    package let exchange = JournalExchange("freshet.journal")
    let queue = DispatchQueue(label: "freshet.journal", qos: .userInitiated)
    /// The queue of backups, which are made one after the other: two with the same name would write
    /// to the same file.
    let backups = DispatchQueue(label: "freshet.backup", qos: .utility)
    let writer: JournalWriter

    /// Opens the database in a folder.
    ///
    /// - Throws: ``JournalError`` when the database cannot be used: it is a copy, damaged, or was
    ///   written by a newer server.
    package init(_ folder: DataFolder, _ settings: Settings) throws(JournalError) {
        writer = try JournalWriter(folder, settings, queue: queue)
    }

    /// The version of SQLite, as in "3.40.1".
    package static var libraryVersion: String { Database.libraryVersion }

    /// The reason why the file cannot be written to; `nil` while it can.
    var problem: String? { exchange.trouble.withLock(\.reason) }

    package func recover(_ body: (RecoveredFeed) -> Void) throws(JournalError) -> RecoveredState {
        try queue.sync {
            Result { () throws(JournalError) in try writer.recover(body) }
        }.get()
    }

    package func close() {
        closeInbox()
        queue.sync {
            while drain() {}
            writer.close()
        }
        // A backup under way fails, and its file is removed.
        backups.sync {}
        finishCompletions()
    }
}

extension SQLiteJournal {
    /// The most entries of one transaction.
    private static let batchLimit = 1024

    package func wake() {
        queue.async { _ = self.drain() }
    }

    /// Takes and carries out the requests of the inbox, whose entries share a transaction; returns
    /// `false` if the inbox was empty.
    private func drain() -> Bool {
        let inbox = takeInbox(atMost: Self.batchLimit)
        guard !inbox.isEmpty else { return false }
        if !inbox.items.isEmpty || !inbox.stateChanges.isEmpty {
            let areKept = write(inbox.items, inbox.stateChanges.isEmpty ? nil : inbox.states)
            tell(inbox.stateChanges, areKept)
        }
        for request in inbox.keptRequests { answer(request) }
        do throws(BatchFailure) {
            if !inbox.compactions.isEmpty { try writer.write(inbox.compactions) }
        } catch {
            fail(error)
        }
        do throws(DatabaseError) {
            // A page takes 4,096 bytes and a header of 24.
            if let database = writer.database,
                database.logPageCount * 4120 > writer.settings.logByteCount
            {
                try database.checkpoint()
            }
        } catch {
            fail(BatchFailure(error))
        }
        return true
    }

    private func answer(_ request: JournalInbox.KeptRequest) {
        switch request {
        case .find(let query, let feed, let epoch, let completion):
            let found = Result { () throws(JournalError) in
                try writer.findKept(query, of: feed, epoch: epoch)
            }
            afterwards { completion(found) }
        case .forget(let order, let completion):
            let outcome = forget(order)
            afterwards { completion(outcome) }
        }
    }

    /// Carries out an order to forget a version.
    private func forget(_ order: ForgetOrder) -> JournalOutcome {
        if let problem { return .refused(problem) }
        do throws(BatchFailure) {
            return try writer.forget(order)
        } catch {
            fail(error)
            if case .unknown = error.kind { return .unknown(error.reason) }
            return .refused(error.reason)
        }
    }

    /// Writes entries and states of sources in one transaction, and tells the entries' outcomes;
    /// returns whether the states are durable.
    private func write(_ items: [JournalInbox.Item], _ states: SourceStates?) -> Bool {
        if let problem {
            tell(items, .refused(problem))
            return false
        }
        guard writer.hasRoom else {
            writeWithoutRoom(items)
            return false
        }
        do throws(BatchFailure) {
            finish(try writer.write(items, states))
            if states != nil { writer.letGoOfOldSources() }
            return true
        } catch {
            if case .full = error.kind {
                writeWithoutRoom(items, error)
            } else {
                tellFailure(items, error)
            }
            return false
        }
    }

    /// Applies a durable batch to the state in memory, calls the completions of its entries, and
    /// begins the compactions that are due.
    func finish(_ batch: JournalBatch) {
        writer.adopt(batch)
        exchange.counts.withLock { counts in
            counts.transactions += 1
            counts.entries += batch.written.count
        }
        tell(batch)
        compact(writer.heads.plans(of: batch.heads.keys))
    }

    func tell(_ batch: JournalBatch) {
        afterwards {
            for item in batch.written { item.decided(.durable) }
            for (item, reason) in batch.refused { item.decided(.refused(reason)) }
        }
    }
}
