import FeedModel
import FeedStore
import Synchronization

/// Writes entries of the journal: publishes and deletions of feeds, and answers to keep.
extension PostgresWorker {
    /// The statements of one transaction, and the state of the feeds after it.
    struct Batch {
        /// An entry, and the index of its statement; the statement returns a row if it had an
        /// effect.
        struct Sent {
            let item: JournalInbox.Item
            let statement: Int
            /// The feed's chain after the entry; `nil`: the feed does not exist then.
            let head: FeedChain?
        }

        var statements: [PostgresStatement] = []
        var sent: [Sent] = []
        /// The changed chains by feed; an inner `nil` stands for a deleted feed.
        var heads: [FeedName: FeedChain?] = [:]
        /// The entries that are not based on the newest version.
        var late: [JournalInbox.Item] = []
        /// The latest publish time of the feeds that the batch deletes, in seconds since 1970.
        var latestDeleted: Double?
        /// Whether the statements write anything, rather than only confirm versions.
        var changesSomething = false

        mutating func add(_ sql: String, _ parameters: [StatementValue]) {
            statements.append(PostgresStatement(sql, parameters))
        }
    }

    /// Writes entries in one transaction, and tells the outcome of each.
    ///
    /// - Throws: The error of the database. If the transaction may have been committed,
    ///   ``resolve(_:)`` tells its outcomes later; all other outcomes have been told.
    func write(_ items: [JournalInbox.Item], _ journal: PostgresJournal) throws(PostgresError) {
        var batch = Batch()
        // All servers lock rows in the same order, by name, so that no deadlock arises.
        let sorted = items.enumerated().sorted { left, right in
            (left.element.entry.feed, left.offset) < (right.element.entry.feed, right.offset)
        }
        for (_, item) in sorted { put(item, into: &batch) }
        let id = Int.random(in: 1...Int.max)
        let rows: [PostgresRows]
        do throws(PostgresError) {
            rows = batch.sent.isEmpty ? [] : try session.run(complete(batch, id))
        } catch {
            try fail(error, batch, id: id, journal)
            return
        }
        let (written, late) = outcomes(of: batch, rows)
        for sent in written { heads[sent.item.entry.feed] = sent.head }
        journal.exchange.counts.withLock { counts in
            if batch.changesSomething { counts.transactions += 1 }
            counts.entries += written.count
        }
        journal.tell(written.map(\.item), .durable)
        // Callers of late entries try again, so the newer versions must be known by then.
        try giveUp(late, .late, journal)
        journal.compact(heads.plans(of: Set(written.map(\.item.entry.feed))))
    }

    /// Returns the entries that were written, and the ones that are late.
    private func outcomes(
        of batch: Batch,
        _ rows: [PostgresRows]
    ) -> (written: [Batch.Sent], late: [JournalInbox.Item]) {
        // BEGIN and the row of `freshet_batch` come first.
        let first = batch.changesSomething ? 2 : 0
        var written: [Batch.Sent] = []
        var late = batch.late
        var lateFeeds: Set<FeedName> = []
        for sent in batch.sent {
            let entry = sent.item.entry
            // Example: the deletion of a feed is late because another server has deleted the feed.
            // The database then confirms that the feed does not exist, but readers of this server
            // still see it.
            let isPremature = entry.change.isNothing && lateFeeds.contains(entry.feed)
            if rows[sent.statement + first].count > 0, !isPremature {
                written.append(sent)
            } else {
                late.append(sent.item)
                lateFeeds.insert(entry.feed)
            }
        }
        return (written, late)
    }

    /// Handles the error of a transaction: tells the outcomes, or notes in `undecided` that they
    /// are unknown.
    ///
    /// - Throws: The error, unless only the transaction was refused and the connection works.
    private func fail(
        _ failure: PostgresError,
        _ batch: Batch,
        id: Int,
        _ journal: PostgresJournal
    ) throws(PostgresError) {
        let items = batch.sent.map(\.item)
        guard failure.isLost, batch.changesSomething else {
            // Nothing was written.
            let outcome: JournalOutcome =
                failure.isConflict ? .late : .refused("the database: \(failure)")
            journal.note(refusal: failure)
            do throws(PostgresError) {
                if failure.endsConnection { throw failure }
                if batch.changesSomething { try session.run("ROLLBACK") }
            } catch {
                journal.tell(items, outcome)
                journal.tell(batch.late, .refused(error.description))
                throw error
            }
            try giveUp(items, outcome, journal)
            try giveUp(batch.late, .late, journal)
            return
        }
        journal.tell(batch.late, .late)
        undecided = Undecided(
            id: id,
            sent: batch.sent,
            reason: failure.description,
            since: .now
        )
        throw failure
    }

    /// Reads newer versions of the entries' feeds, and then tells the outcome of the entries, which
    /// were not written.
    private func giveUp(
        _ items: [JournalInbox.Item],
        _ outcome: JournalOutcome,
        _ journal: PostgresJournal
    ) throws(PostgresError) {
        guard !items.isEmpty else { return }
        do throws(PostgresError) {
            try catchUp(Set(items.map(\.entry.feed)), journal)
        } catch {
            journal.tell(items, .refused(error.description))
            throw error
        }
        for item in items {
            let damage = damaged[item.entry.feed].map {
                JournalOutcome.refused("the database: \($0)")
            }
            journal.tell([item], damage ?? outcome)
        }
    }

    /// Returns the statements of a batch, within a transaction if they write anything.
    ///
    /// The transaction records `id`, by which ``resolve(_:)`` finds out whether it was committed.
    private func complete(_ batch: Batch, _ id: Int) -> [PostgresStatement] {
        guard batch.changesSomething else { return batch.statements }
        var statements = [
            PostgresStatement("BEGIN"),
            PostgresStatement("INSERT INTO freshet_batch(id) VALUES($1::bigint)", [.integer(id)]),
        ]
        statements += batch.statements
        if let time = batch.latestDeleted {
            statements.append(PostgresStatement(PostgresSchema.noteDeletion, [.text("\(time)")]))
        }
        statements.append(PostgresStatement(PostgresSchema.notify, [.text("\(writer)")]))
        statements.append(PostgresStatement("COMMIT"))
        return statements
    }
}

extension JournalEntry.Change {
    /// Whether the feed stays as it is.
    var isNothing: Bool {
        if case .nothing = self { true } else { false }
    }
}
