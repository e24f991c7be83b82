import FeedModel
import FeedStore

/// Makes the statements that write an entry.
extension PostgresWorker {
    /// Adds an entry's statements to a batch; an entry not made of the newest version is late.
    func put(_ item: JournalInbox.Item, into batch: inout Batch) {
        let entry = item.entry
        let head = batch.heads[entry.feed] ?? heads[entry.feed]
        guard entry.follows(head?.token, number: head?.number) else {
            batch.late.append(item)
            return
        }
        if let answer = entry.answer {
            // An expired answer with the same key would make the entry late until the next sweep.
            let age = settings.wall() - answer.time + JournalAnswer.lifetime
            let key: [StatementValue] = [.blob(answer.owner), .blob(answer.key)]
            batch.add(PostgresSchema.forgetAnswer, key + [.real(age)])
        }
        let statement = batch.statements.count
        switch (entry.change, head) {
        case (.creation(let first, let image), nil): create(entry, first, image, &batch)
        case (.version(let next, let bytes), let head?)
        where next.token.version > head.version && isOfThisConnection(next):
            extend(head, by: next, bytes, entry, &batch)
        case (.deletion, let head?): remove(head, entry, &batch)
        case (.nothing, let head?):
            let sql = PostgresSchema.confirm(withAnswer: entry.answer != nil)
            batch.add(sql, head.newest.values + kept(entry.answer))
            if entry.answer != nil { batch.changesSomething = true }
        case (.nothing, nil):
            batch.add(PostgresSchema.confirmAbsence, [.text(entry.feed.rawValue)])
        default: break
        }
        guard batch.statements.count > statement else {
            batch.late.append(item)
            return
        }
        let after = batch.heads[entry.feed] ?? heads[entry.feed]
        batch.sent.append(Batch.Sent(item: item, statement: statement, head: after))
    }

    /// Whether an entry's version was made since the connection began.
    ///
    /// An earlier version may have a token that the database has lost.
    private func isOfThisConnection(_ version: VersionContent) -> Bool {
        version.number.map { $0 > firstNumber } ?? true
    }

    private func remove(_ head: FeedChain, _ entry: JournalEntry, _ batch: inout Batch) {
        let sql = PostgresSchema.removeFeed(withAnswer: entry.answer != nil)
        let last: [StatementValue] = [.integer(writer)]
        batch.add(sql, head.newest.values + last + kept(entry.answer))
        batch.heads[entry.feed] = .some(nil)
        batch.latestDeleted = max(batch.latestDeleted ?? 0, head.published)
        batch.changesSomething = true
    }

    private func kept(_ answer: JournalAnswer?) -> [StatementValue] {
        guard let answer else { return [] }
        return [
            .blob(answer.owner), .blob(answer.key), .real(settings.wall() - answer.time),
            .blob(answer.fingerprint), .blob(answer.response),
        ]
    }

    private func create(
        _ entry: JournalEntry,
        _ content: VersionContent,
        _ image: FeedImage,
        _ batch: inout Batch
    ) {
        let (token, id) = (content.token, Int.random(in: 1...Int.max))
        var record = BaseRecord(image, of: content)
        let seed = UInt64(bitPattern: Int64(id))
        let first = StoredVersion(first: record, of: entry.feed, id: id, token, seed: seed)
        let chunks = PostgresWorker.addChunks(of: &record, after: 0, to: id)
        let sql = PostgresSchema.addFeed(
            withAnswer: entry.answer != nil,
            afterDeletion: batch.heads[entry.feed] != nil
        )
        let publish: [StatementValue] = [.real(content.published), .integer(writer)]
        // The base's row ends with the record's checksum and the record.
        let base = record.values(of: first).suffix(2)
        batch.add(sql, first.values + publish + base + kept(entry.answer))
        batch.statements += chunks
        let start = FeedChain.Base(record, version: token.version)
        batch.heads[entry.feed] = FeedChain(first, start, content)
        batch.changesSomething = true
    }

    private func extend(
        _ head: FeedChain,
        by content: VersionContent,
        _ bytes: [UInt8],
        _ entry: JournalEntry,
        _ batch: inout Batch
    ) {
        let (version, published) = (content.token.version, content.published)
        let row = head.row(version: version, published: published, bytes)
        let sql = PostgresSchema.addVersion(withAnswer: entry.answer != nil)
        let change: [StatementValue] = [
            .bits(row.hash), .real(published), .integer(writer), .blob(bytes), .integer(version),
        ]
        batch.add(sql, head.newest.values + change + kept(entry.answer))
        var head = head
        batch.statements += keeping(entry, head, version, hash: row.hash)
        head.hasKept = entry.keeping != nil
        head.add(row, content)
        batch.heads[entry.feed] = head
        batch.changesSomething = true
    }
}
