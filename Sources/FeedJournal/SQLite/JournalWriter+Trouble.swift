import Dispatch
import FeedModel
import FeedStore

/// Recovery after a failed write or sync: the connection is closed, and nothing is written until
/// the file was reopened and compared with the state that is known to be durable.
///
/// Linux forgets which pages it could not write. A second sync may therefore succeed without them
/// (wiki.postgresql.org/wiki/Fsync_Errors). Reopening writes every page again before it syncs:
/// first the log, then the database, into which all of the log is moved.
extension JournalWriter {
    /// Reopens the file, and finds out whether the undecided batch was kept.
    ///
    /// - Returns: The batch, with its entries in `written` if it was kept, otherwise in `refused`;
    ///   `nil`: no batch was undecided.
    /// - Throws: The reason why the file cannot be used.
    func reopen() throws(JournalError) -> JournalBatch? {
        dispatchPrecondition(condition: .onQueue(queue))
        database = nil
        guard DataFolder.byteCount(folder.database) ?? 0 > 0 else {
            throw JournalError(
                "\(folder.database) is gone: put it back, or restore a backup and restart the "
                    + "server"
            )
        }
        try open()
        do {
            try secureLog()
            let decided = try compare()
            // `adopt` takes these chains from the batch, and they may be older than the failure: a
            // compaction that they mark as running may have ended since.
            for feed in (undecided?.batch.heads ?? [:]).keys { heads[feed]?.isCompacting = false }
            undecided = nil
            try refreshDoubtful()
            return decided
        } catch {
            database = nil
            throw error
        }
    }

    /// Compares the newest versions in the file with those that it should have, and takes over the
    /// undecided batch if it was kept.
    ///
    /// - Returns: The batch with its outcome, as in ``reopen()``.
    /// - Throws: An error if the file lacks versions that are known to be durable.
    private func compare() throws(JournalError) -> JournalBatch? {
        let kept = try attempt(keptHeads)
        if kept == expected(after: nil) {
            guard var batch = undecided?.batch else { return nil }
            if kept == expected(after: batch), try hasAnswers(of: batch) {
                adopt(found: batch)
                return batch
            }
            // The batch was rolled back: none of its entries was kept.
            batch.refused += batch.written.map { ($0, undecided?.reason ?? "") }
            batch.written = []
            return batch
        }
        guard let batch = undecided?.batch, kept == expected(after: batch) else {
            try noteLoss()
            throw JournalError(
                "\(folder.database) has lost publishes that were acknowledged. Restore a backup, "
                    + "or restart the server to serve what is there, with new epochs"
            )
        }
        adopt(found: batch)
        return batch
    }

    /// Applies a batch that was found to be kept.
    private func adopt(found batch: JournalBatch) {
        adopt(batch)
        let start = settings.wall() - JournalAnswer.lifetime
        resolved.removeAll { $0.time < start }
        resolved += batch.written.compactMap(\.entry.answer)
    }

    /// Returns whether the file has the last answer of a batch.
    ///
    /// A batch that changes no feed leaves no other trace.
    private func hasAnswers(of batch: JournalBatch) throws(JournalError) -> Bool {
        guard let row = batch.answerRows.values.compactMap(\.last).max() else { return false }
        return try attempt { () throws(DatabaseError) in
            try session.value("SELECT id FROM answer WHERE id = ?", [.integer(row)]) != nil
        }
    }

    /// Gives every feed a new epoch in a file that has lost versions which readers saw.
    ///
    /// With the old epochs, the next server to open the file would give the tokens of lost versions
    /// to other versions.
    private func noteLoss() throws(JournalError) {
        guard !isLossNoted else { return }
        try attempt { () throws(DatabaseError) in
            try session.execute("BEGIN IMMEDIATE")
            try adoptAll()
            try session.execute("COMMIT")
        }
        isLossNoted = true
    }

    /// Reads the base of some feeds again: a compaction or the forgetting of a version failed
    /// there, and may have happened or not.
    private func refreshDoubtful() throws(JournalError) {
        do {
            for feed in doubtful {
                guard var head = heads[feed] else { continue }
                let bases = try session.query(
                    "SELECT version, data FROM base WHERE feed = ?",
                    [.integer(head.id)]
                )
                guard try bases.next() else { throw ByteReader.Failure() }
                let version = try bases.integer(0, of: "base.version", in: StoredNumber.versions)
                head.refresh(try BaseRecord(bases.blob(1)), version: version)
                heads[feed] = head
            }
            doubtful = []
        } catch {
            throw JournalError("\(folder.database) is damaged: \(error)")
        }
    }

    /// Returns the newest versions that the file should have after a batch, in the order of the
    /// feeds' names.
    private func expected(after batch: JournalBatch?) -> [StoredVersion] {
        var all = heads
        for (feed, head) in batch?.heads ?? [:] { all[feed] = head }
        return all.values.map(\.newest).sorted { $0.name < $1.name }
    }

    /// Reads the newest versions in the file, in the order of the feeds' names.
    private func keptHeads() throws(DatabaseError) -> [StoredVersion] {
        var newest: [Int: (version: Int, hash: UInt64)] = [:]
        let log = try session.query("SELECT feed, version, hash FROM log ORDER BY id")
        while try log.next() { newest[log.integer(0)] = (log.integer(1), log.bits(2)) }
        let feeds = try session.query(
            "SELECT name, id, epoch, version, hash FROM feed JOIN base ON base.feed = feed.id"
        )
        var kept: [StoredVersion] = []
        while try feeds.next() {
            var head = try StoredVersion(feeds)
            if let later = newest[head.id] { (head.version, head.hash) = later }
            kept.append(head)
        }
        return kept.sorted { $0.name < $1.name }
    }
}
