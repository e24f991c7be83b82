import Dispatch
import FeedModel
import FeedStore
import Synchronization

@testable import FeedJournal

/// A journal in a folder, which writes only when it is told to.
final class HeldFolder: Journal {
    let writer: JournalWriter
    private let queue = DispatchQueue(label: "held")
    private let items = Mutex<[JournalInbox.Item]>([])

    init(_ keeping: Keeping) throws {
        writer = try JournalWriter(DataFolder(keeping.path), keeping.settings, queue: queue)
    }

    var trouble: String? { nil }

    func recover(_ body: (RecoveredFeed) -> Void) throws(JournalError) -> RecoveredState {
        let result = queue.sync { () -> Result<RecoveredState, JournalError> in
            do throws(JournalError) {
                return .success(try writer.recover(body))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    func append(
        _ entry: JournalEntry,
        decided: @escaping @Sendable (JournalOutcome) -> Void
    ) {
        items.withLock { $0.append(JournalInbox.Item(entry: entry, decided: decided)) }
    }

    func keep(_ states: SourceStates, completion: @escaping @Sendable (Bool) -> Void) {
        completion(false)
    }

    func findKept(
        _ query: KeptQuery,
        of feed: FeedName,
        epoch: String,
        completion: @escaping @Sendable (Result<[KeptVersion], JournalError>) -> Void
    ) {
        queue.async {
            do throws(JournalError) {
                completion(.success(try self.writer.findKept(query, of: feed, epoch: epoch)))
            } catch {
                completion(.failure(error))
            }
        }
    }

    func forget(
        _ order: ForgetOrder,
        completion: @escaping @Sendable (JournalOutcome) -> Void
    ) {
        queue.async {
            do throws(BatchFailure) {
                completion(try self.writer.forget(order))
            } catch {
                let isUnknown = if case .unknown = error.kind { true } else { false }
                completion(isUnknown ? .unknown(error.reason) : .refused(error.reason))
            }
        }
    }

    func close() { queue.sync { writer.close() } }

    /// Writes what was appended, in one transaction, and tells what became of it.
    ///
    /// - Returns: The compactions that are due.
    @discardableResult
    func write() throws -> [Compaction.Plan] {
        let batch = try commit()
        return queue.sync {
            writer.adopt(batch)
            tell(batch)
            return writer.heads.plans(of: batch.heads.keys)
        }
    }

    /// Carries out compactions in one transaction.
    func write(_ plans: [Compaction.Plan]) throws {
        let compactions = plans.map(Compaction.init)
        try queue.sync { try writer.write(compactions) }
    }

    /// Writes what was appended, and is told that this failed; then the file is opened again.
    func writeInDoubt() throws {
        let batch = try commit()
        let decided = try queue.sync { () -> JournalBatch? in
            writer.undecided = (batch, "the disk failed")
            writer.database = nil
            return try writer.reopen()
        }
        if let decided { tell(decided) }
    }

    /// Does something while the file is not open, and opens it again.
    func reopen(after change: (Database) throws -> Void) throws {
        try queue.sync {
            writer.database = nil
            try change(Database(path: writer.folder.database))
            _ = try writer.reopen()
        }
    }

    private func commit() throws -> JournalBatch {
        let items = items.withLock { items in
            defer { items = [] }
            return items
        }
        return try queue.sync { try writer.write(items) }
    }

    private func tell(_ batch: JournalBatch) {
        for item in batch.written { item.decided(.durable) }
        for (item, reason) in batch.refused { item.decided(.refused(reason)) }
    }
}
