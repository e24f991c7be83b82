import CSQLite
import FeedModel

/// Keeping a later version as a whole in place of changes, and moving the log into the database.
extension JournalWriter {
    /// Writes compactions in a transaction of their own.
    ///
    /// - Throws: ``BatchFailure``; the old rows stay valid either way.
    func write(_ compactions: [Compaction]) throws(BatchFailure) {
        guard let (database, statements) = connection else {
            // Nothing is written, and each compaction may be planned again.
            for compaction in compactions { heads[compaction.plan.feed]?.isCompacting = false }
            return
        }
        var heads: [FeedName: FeedChain] = [:]
        do throws(DatabaseError) {
            try database.execute("BEGIN IMMEDIATE")
            for compaction in compactions {
                guard var head = self.heads[compaction.plan.feed],
                    head.id == compaction.plan.id
                else { continue }
                try write(compaction, &head, statements)
                heads[compaction.plan.feed] = head
            }
            try database.execute("COMMIT")
        } catch {
            if !database.isOutsideTransaction {
                do { try database.execute("ROLLBACK") } catch {}
            }
            for compaction in compactions {
                self.heads[compaction.plan.feed]?.isCompacting = false
                if !error.isFull { doubtful.insert(compaction.plan.feed) }
            }
            // Only the newest versions are compared, which are the same before and after.
            throw BatchFailure(error, isCommit: false, JournalBatch())
        }
        for (feed, head) in heads { self.heads[feed] = head }
    }

    private func write(
        _ compaction: Compaction,
        _ head: inout FeedChain,
        _ statements: JournalStatements
    ) throws(DatabaseError) {
        let plan = compaction.plan
        head.isCompacting = false
        // Another compaction, planned before the file was opened anew, may have been first: chunks
        // that this one uses may be gone.
        guard head.base.version == plan.oldVersion else { return }
        try replaceBase(of: &head, by: compaction, statements)
    }

    /// Keeps a later version as a whole in the place of the base and of all changes up to it.
    func replaceBase(
        of head: inout FeedChain,
        by compaction: Compaction,
        _ statements: JournalStatements
    ) throws(DatabaseError) {
        let (plan, old) = (compaction.plan, head)
        let base = try write(
            compaction.record,
            feed: head.id,
            version: plan.version,
            hash: plan.hash,
            statements
        )
        head.replaceBase(base)
        let kept = Set(base.chunks.map(\.row))
        for chunk in old.base.chunks where chunk.row > 0 && !kept.contains(chunk.row) {
            try statements.removeChunk.run(.integer(chunk.row))
        }
        for row in old.rows where row.version <= plan.version {
            try statements.removeRow.run(.integer(row.number))
        }
    }

    /// Moves the log into the database when it has become long.
    func checkpointIfLong() throws(DatabaseError) {
        guard let (database, _) = connection,
            database.logPageCount * 4120 > settings.logByteCount
        else { return }
        try database.checkpoint()
    }
}
