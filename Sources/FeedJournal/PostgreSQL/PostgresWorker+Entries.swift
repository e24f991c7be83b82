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
        case (.creation(let image), nil): create(entry, image, &batch)
        case (.version(let bytes), let head?) where isOfThisConnection(entry):
            extend(head, by: entry, bytes, &batch)
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
    private func isOfThisConnection(_ entry: JournalEntry) -> Bool {
        entry.number.map { $0 > firstNumber } ?? true
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

    private func create(_ entry: JournalEntry, _ image: FeedImage, _ batch: inout Batch) {
        guard let token = entry.token, let source = entry.source.content else { return }
        let id = Int.random(in: 1...Int.max)
        var record = BaseRecord(image, of: entry)
        let seed = UInt64(bitPattern: Int64(id))
        let first = StoredVersion(first: record, of: entry.feed, id: id, token, seed: seed)
        add(first, &record, of: entry, to: &batch)
        batch.heads[entry.feed] = FeedChain(
            first,
            FeedChain.Base(record, version: token.version),
            number: entry.number ?? VersionNumber.next(),
            FeedChain.Recent(source)
        )
        batch.changesSomething = true
    }

    private func add(
        _ first: StoredVersion,
        _ record: inout BaseRecord,
        of entry: JournalEntry,
        to batch: inout Batch
    ) {
        let chunks = PostgresWorker.addChunks(of: &record, after: 0, to: first.id)
        let sql = PostgresSchema.addFeed(
            withAnswer: entry.answer != nil,
            afterDeletion: batch.heads[entry.feed] != nil
        )
        let publish: [StatementValue] = [.real(entry.published), .integer(writer)]
        // The base's row ends with the record's checksum and the record.
        let base = record.values(of: first).suffix(2)
        batch.add(sql, first.values + publish + base + kept(entry.answer))
        batch.statements += chunks
    }

    private func extend(
        _ head: FeedChain,
        by entry: JournalEntry,
        _ bytes: [UInt8],
        _ batch: inout Batch
    ) {
        guard let source = entry.source.content, let version = entry.token?.version,
            version > head.version
        else { return }
        let row = head.row(version: version, published: entry.published, bytes)
        let sql = PostgresSchema.addVersion(withAnswer: entry.answer != nil)
        let change: [StatementValue] = [
            .bits(row.hash), .real(entry.published), .integer(writer), .blob(bytes),
            .integer(version),
        ]
        batch.add(sql, head.newest.values + change + kept(entry.answer))
        var head = head
        batch.statements += keeping(entry, head, version, hash: row.hash)
        head.keptCount = entry.keeping == nil ? 0 : 1
        head.add(row, FeedChain.Recent(source), number: entry.number ?? VersionNumber.next())
        batch.heads[entry.feed] = head
        batch.changesSomething = true
    }
}
