import FeedModel

/// Compaction, by which a later version becomes the base.
extension JournalWriter {
    /// Writes compactions in one transaction.
    ///
    /// - Throws: ``BatchFailure``; the old rows then stay valid.
    func write(_ compactions: [Compaction]) throws(BatchFailure) {
        guard let database else {
            // Without a connection nothing is written; each compaction may be planned again.
            return heads.end(compactions)
        }
        var heads: [FeedName: FeedChain] = [:]
        do throws(DatabaseError) {
            try database.execute("BEGIN IMMEDIATE")
            for compaction in compactions {
                let target = compaction.plan.target
                guard var head = heads[target.name] ?? self.heads[target.name],
                    head.id == target.id
                else { continue }
                try write(compaction, &head)
                heads[target.name] = head
            }
            try database.execute("COMMIT")
        } catch {
            database.rollBack()
            self.heads.end(compactions)
            if !error.isFull { doubtful.formUnion(compactions.map(\.plan.target.name)) }
            // Reopening compares only the newest versions, which a compaction does not change.
            throw BatchFailure(error)
        }
        for (feed, head) in heads { self.heads[feed] = head }
    }

    private func write(_ compaction: Compaction, _ head: inout FeedChain) throws(DatabaseError) {
        let plan = compaction.plan
        head.isCompacting = false
        // Another compaction, planned before the file was reopened, may have been written first:
        // chunks that this one uses may be gone.
        guard head.base.version == plan.oldVersion else { return }
        try replaceBase(of: &head, by: compaction)
    }

    /// Replaces a feed's base, and removes the chunks and the changes that are no longer needed.
    func replaceBase(of head: inout FeedChain, by compaction: Compaction) throws(DatabaseError) {
        let (plan, old) = (compaction.plan, head)
        let base = try write(compaction.record, of: plan.target)
        head.replaceBase(base)
        let kept = Set(base.chunks.map(\.row))
        for chunk in old.base.chunks where chunk.row > 0 && !kept.contains(chunk.row) {
            try removeChunk(chunk.row)
        }
        for row in old.rows where row.version <= plan.target.version {
            try removeRow(row)
        }
    }
}
