import FeedModel
import FeedStore

/// Entries that share a transaction, and the changes to the writer's state once it is durable.
struct JournalBatch {
    /// The chains that differ afterwards, by feed; an inner `nil` stands for a deleted feed.
    var heads: [FeedName: FeedChain?] = [:]
    /// The rows of the last answers of the owners to whose answers some were added.
    var answerRows: [[UInt8]: ArraySlice<Int>] = [:]
    /// The latest publish of a feed that is deleted then, in seconds since 1970; `nil`: no change.
    var latestDeleted: Double?
    /// The items that were written.
    var written: [JournalInbox.Item] = []
    /// The items that were not written, with the reasons.
    var refused: [(item: JournalInbox.Item, reason: String)] = []
}

/// Writes a batch.
extension JournalWriter {
    /// Writes entries in one transaction.
    ///
    /// When this returns, the transaction is durable.
    ///
    /// - Parameters:
    ///   - items: The items, in the order in which they were appended.
    ///   - states: The states of sources to write in the same transaction; `nil`: none.
    /// - Returns: The batch with the entries that were written and those that were refused.
    /// - Throws: ``BatchFailure`` when nothing of the batch is kept, or when the outcome is
    ///   unknown.
    func write(
        _ items: [JournalInbox.Item],
        _ states: SourceStates? = nil
    ) throws(BatchFailure) -> JournalBatch {
        guard let database else {
            throw BatchFailure(reason: "the journal is closed", kind: .nothingDone)
        }
        guard !database.hasMoved else {
            // The entries would be written to a removed file, which ends with the process.
            throw BatchFailure(reason: "\(folder.database) was removed", kind: .nothingDone)
        }
        var batch = JournalBatch()
        do throws(DatabaseError) {
            try database.execute("BEGIN IMMEDIATE")
            for item in items {
                if let reason = try write(item.entry, into: &batch) {
                    batch.refused.append((item, reason))
                } else {
                    batch.written.append(item)
                }
            }
            try forgetAnswers(items.compactMap(\.entry.answer?.time))
            if let states { try write(states) }
        } catch {
            database.rollBack()
            throw BatchFailure(error)
        }
        do throws(DatabaseError) {
            try database.execute("COMMIT")
        } catch {
            database.rollBack()
            throw BatchFailure(error, committing: batch)
        }
        return batch
    }

    private func write(_ states: SourceStates) throws(DatabaseError) {
        for (name, bytes) in states {
            if bytes.isEmpty {
                try session.run("DELETE FROM source WHERE name = ?", [.text(name)])
            } else {
                let sql = "INSERT OR REPLACE INTO source VALUES(?, ?)"
                try session.run(sql, [.text(name), .blob(bytes)])
            }
        }
        guard hasOldSources else { return }
        try session.run("DELETE FROM note WHERE name = ?", [.text(DataFolder.oldSources)])
    }

    /// Applies a durable batch to the state in memory.
    func adopt(_ batch: JournalBatch) {
        for (feed, head) in batch.heads { heads[feed] = head }
        if let time = batch.latestDeleted { latestDeleted = time }
        answerRows.merge(batch.answerRows) { $1 }
    }

    /// Writes one entry.
    ///
    /// - Returns: The reason why the entry is refused; `nil`: it was written.
    private func write(
        _ entry: JournalEntry,
        into batch: inout JournalBatch
    ) throws(DatabaseError) -> String? {
        let head = batch.heads[entry.feed] ?? heads[entry.feed]
        guard entry.follows(head?.token, number: head?.number) else {
            return "an earlier publish of this feed was not kept"
        }
        if let answer = entry.answer, resolved.contains(where: { $0.isInTheWay(of: answer) }) {
            return "the request with this Idempotency-Key was carried out already"
        }
        switch (entry.change, head) {
        case (.creation(let first, let image), nil):
            batch.heads[entry.feed] = try create(entry.feed, first, image)
        case (.version(let next, let bytes), let head?) where next.token.version > head.version:
            batch.heads[entry.feed] = try extend(head, by: next, bytes, keeping: entry.keeping)
        case (.deletion, let head?):
            try remove(head)
            batch.latestDeleted = max(batch.latestDeleted ?? latestDeleted ?? 0, head.published)
            try note("deleted", "\((batch.latestDeleted ?? 0).bitPattern)")
            batch.heads[entry.feed] = .some(nil)
        case (.nothing, _): break
        default: return "the entry does not fit the feed"
        }
        if let answer = entry.answer { try write(answer, into: &batch) }
        return nil
    }

    /// Writes an answer, and removes its owner's oldest ones if there are too many.
    private func write(
        _ answer: JournalAnswer,
        into batch: inout JournalBatch
    ) throws(DatabaseError) {
        try session.run(
            "INSERT INTO answer VALUES(?, ?, ?, ?, ?, ?)",
            [
                .integer(nextAnswer), .real(answer.time), .blob(answer.owner), .blob(answer.key),
                .blob(answer.fingerprint), .blob(answer.response),
            ]
        )
        var rows =
            batch.answerRows.removeValue(forKey: answer.owner) ?? answerRows[answer.owner] ?? []
        rows.append(nextAnswer)
        while rows.count > JournalAnswer.countLimit, let first = rows.popFirst() {
            try session.run("DELETE FROM answer WHERE id = ?", [.integer(first)])
        }
        batch.answerRows[answer.owner] = rows
        nextAnswer += 1
    }

    /// Removes expired answers.
    ///
    /// Only the first rows are looked at, but always more than are added.
    ///
    /// - Parameter times: The times of the answers that are added.
    private func forgetAnswers(_ times: [Double]) throws(DatabaseError) {
        guard let time = times.max() else { return }
        // An answer with a future time was kept before the clock was put back.
        try session.run(
            """
            DELETE FROM answer WHERE id IN (SELECT id FROM answer ORDER BY id LIMIT ?)
            AND abs(time - ?) > ?
            """,
            [.integer(16 + 2 * times.count), .real(time), .real(JournalAnswer.lifetime)]
        )
    }
}

/// Writes the rows of one feed.
extension JournalWriter {
    private func create(
        _ feed: FeedName,
        _ content: VersionContent,
        _ image: FeedImage
    ) throws(DatabaseError) -> FeedChain {
        let id = nextFeed
        nextFeed += 1
        try session.run(
            "INSERT INTO feed VALUES(?, ?, ?)",
            [.integer(id), .text(feed.rawValue), .text(content.token.epoch)]
        )
        let record = BaseRecord(image, of: content)
        let first = StoredVersion(first: record, of: feed, id: id, content.token)
        return FeedChain(first, try write(record, of: first), content)
    }

    private func extend(
        _ head: FeedChain,
        by content: VersionContent,
        _ bytes: [UInt8],
        keeping: JournalEntry.Keeping?
    ) throws(DatabaseError) -> FeedChain {
        let (version, published) = (content.token.version, content.published)
        let row = head.row(number: nextRow, version: version, published: published, bytes)
        nextRow += 1
        try session.run(
            "INSERT INTO log VALUES(?, ?, ?, ?, ?, ?)",
            [
                .integer(row.number), .integer(head.id), .integer(version), .real(published),
                .bits(row.hash), .blob(bytes),
            ]
        )
        var head = head
        try keep(keeping, &head)
        head.add(row, content)
        return head
    }

    /// Removes all rows of a feed.
    private func remove(_ head: FeedChain) throws(DatabaseError) {
        for row in head.rows { try removeRow(row) }
        for chunk in head.base.chunks where chunk.row > 0 { try removeChunk(chunk.row) }
        if head.hasKept { try removeKept(of: head) }
        try session.run("DELETE FROM base WHERE feed = ?", [.integer(head.id)])
        try session.run("DELETE FROM feed WHERE id = ?", [.integer(head.id)])
    }

    func removeRow(_ row: FeedChain.Row) throws(DatabaseError) {
        try session.run("DELETE FROM log WHERE id = ?", [.integer(row.number)])
    }

    func removeChunk(_ row: Int) throws(DatabaseError) {
        try session.run("DELETE FROM chunk WHERE id = ?", [.integer(row)])
    }

    /// Writes a feed's base, with the chunks that have no rows yet.
    func write(
        _ record: BaseRecord,
        of version: StoredVersion
    ) throws(DatabaseError) -> FeedChain.Base {
        var record = record
        for (number, bytes) in record.takeChunks(after: nextChunk - 1) {
            nextChunk = number + 1
            try session.run("INSERT INTO chunk VALUES(?, ?)", [.integer(number), .blob(bytes)])
        }
        try session.run(
            "INSERT OR REPLACE INTO base VALUES(?, ?, ?, ?, ?)",
            record.values(of: version)
        )
        return FeedChain.Base(record, version: version.version)
    }
}

extension JournalAnswer {
    /// Whether this answer belongs to the same request and has not expired.
    fileprivate func isInTheWay(of other: JournalAnswer) -> Bool {
        owner == other.owner && key == other.key
            && abs(time - other.time) <= JournalAnswer.lifetime
    }
}

/// The failure of a batch.
struct BatchFailure: Error {
    enum Kind {
        /// The disk is full. Nothing was written, and the connection can still be used.
        case full
        /// Nothing was written. The connection must be opened again.
        case nothingDone
        /// The commit failed: the batch may be kept or not. The connection must be opened again.
        case unknown(JournalBatch)
    }

    let reason: String
    let kind: Kind
}

extension BatchFailure {
    /// Makes the failure from an error.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - batch: The batch whose commit failed; `nil`: nothing was committed.
    init(_ error: DatabaseError, committing batch: JournalBatch? = nil) {
        reason = error.description
        kind = error.isFull ? .full : batch.map(Kind.unknown) ?? .nothingDone
    }
}
