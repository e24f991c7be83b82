import CSQLite
import Dispatch
import FeedModel
import FeedStore

/// Stores and finds the older versions that feeds can be taken back to.
extension JournalWriter {
    /// Keeps the version that an entry supersedes, and removes versions that are too old or too
    /// many.
    ///
    /// If the entry keeps no older versions, all are removed.
    func keep(
        _ keeping: JournalEntry.Keeping?,
        _ head: inout FeedChain
    ) throws(DatabaseError) {
        guard let keeping else {
            if head.hasKept { try removeKept(of: head) }
            head.hasKept = false
            return
        }
        head.hasKept = true
        try write(keeping.previous, of: head)
        try session.run(
            """
            DELETE FROM kept WHERE feed = ?1 AND version <
            (SELECT version FROM kept WHERE feed = ?1 ORDER BY version DESC LIMIT 1 OFFSET ?2)
            """,
            [.integer(head.id), .integer(keeping.retention.limit - 1)]
        )
        guard case .age(let age) = keeping.retention else { return }
        let time = keeping.previous.superseded
        // A time after that of the newest version is from a clock that was put back.
        try session.run(
            """
            DELETE FROM kept WHERE feed = ?1 AND version < (SELECT version FROM kept
            WHERE feed = ?1 AND superseded BETWEEN ?2 AND ?3 ORDER BY version LIMIT 1)
            """,
            [.integer(head.id), .real(time - age), .real(time)]
        )
    }

    /// Removes all kept versions of a feed.
    func removeKept(of head: FeedChain) throws(DatabaseError) {
        try session.run("DELETE FROM kept WHERE feed = ?", [.integer(head.id)])
    }

    private func write(_ version: KeptVersion, of head: FeedChain) throws(DatabaseError) {
        try session.run(
            "INSERT OR REPLACE INTO kept VALUES(?, ?, ?, ?, ?, ?)",
            [
                .integer(head.id), .integer(version.version), .real(version.superseded),
                .blob(version.notes), .bits(version.checksum), .blob(version.content),
            ]
        )
    }

    /// Returns the ids of the feeds that have kept versions.
    func feedsWithKept() throws(DatabaseError) -> Set<Int> {
        var feeds: Set<Int> = []
        let rows = try session.query("SELECT DISTINCT feed FROM kept")
        while try rows.next() { feeds.insert(rows.integer(0)) }
        return feeds
    }

    /// Finds kept versions.
    ///
    /// - Throws: ``JournalError``, also when one of them is damaged.
    func findKept(
        _ query: KeptQuery,
        of feed: FeedName,
        epoch: String
    ) throws(JournalError) -> [KeptVersion] {
        dispatchPrecondition(condition: .onQueue(queue))
        guard database != nil else { throw JournalError("the journal is closed") }
        guard let head = heads[feed], head.newest.epoch == epoch, head.hasKept
        else { return [] }
        return try attempt { () throws(DatabaseError) -> [KeptVersion] in
            let rows = try rows(of: query, head.id)
            var list: [KeptVersion] = []
            let hasContent = if case .content = query { true } else { false }
            while try rows.next() {
                let next = try rows.keptVersion(of: feed, hasContent: hasContent)
                list.append(next)
                if next.isWhole { break }
            }
            return list
        }
    }

    /// Returns the statement that finds kept versions of a feed, in the order of the query.
    private func rows(of query: KeptQuery, _ feed: Int) throws(DatabaseError) -> Statement {
        let columns = "SELECT version, superseded, notes, checksum"
        return switch query {
        case .list(let end, let limit):
            try session.query(
                "\(columns) FROM kept WHERE feed = ? AND version < ? ORDER BY version DESC LIMIT ?",
                [.integer(feed), .integer(end), .integer(limit)]
            )
        case .content(let version, let end):
            try session.query(
                """
                \(columns), data FROM kept WHERE feed = ? AND version >= ? AND version < ?
                ORDER BY version
                """,
                [.integer(feed), .integer(version), .integer(end)]
            )
        }
    }
}

/// Forgets one version.
extension JournalWriter {
    /// Removes a version from the database and the write-ahead log, and overwrites its bytes there.
    ///
    /// If the base or the log has the version, the newest version becomes the base.
    ///
    /// - Returns: The outcome; ``JournalOutcome/durable`` also if the file does not have the
    ///   version.
    /// - Throws: ``BatchFailure`` when the file cannot be written.
    func forget(_ order: ForgetOrder) throws(BatchFailure) -> JournalOutcome {
        dispatchPrecondition(condition: .onQueue(queue))
        guard database != nil else {
            throw BatchFailure(reason: "the journal is closed", kind: .nothingDone)
        }
        guard var head = heads[order.feed], head.newest.epoch == order.epoch,
            order.version < head.version
        else { return .late }
        var compaction: Compaction?
        if order.version >= head.base.version {
            compaction = Compaction(head.compactionToNewest())
        }
        do throws(DatabaseError) {
            try session.execute("PRAGMA secure_delete = ON; BEGIN IMMEDIATE")
            guard try remove(order, of: head) else {
                try session.execute("ROLLBACK; PRAGMA secure_delete = FAST")
                return .late
            }
            if let compaction { try replaceBase(of: &head, by: compaction) }
            try overwriteFreePages()
        } catch {
            throw giveUpForgetting(order.feed, BatchFailure(error))
        }
        do throws(DatabaseError) {
            try session.execute("COMMIT; PRAGMA secure_delete = FAST")
        } catch {
            throw giveUpForgetting(order.feed, BatchFailure(error, committing: JournalBatch()))
        }
        head.forget(order.version)
        heads[order.feed] = head
        do throws(JournalError) {
            try emptyLog()
        } catch {
            // The version is removed, but its bytes may still be in the log.
            throw BatchFailure(reason: error.description, kind: .unknown(JournalBatch()))
        }
        return .durable
    }

    /// Ends the transaction after an error.
    ///
    /// The feed's rows are read again when the file is reopened.
    ///
    /// - Returns: `failure`.
    private func giveUpForgetting(_ feed: FeedName, _ failure: BatchFailure) -> BatchFailure {
        doubtful.insert(feed)
        if let database {
            database.rollBack()
            // If this fails, too, the caller reopens the file.
            do { try database.execute("PRAGMA secure_delete = FAST") } catch {}
        }
        return failure
    }

    /// Removes a kept version.
    ///
    /// The kept version before it becomes a whole one.
    ///
    /// - Returns: `false` if the kept versions have changed since the order was made.
    private func remove(
        _ order: ForgetOrder,
        of head: FeedChain
    ) throws(DatabaseError) -> Bool {
        let rows = try session.query(
            """
            SELECT version, superseded, notes, checksum FROM kept
            WHERE feed = ? AND version <= ? ORDER BY version DESC LIMIT 2
            """,
            [.integer(head.id), .integer(order.version)]
        )
        var found: [KeptVersion] = []
        while try rows.next() {
            found.append(try rows.keptVersion(of: order.feed, hasContent: false))
        }
        guard let change = order.change(of: found) else { return false }
        if change.isKept {
            let sql = "DELETE FROM kept WHERE feed = ? AND version = ?"
            try session.run(sql, [.integer(head.id), .integer(order.version)])
        }
        if let replacement = change.replacement { try write(replacement, of: head) }
        return true
    }

    /// Overwrites the unused pages, which may still have removed data.
    private func overwriteFreePages() throws(DatabaseError) {
        // Large rows take all unused pages. Removing them zeroes the pages (secure_delete).
        let first = nextChunk
        var next = first
        while case let count = try session.number("PRAGMA freelist_count"), count > 0 {
            try session.run(
                "INSERT INTO chunk VALUES(?, zeroblob(?))",
                [.integer(next), .integer(min(count, 65536) * 4092)]
            )
            next += 1
        }
        for row in first..<next { try removeChunk(row) }
    }

    /// Moves the write-ahead log into the database, and overwrites the log with zeros.
    private func emptyLog() throws(JournalError) {
        try folder.note(leastLogByteCount: nil)
        try attempt { () throws(DatabaseError) in
            try session.checkpoint(SQLITE_CHECKPOINT_TRUNCATE)
        }
        try secureLog()
    }
}
