import Dispatch
package import FeedModel
package import FeedStore
import Synchronization

/// A journal in a folder, kept by SQLite.
///
/// A single connection writes and moves the log, on one queue; versions of SQLite before 3.51.3 can
/// damage a log that two connections use at once (sqlite.org/wal.html#walresetbug). Entries that
/// are appended while a transaction is being synced share the next one.
package final class SQLiteJournal: Journal {
    /// The settings that differ between servers.
    package struct Settings: Sendable {
        /// Whether a copied folder is taken, with a new epoch for every feed.
        package var adopts = false

        /// The bytes of the write-ahead log before it is moved into the database.
        package var logByteCount = 4 << 20

        /// Returns the current time, in seconds since 1970.
        package var wall: @Sendable () -> Double

        package init(wall: @escaping @Sendable () -> Double) {
            self.wall = wall
        }
    }

    struct Inbox {
        var items: [JournalBatch.Item] = []
        var compactions: [Compaction] = []
        var states = StatesInLine()
        /// Whether the writer will look here again by itself.
        var isDraining = false
        var isClosed = false
    }

    let queue = DispatchQueue(label: "freshet.journal", qos: .userInitiated)
    /// The queue that calls completions, in order, while the next batch is written.
    private let telling = DispatchQueue(label: "freshet.journal.decided", qos: .userInitiated)
    private let compacting = DispatchQueue(label: "freshet.journal.compaction", qos: .utility)
    let inbox = Mutex(Inbox())
    /// The requested backups; the first is being made.
    let backups = Mutex<[BackupOrder]>([])
    let problem = Mutex<String?>(nil)
    /// The last refusal because the disk is full: its time and its reason.
    let shortage = Mutex<(time: ContinuousClock.Instant, reason: String)?>(nil)
    let writer: JournalWriter
    let counts = Mutex(JournalCounts())

    /// Opens a folder.
    ///
    /// - Throws: ``JournalError`` when the folder cannot be used: it is locked, copied, damaged, or
    ///   of a newer server.
    package init(_ folder: DataFolder, _ settings: Settings) throws(JournalError) {
        writer = try JournalWriter(folder, settings, queue: queue)
    }

    /// The version of SQLite, as in "3.40.1".
    package static var libraryVersion: String { Database.libraryVersion }

    /// The reason why entries cannot be kept. A full disk counts for ten seconds after the last
    /// refusal: small entries may fit though large ones do not.
    package var trouble: String? {
        if let problem = problem.withLock(\.self) { return problem }
        guard let last = shortage.withLock(\.self), .now - last.time < .seconds(10) else {
            return nil
        }
        return last.reason
    }

    /// The counts of its work so far.
    package var counters: JournalCounts { counts.withLock(\.self) }

    /// The number of entries that wait for the next transaction.
    var waitingCount: Int { inbox.withLock(\.items.count) }

    package func recover(
        _ body: (RecoveredFeed) throws(JournalError) -> Void
    ) throws(JournalError) -> RecoveredState {
        let result = queue.sync { () -> Result<RecoveredState, JournalError> in
            do throws(JournalError) {
                return .success(try writer.recover(body))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    package func append(
        _ entry: JournalEntry,
        decided: @escaping @Sendable (JournalOutcome) -> Void
    ) {
        let item = JournalBatch.Item(entry: entry, decided: decided)
        guard post({ $0.items.append(item) }) else {
            return telling.async { decided(.refused("the server is stopping")) }
        }
    }

    package func keep(
        _ states: SourceStates,
        completion: @escaping @Sendable (Bool) -> Void
    ) {
        guard post({ $0.states.add(states, completion) }) else {
            return telling.async { completion(false) }
        }
    }

    /// Puts something in line for the writer.
    ///
    /// - Returns: Whether it was taken.
    private func post(_ put: (inout Inbox) -> Void) -> Bool {
        let isFirst = inbox.withLock { inbox -> Bool? in
            guard !inbox.isClosed else { return nil }
            put(&inbox)
            return inbox.startDraining()
        }
        if isFirst == true { queue.async { self.drain() } }
        return isFirst != nil
    }

    package func findKept(
        _ query: KeptQuery,
        of feed: FeedName,
        epoch: String,
        completion: @escaping @Sendable (Result<[KeptVersion], JournalError>) -> Void
    ) {
        queue.async {
            let found = Result { () throws(JournalError) in
                try self.writer.findKept(query, of: feed, epoch: epoch)
            }
            self.telling.async { completion(found) }
        }
    }

    package func forget(
        _ order: ForgetOrder,
        completion: @escaping @Sendable (JournalOutcome) -> Void
    ) {
        queue.async {
            let outcome = self.forget(order)
            self.telling.async { completion(outcome) }
        }
    }

    /// Carries out an order, which is durable then.
    private func forget(_ order: ForgetOrder) -> JournalOutcome {
        if let problem = problem.withLock(\.self) { return .refused(problem) }
        do throws(BatchFailure) {
            return try writer.forget(order)
        } catch {
            fail(error)
            if case .unknown = error.kind { return .unknown(error.reason) }
            return .refused(error.reason)
        }
    }

    package func close() {
        inbox.withLock { $0.isClosed = true }
        queue.sync {
            drainAll()
            writer.close()
        }
        endBackups()
        // All waiting callers are told before this returns.
        telling.sync {}
    }
}

extension SQLiteJournal {
    /// The most entries of one transaction.
    private static let batchLimit = 1024

    /// Writes the appended entries, and looks again afterwards.
    private func drain() {
        guard drainOnce() else { return }
        queue.async { self.drain() }
    }

    private func drainAll() {
        while drainOnce() {}
    }

    /// Writes one batch.
    ///
    /// - Returns: Whether there may be more entries.
    private func drainOnce() -> Bool {
        let (items, compactions, states) = inbox.withLock { inbox in
            let items = Array(inbox.items.prefix(Self.batchLimit))
            inbox.items.removeFirst(items.count)
            let compactions = inbox.compactions
            let states = inbox.states
            (inbox.compactions, inbox.states) = ([], StatesInLine())
            if items.isEmpty, compactions.isEmpty, states.isEmpty { inbox.isDraining = false }
            return (items, compactions, states)
        }
        guard !items.isEmpty || !compactions.isEmpty || !states.isEmpty else { return false }
        if !items.isEmpty || !states.isEmpty {
            let areKept = write(items, states.isEmpty ? nil : states.states)
            telling.async { states.tell(areKept) }
        }
        do throws(BatchFailure) {
            if !compactions.isEmpty { try writer.write(compactions) }
        } catch {
            fail(error)
        }
        do throws(DatabaseError) {
            try writer.checkpointIfLong()
        } catch {
            fail(BatchFailure(error, isCommit: false, JournalBatch()))
        }
        return true
    }

    /// Writes entries, and states of sources with them, and tells what became of the entries.
    ///
    /// - Returns: Whether the states are kept.
    private func write(_ items: [JournalBatch.Item], _ states: SourceStates?) -> Bool {
        if let problem = problem.withLock(\.self) {
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

    /// Takes over a durable batch, and calls the completions of its entries.
    func finish(_ batch: JournalBatch) {
        writer.adopt(batch)
        counts.withLock { $0.add(batch) }
        tell(batch)
        for plan in writer.plans(after: batch) {
            compacting.async {
                let compaction = Compaction(plan)
                let isFirst = self.inbox.withLock { inbox in
                    inbox.compactions.append(compaction)
                    return inbox.startDraining()
                }
                if isFirst { self.queue.async { self.drain() } }
            }
        }
    }

    func tell(_ batch: JournalBatch) {
        telling.async {
            for item in batch.written { item.decided(.durable) }
            for (item, reason) in batch.refused { item.decided(.refused(reason)) }
        }
    }

    func tell(_ items: [JournalBatch.Item], _ outcome: JournalOutcome) {
        guard !items.isEmpty else { return }
        telling.async {
            for item in items { item.decided(outcome) }
        }
    }
}

/// The counts of a journal's work so far.
package struct JournalCounts: Sendable, Equatable {
    /// The number of transactions; each was synced once.
    package var transactions = 0
    /// The number of entries in the transactions.
    package var entries = 0
    /// The number of times that the file was opened anew after a failure, or the database was
    /// connected again.
    package var reopenings = 0
    /// The number of times that a write failed, or the database was lost.
    package var failures = 0

    /// Returns counts of zero.
    package static let none: @Sendable () -> JournalCounts = { JournalCounts() }

    fileprivate mutating func add(_ batch: JournalBatch) {
        transactions += 1
        entries += batch.written.count
    }
}

extension SQLiteJournal.Inbox {
    /// Marks the writer as running, and returns whether it has to be started.
    fileprivate mutating func startDraining() -> Bool {
        defer { isDraining = true }
        return !isDraining
    }
}
