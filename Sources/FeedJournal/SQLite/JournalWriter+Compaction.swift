import CSQLite
import FeedModel

/// Keeping a later version as a whole in place of changes, and moving the log into the database.
extension JournalWriter {
    /// The state that a compaction starts from.
    struct CompactionPlan: Sendable {
        let feed: FeedName
        let id: Int
        let version: Int
        /// The version that has been kept as a whole so far; the chunks are its.
        let oldVersion: Int
        let hash: UInt64
        let content: any SnapshotSource
        let chunks: [FeedHead.ChunkRecord]
        let times: [Double]
    }

    /// The data of a compaction to be written; only the new chunks have bytes.
    struct Compaction: Sendable {
        let plan: CompactionPlan
        let record: BaseRecord

        init(_ plan: CompactionPlan) {
            self.plan = plan
            record = BaseRecord(
                FeedImage(plan.content.snapshot),
                times: plan.times,
                details: plan.content.details,
                reusing: plan.chunks
            )
        }
    }

    /// Returns plans for the feeds of a batch with many changes; the oldest of their last versions
    /// is the new start.
    func plans(after batch: JournalBatch) -> [CompactionPlan] {
        batch.heads.keys.compactMap { feed in
            guard let head = heads[feed], head.needsCompaction else { return nil }
            guard let (version, content) = head.newBase,
                let row = head.rows.first(where: { $0.version == version })
            else { return nil }
            heads[feed]?.isCompacting = true
            return CompactionPlan(
                feed: feed,
                id: head.id,
                version: version,
                oldVersion: head.base.version,
                hash: row.hash,
                content: content,
                chunks: head.base.chunks,
                times: head.times(upTo: version)
            )
        }
    }

    /// Writes compactions in a transaction of their own.
    ///
    /// - Throws: ``BatchFailure``; the old rows stay valid either way.
    func write(_ compactions: [Compaction]) throws(BatchFailure) {
        guard let (database, statements) = connection else {
            // Nothing is written, and each compaction may be planned again.
            for compaction in compactions { heads[compaction.plan.feed]?.isCompacting = false }
            return
        }
        var heads: [FeedName: FeedHead] = [:]
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
        _ head: inout FeedHead,
        _ statements: JournalStatements
    ) throws(DatabaseError) {
        let plan = compaction.plan
        head.isCompacting = false
        // Another compaction, planned before the file was opened anew, may have been first: chunks
        // that this one uses may be gone.
        guard head.base.version == plan.oldVersion else { return }
        try replaceBase(
            of: &head,
            by: compaction.record,
            version: plan.version,
            hash: plan.hash,
            statements
        )
    }

    /// Keeps a later version as a whole in the place of the base and of all changes up to it.
    func replaceBase(
        of head: inout FeedHead,
        by record: BaseRecord,
        version: Int,
        hash: UInt64,
        _ statements: JournalStatements
    ) throws(DatabaseError) {
        let old = head.base.chunks
        head.base = try write(
            record,
            feed: head.id,
            version: version,
            hash: hash,
            statements
        )
        let kept = Set(head.base.chunks.map(\.row))
        for chunk in old where chunk.row > 0 && !kept.contains(chunk.row) {
            try statements.removeChunk.run(.integer(chunk.row))
        }
        for row in head.rows where row.version <= version {
            try statements.removeRow.run(.integer(row.number))
        }
        head.rows.removeAll { $0.version <= version }
        head.rowByteCount = head.rows.reduce(0) { $0 + $1.byteCount }
    }

    /// Moves the log into the database when it has become long.
    func checkpointIfLong() throws(DatabaseError) {
        guard let (database, _) = connection,
            database.logPageCount * 4120 > settings.logByteCount
        else { return }
        try database.checkpoint()
    }
}
