import CSQLite
import Dispatch
import FeedModel
import FeedStore

/// The older versions that feeds can be taken back to.
extension JournalWriter {
    /// Keeps the version before an entry's, and removes those whose time is over; or all, where the
    /// entry keeps none.
    func keep(
        _ entry: JournalEntry,
        _ head: inout FeedChain,
        _ statements: JournalStatements
    ) throws(DatabaseError) {
        guard let keeping = entry.keeping else {
            if head.keptCount > 0 { try statements.removeAllKept.run(.integer(head.id)) }
            head.keptCount = 0
            return
        }
        try write(keeping.previous, of: head, statements)
        head.keptCount += 1
        while let oldest = try oldestKept(of: head, statements),
            !keeping.retention.keeps(
                count: head.keptCount,
                superseded: oldest.superseded,
                at: entry.published
            )
        {
            try statements.removeKept.run(.integer(head.id), .integer(oldest.version))
            head.keptCount -= 1
        }
    }

    private func write(
        _ version: KeptVersion,
        of head: FeedChain,
        _ statements: JournalStatements
    ) throws(DatabaseError) {
        try statements.addKept.run(
            .integer(head.id),
            .integer(version.version),
            .real(version.superseded),
            .blob(version.notes),
            .bits(version.checksum),
            .blob(version.content)
        )
    }

    private func oldestKept(
        of head: FeedChain,
        _ statements: JournalStatements
    ) throws(DatabaseError) -> (version: Int, superseded: Double)? {
        try statements.oldestKept.bind([.integer(head.id)])
        defer { statements.oldestKept.reset() }
        guard try statements.oldestKept.next() else { return nil }
        return (statements.oldestKept.integer(0), statements.oldestKept.real(1))
    }

    /// Returns how many versions are kept of each feed.
    func keptCounts(_ database: Database) throws(DatabaseError) -> [Int: Int] {
        var counts: [Int: Int] = [:]
        let rows = try database.prepare("SELECT feed, count(*) FROM kept GROUP BY feed")
        while try rows.next() { counts[rows.integer(0)] = rows.integer(1) }
        return counts
    }

    /// Finds versions that are kept.
    ///
    /// - Throws: ``JournalError``, also for one that is damaged.
    func findKept(
        _ query: KeptQuery,
        of feed: FeedName,
        epoch: String
    ) throws(JournalError) -> [KeptVersion] {
        dispatchPrecondition(condition: .onQueue(queue))
        guard let (database, _) = connection else { throw JournalError("the journal is closed") }
        guard let head = heads[feed], head.epoch == epoch, head.keptCount > 0 else { return [] }
        let columns = "SELECT version, superseded, notes, checksum"
        do throws(DatabaseError) {
            switch query {
            case .list(let end, let limit):
                let rows = try database.prepare(
                    """
                    \(columns) FROM kept WHERE feed = ? AND version < ?
                    ORDER BY version DESC LIMIT ?
                    """
                )
                try rows.bind([.integer(head.id), .integer(end), .integer(limit)])
                var list: [KeptVersion] = []
                while try rows.next() { list.append(try kept(rows, feed, hasContent: false)) }
                return list
            case .content(let version, let through, let end):
                let rows = try database.prepare(
                    """
                    \(columns), data FROM kept WHERE feed = ? AND version >= ? AND version < ?
                    ORDER BY version
                    """
                )
                try rows.bind([.integer(head.id), .integer(version), .integer(end)])
                var list: [KeptVersion] = []
                while try rows.next() {
                    let next = try kept(rows, feed, hasContent: true)
                    list.append(next)
                    if next.version >= through, next.isWhole { break }
                }
                return list
            }
        } catch {
            throw problem(error)
        }
    }

    private func kept(
        _ rows: Statement,
        _ feed: FeedName,
        hasContent: Bool
    ) throws(DatabaseError) -> KeptVersion {
        let version = rows.integer(0)
        do throws(ByteReader.Failure) {
            return try KeptVersion(
                version: version,
                superseded: rows.real(1),
                notes: rows.blob(2),
                checksum: rows.bits(3),
                content: hasContent ? rows.blob(4) : nil
            )
        } catch {
            throw DatabaseError(
                code: SQLITE_CORRUPT,
                message: "feed \"\(feed)\", kept version \(version)"
            )
        }
    }
}

/// Forgetting one version.
extension JournalWriter {
    /// Removes a version from the file and from its log, so that nothing of it can be read there.
    ///
    /// Where it is among the newest, which outlive a restart, the newest one is kept as a whole in
    /// the place of all before it.
    ///
    /// - Returns: The outcome; ``JournalOutcome/durable`` also where there is nothing of it.
    /// - Throws: ``BatchFailure`` when the file cannot be written to.
    func forget(_ order: ForgetOrder) throws(BatchFailure) -> JournalOutcome {
        dispatchPrecondition(condition: .onQueue(queue))
        guard let (database, statements) = connection else {
            throw BatchFailure(reason: "the journal is closed", kind: .nothingDone)
        }
        guard var head = heads[order.feed], head.epoch == order.epoch,
            order.version < head.version
        else { return .late }
        var compaction: Compaction?
        if order.version >= head.base.version {
            guard let plan = head.compactionToNewest(of: order.feed) else { return .late }
            compaction = Compaction(plan)
        }
        do throws(DatabaseError) {
            try database.execute("PRAGMA secure_delete = ON; BEGIN IMMEDIATE")
            guard try remove(order, of: &head, database, statements) else {
                try database.execute("ROLLBACK; PRAGMA secure_delete = FAST")
                return .late
            }
            if let compaction { try replaceBase(of: &head, by: compaction, statements) }
            try overwriteFreePages(database, statements)
        } catch {
            throw giveUpForgetting(order.feed, BatchFailure(error, isCommit: false, JournalBatch()))
        }
        do throws(DatabaseError) {
            try database.execute("COMMIT; PRAGMA secure_delete = FAST")
        } catch {
            throw giveUpForgetting(order.feed, BatchFailure(error, isCommit: true, JournalBatch()))
        }
        head.forget(order.version)
        heads[order.feed] = head
        try emptyLog(database)
        return .durable
    }

    /// Leaves the transaction; what is kept of the feed is looked up when the file is opened anew.
    private func giveUpForgetting(_ feed: FeedName, _ failure: BatchFailure) -> BatchFailure {
        doubtful.insert(feed)
        if let (database, _) = connection {
            // Where this fails, too, the connection is opened anew.
            do throws(DatabaseError) {
                if !database.isOutsideTransaction { try database.execute("ROLLBACK") }
                try database.execute("PRAGMA secure_delete = FAST")
            } catch {}
        }
        return failure
    }

    /// Removes the version's row, and has the one before it lead past it.
    ///
    /// - Returns: `false` where the rows are not those that the order was made of.
    private func remove(
        _ order: ForgetOrder,
        of head: inout FeedChain,
        _ database: Database,
        _ statements: JournalStatements
    ) throws(DatabaseError) -> Bool {
        let rows = try database.prepare(
            """
            SELECT version, superseded, notes, checksum FROM kept
            WHERE feed = ? AND version <= ? ORDER BY version DESC LIMIT 2
            """
        )
        try rows.bind([.integer(head.id), .integer(order.version)])
        var found: [KeptVersion] = []
        while try rows.next() { found.append(try kept(rows, order.feed, hasContent: false)) }
        guard let change = order.change(of: found) else { return false }
        if change.isKept {
            try statements.removeKept.run(.integer(head.id), .integer(order.version))
            head.keptCount -= 1
        }
        if let replacement = change.replacement { try write(replacement, of: head, statements) }
        return true
    }

    /// Overwrites the pages that nothing uses: what was removed earlier may still be in them.
    private func overwriteFreePages(
        _ database: Database,
        _ statements: JournalStatements
    ) throws(DatabaseError) {
        // Rows that take them all, and go again: what is removed in this transaction is zeroed.
        let fill = try database.prepare("INSERT INTO chunk VALUES(?, zeroblob(?))")
        let first = nextChunk
        var next = first
        while let text = try database.value("PRAGMA freelist_count"), let count = Int(text),
            count > 0
        {
            try fill.run(.integer(next), .integer(min(count, 65536) * 4092))
            next += 1
        }
        for row in first..<next { try statements.removeChunk.run(.integer(row)) }
    }

    /// Moves the log into the database and overwrites it.
    private func emptyLog(_ database: Database) throws(BatchFailure) {
        do throws(JournalError) {
            try folder.note(leastLogByteCount: nil)
            do throws(DatabaseError) {
                try database.checkpoint(SQLITE_CHECKPOINT_TRUNCATE)
            } catch {
                throw problem(error)
            }
            try secureLog()
        } catch {
            let kind = error.isFull ? BatchFailure.Kind.full : .nothingDone
            throw BatchFailure(reason: error.description, kind: kind)
        }
    }
}
