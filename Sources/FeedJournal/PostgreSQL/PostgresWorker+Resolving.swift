import FeedModel
import FeedStore

/// Transactions during which the connection was lost.
extension PostgresWorker {
    /// Finds out the fate of the undecided transaction.
    ///
    /// The transaction's number is written where the transaction would have written it. If the
    /// transaction is still under way, this waits for its end; and if it has not come to that
    /// point, it never will.
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

    /// Tells which entries of a kept transaction were kept, in their order: all but entries that
    /// were not made of the newest version.
    private func adoptKept(
        _ undecided: Undecided,
        _ journal: PostgresJournal
    ) throws(PostgresError) {
        let fates = try fates(of: undecided)
        let deleted = try latestDeleted()
        // Feeds with an entry that was not kept, as far as is known.
        var broken: Set<FeedName> = []
        for (place, (feed, head)) in undecided.heads.enumerated() {
            let item = undecided.written[place]
            switch fates[place] {
            case true?:
                if head == nil, broken.contains(feed), heads[feed] != nil {
                    // The readers here do not see the version that was deleted.
                    journal.hand([.removal(feed, latestDeleted: deleted)])
                }
                heads[feed] = head
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

    /// Returns whether each entry of a kept transaction was written; `nil`: it is not known.
    private func fates(of undecided: Undecided) throws(PostgresError) -> [Bool?] {
        guard let connection else { return [] }
        let names = Set(undecided.heads.map(\.feed.rawValue))
        let rows = try connection.run(PostgresSchema.heads, .texts(names))
        var found: [FeedName: PostgresHeadRow] = [:]
        for row in try changes(rows) { found[row.name] = row }
        var fates: [Bool?] = []
        var last = heads
        for (item, (feed, head)) in zip(undecided.written, undecided.heads) {
            var isKept = try isKept(head, found[feed], before: last[feed])
            if isKept != false, let answer = item.entry.answer { isKept = try isThere(answer) }
            fates.append(isKept)
            last[feed] = head
        }
        // A version that was made of another one shows that the other one was there.
        var shown: Set<FeedName> = []
        for place in fates.indices.reversed() {
            let (item, (feed, head)) = (undecided.written[place], undecided.heads[place])
            if case .nothing = item.entry.change { continue }
            if shown.contains(feed) { fates[place] = true }
            // If a feed is gone, it is not known which server deleted it, unless there is an
            // answer.
            let isProof = head != nil || item.entry.answer != nil
            if fates[place] == true, isProof { shown.insert(feed) }
        }
        return fates
    }

    /// Whether a version is there, or a later one that was made of it.
    ///
    /// - Returns: `nil` when so many versions came after it that it is not known.
    private func isKept(
        _ head: FeedChain?,
        _ row: PostgresHeadRow?,
        before: FeedChain?
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
