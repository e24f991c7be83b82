import FeedModel

/// Transactions during which the connection was lost.
extension PostgresWorker {
    /// Finds out what became of one.
    ///
    /// Its number is put where it would have put it: if it is still under way, that waits for its
    /// end; and if it has not come to that, it never will.
    func resolve(_ journal: PostgresJournal) throws(PostgresError) {
        guard let undecided, let connection else { return }
        let rows = try connection.run(
            """
            INSERT INTO freshet_batch(id) VALUES($1::bigint) ON CONFLICT DO NOTHING
            RETURNING id
            """,
            .integer(undecided.id)
        )
        guard rows.count == 0 else {
            self.undecided = nil
            return journal.tell(undecided.written, .refused(undecided.reason))
        }
        try adoptKept(undecided, journal)
        self.undecided = nil
    }

    /// Says of a transaction that was kept which of its entries were: all but those that were made
    /// of a version that was not the newest.
    private func adoptKept(
        _ undecided: Undecided,
        _ journal: PostgresJournal
    ) throws(PostgresError) {
        guard let connection else { return }
        let names = Set(undecided.heads.map(\.feed.rawValue))
        let rows = try connection.run(PostgresSchema.heads, .texts(names))
        var found: [FeedName: PostgresHeadRow] = [:]
        for row in try changes(rows) { found[row.name] = row }
        var (kept, late, open): ([JournalBatch.Item], [JournalBatch.Item], [JournalBatch.Item]) =
            ([], [], [])
        var heads = heads
        for (item, after) in zip(undecided.written, undecided.heads) {
            let feed = after.feed
            var isKept = try isKept(after.head, found[feed], before: heads[feed])
            if isKept != false, let answer = item.entry.answer { isKept = try isThere(answer) }
            switch isKept {
            case true?:
                heads[feed] = after.head
                kept.append(item)
            case false?: late.append(item)
            case nil: open.append(item)
            }
        }
        self.heads = heads
        journal.tell(kept, .durable)
        journal.tell(late, .late)
        if !undecided.isTold { journal.tell(open, .unknown(undecided.reason)) }
        // It is not what the next one is made of.
        journal.tell(open, .refused(undecided.reason))
    }

    /// Whether a version is there, or something that was made of it.
    ///
    /// - Returns: `nil` when so much came after it that nothing says.
    private func isKept(
        _ head: PostgresHead?,
        _ row: PostgresHeadRow?,
        before: PostgresHead?
    ) throws(PostgresError) -> Bool? {
        guard let head else {
            guard let row, row.id != 0 else { return true }
            return before.map { row.id != $0.id } ?? false
        }
        guard let row, row.id == head.id else { return row == nil || row?.id == 0 ? nil : false }
        if row.version == head.version { return row.hash == head.hash }
        guard row.version > head.version, let connection else { return false }
        let rows = try connection.run(
            """
            SELECT hash FROM freshet_log WHERE feed = $1::bigint AND version = $2::bigint
            UNION ALL SELECT hash FROM freshet_base WHERE feed = $1::bigint
            AND version = $2::bigint
            """,
            .integer(head.id),
            .integer(head.version)
        )
        return rows.count > 0 ? rows.bits(0, 0) == head.hash : nil
    }

    private func isThere(_ answer: JournalAnswer) throws(PostgresError) -> Bool {
        let rows = try connection?.run(
            "SELECT fingerprint FROM freshet_answer WHERE owner = $1::bytea AND key = $2::bytea",
            .blob(answer.owner),
            .blob(answer.key)
        )
        return (rows?.count ?? 0) > 0
    }
}
