import FeedModel
import FeedStore

/// Finds out whether a transaction was committed before its connection was lost.
extension PostgresWorker {
    /// Finds out whether the undecided transaction was committed, and tells the outcomes of its
    /// entries.
    ///
    /// This inserts the row of `freshet_batch` that the transaction begins with. A conflict means
    /// that the transaction was committed. If the transaction is still running, the insertion waits
    /// for its end; if the transaction has not begun, the row makes it fail.
    func resolve(_ journal: PostgresJournal) throws(PostgresError) {
        guard let undecided else { return }
        let rows = try session.run(
            """
            INSERT INTO freshet_batch(id) VALUES($1::bigint) ON CONFLICT DO NOTHING
            RETURNING id
            """,
            [.integer(undecided.id)]
        )
        guard rows.isEmpty else {
            self.undecided = nil
            return journal.tell(undecided.sent.map(\.item), .refused(undecided.reason))
        }
        try adoptKept(undecided, journal)
        self.undecided = nil
    }

    /// Tells the outcomes of the entries of a committed transaction, in order.
    ///
    /// An entry that was not made of the newest version had no effect.
    private func adoptKept(
        _ undecided: Undecided,
        _ journal: PostgresJournal
    ) throws(PostgresError) {
        let effects = try effects(of: undecided.sent)
        let deleted = try latestDeleted()
        // The feeds with an entry that had no effect, or perhaps none.
        var broken: Set<FeedName> = []
        for (sent, isKept) in zip(undecided.sent, effects) {
            let (item, feed) = (sent.item, sent.item.entry.feed)
            switch isKept {
            case true?:
                if sent.head == nil, broken.contains(feed), heads[feed] != nil {
                    // The readers here do not see the version that was deleted.
                    journal.deliver([.removal(feed, latestDeleted: deleted)])
                }
                heads[feed] = sent.head
                journal.tell([item], .durable)
            case false?:
                broken.insert(feed)
                journal.tell([item], .late)
            case nil:
                broken.insert(feed)
                if !undecided.isTold { journal.tell([item], .unknown(undecided.reason)) }
                // The next entry is not made of this one.
                journal.tell([item], .refused(undecided.reason))
            }
        }
    }

    /// Returns for each entry of a committed transaction whether it had an effect; `nil`: unknown.
    private func effects(of entries: [Batch.Sent]) throws(PostgresError) -> [Bool?] {
        let names = Set(entries.map(\.item.entry.feed.rawValue))
        let rows = try session.run(PostgresSchema.heads, [.texts(names)])
        var found: [FeedName: StoredVersion] = [:]
        for row in changes(rows) { found[row.name] = row }
        var effects: [Bool?] = []
        var last = heads
        for sent in entries {
            let entry = sent.item.entry
            var isKept = try isKept(sent.head, found[entry.feed], before: last[entry.feed])
            if isKept != false, let answer = entry.answer { isKept = try isThere(answer) }
            effects.append(isKept)
            last[entry.feed] = sent.head
        }
        // A version that was written proves that the version it was made of was written, too.
        var shown: Set<FeedName> = []
        for (index, sent) in entries.enumerated().reversed() {
            let entry = sent.item.entry
            if entry.change.isNothing { continue }
            if shown.contains(entry.feed) { effects[index] = true }
            // A deleted feed proves nothing: another server may have deleted it, unless the entry's
            // answer is there.
            let isProof = sent.head != nil || entry.answer != nil
            if effects[index] == true, isProof { shown.insert(entry.feed) }
        }
        return effects
    }

    /// Returns whether the database has a version; `nil`: unknown, since compaction has removed it
    /// or the feed is gone.
    ///
    /// - Parameter head: The chain that ends with the version; `nil`: the feed should be gone.
    private func isKept(
        _ head: FeedChain?,
        _ row: StoredVersion?,
        before: FeedChain?
    ) throws(PostgresError) -> Bool? {
        guard let head else {
            guard let row, row.id != 0 else { return true }
            return before.map { row.id != $0.id } ?? false
        }
        guard let row, row.id == head.id else { return row == nil || row?.id == 0 ? nil : false }
        if row.version == head.version { return row.hash == head.newest.hash }
        guard row.version > head.version else { return false }
        let rows = try session.run(
            """
            SELECT hash FROM freshet_log WHERE feed = $1::bigint AND version = $2::bigint
            UNION ALL SELECT hash FROM freshet_base WHERE feed = $1::bigint
            AND version = $2::bigint
            """,
            [.integer(head.id), .integer(head.version)]
        )
        return rows.first.map { $0.bits(0) == head.newest.hash }
    }

    private func isThere(_ answer: JournalAnswer) throws(PostgresError) -> Bool {
        let rows = try session.run(
            "SELECT fingerprint FROM freshet_answer WHERE owner = $1::bytea AND key = $2::bytea",
            [.blob(answer.owner), .blob(answer.key)]
        )
        return !rows.isEmpty
    }
}
