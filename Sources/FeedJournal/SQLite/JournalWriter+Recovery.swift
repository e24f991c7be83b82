import Dispatch
import FeedModel

/// Reading what is kept.
extension JournalWriter {
    /// The log's rows of one feed.
    private struct LogRow {
        let row: FeedHead.Row
        let data: [UInt8]
    }

    /// Reads everything, and checks all of it.
    ///
    /// - Parameter body: Gets each feed.
    /// - Returns: What is kept beside the feeds.
    /// - Throws: ``JournalError`` that names the feed and the version that is damaged.
    func recover(
        _ body: (RecoveredFeed) throws(JournalError) -> Void
    ) throws(JournalError) -> RecoveredState {
        dispatchPrecondition(condition: .onQueue(queue))
        guard let (database, _) = connection else { throw JournalError("it is closed") }
        var logs = try reading { () throws(DatabaseError) in
            latestDeleted = try note("deleted", database)
            adopted = try note("adopted", database) ?? 0
            return try logRows(database)
        }
        let feeds = try reading { () throws(DatabaseError) in
            try database.prepare(
                """
                SELECT feed.id, name, epoch, version, hash, checksum, data
                FROM feed LEFT JOIN base ON base.feed = feed.id ORDER BY feed.id
                """
            )
        }
        let chunks = try reading { () throws(DatabaseError) in
            try database.prepare("SELECT data FROM chunk WHERE id = ?")
        }
        while try reading({ () throws(DatabaseError) in try feeds.next() }) {
            guard let name = FeedName(feeds.text(1)) else {
                throw damaged("a feed has the name \"\(feeds.text(1))\"")
            }
            let rows = logs.removeValue(forKey: feeds.integer(0)) ?? []
            try body(try recover(name, feeds, rows, chunks))
        }
        guard logs.isEmpty else { throw damaged("there are changes of feeds that are not there") }
        return try reading { () throws(DatabaseError) in try recoverState(database) }
    }

    /// A time that there is one of.
    private func note(_ name: String, _ database: Database) throws(DatabaseError) -> Double? {
        let value = try database.value("SELECT value FROM note WHERE name = '\(name)'")
        return value.flatMap { UInt64($0) }.map { Double(bitPattern: $0) }
    }

    private func reading<Value>(
        _ read: () throws(DatabaseError) -> Value
    ) throws(JournalError) -> Value {
        do throws(DatabaseError) { return try read() } catch { throw problem(error) }
    }

    private func damaged(_ what: String) -> JournalError {
        JournalError("\(folder.database) is damaged: \(what). Restore a backup")
    }

    private func logRows(_ database: Database) throws(DatabaseError) -> [Int: [LogRow]] {
        var logs: [Int: [LogRow]] = [:]
        let rows = try database.prepare(
            "SELECT id, feed, version, published, hash, data FROM log ORDER BY id"
        )
        while try rows.next() {
            let data = rows.blob(5)
            let row = FeedHead.Row(
                number: rows.integer(0),
                version: rows.integer(2),
                byteCount: data.count + 64,
                published: rows.real(3),
                hash: rows.bits(4)
            )
            logs[rows.integer(1), default: []].append(LogRow(row: row, data: data))
            nextRow = row.number + 1
        }
        return logs
    }

    /// Puts one feed together, from its base and what changed since.
    private func recover(
        _ name: FeedName,
        _ feed: Statement,
        _ rows: [LogRow],
        _ chunks: Statement
    ) throws(JournalError) -> RecoveredFeed {
        let (id, epoch, version) = (feed.integer(0), feed.text(2), feed.integer(3))
        let (hash, data) = (feed.bits(4), feed.blob(6))
        nextFeed = max(nextFeed, id + 1)
        guard Checksum.of(data, after: hash ^ UInt64(version)) == feed.bits(5),
            var record = try? BaseRecord(data)
        else { throw damaged("feed \"\(name)\", version \(version)") }
        guard var snapshot = try? content(&record, chunks) else {
            throw damaged("feed \"\(name)\", items of version \(version)")
        }
        let base = FeedHead.Base(
            version: version,
            byteCount: record.byteCount,
            chunks: record.isWhole ? [] : record.chunks.map(\.reference),
            times: record.times
        )
        var head = FeedHead(id: id, epoch: epoch, version: version, hash: hash, base: base)
        var versions = [
            RecoveredFeed.Version(
                token: head.token,
                snapshot: snapshot.indexed(),
                published: record.times.last ?? 0
            )
        ]
        for entry in rows {
            let row = entry.row
            let hash = FeedHead.hash(
                entry.data,
                version: row.version,
                published: row.published,
                after: head.hash
            )
            guard row.version == head.version + 1, hash == row.hash,
                let next = try? DeltaRecord.apply(
                    entry.data,
                    to: snapshot,
                    published: row.published
                )
            else { throw damaged("feed \"\(name)\", version \(row.version)") }
            snapshot = next
            head.add(row, WeakSource(nil), recovered: next)
            versions.append(
                RecoveredFeed.Version(
                    token: head.token,
                    snapshot: next,
                    published: row.published
                )
            )
        }
        heads[name] = head
        return RecoveredFeed(
            feed: name,
            versions: versions,
            times: head.times(upTo: head.version),
            floor: max(adopted, versions[0].token.version == 1 ? latestDeleted ?? 0 : 0)
        )
    }

    /// The version that a base holds; its chunks get to know their keys.
    private func content(_ record: inout BaseRecord, _ chunks: Statement) throws -> Snapshot {
        var items: [FeedItem] = []
        for index in record.chunks.indices {
            let chunk = record.chunks[index]
            var bytes = chunk.bytes
            if chunk.row > 0 {
                nextChunk = max(nextChunk, chunk.row + 1)
                try chunks.bind([.integer(chunk.row)])
                defer { chunks.reset() }
                guard try chunks.next() else { throw ByteReader.Failure() }
                bytes = chunks.blob(0)
            }
            guard Checksum.of(bytes) == chunk.checksum else { throw ByteReader.Failure() }
            let (own, key) = try FeedImage.items(ofChunk: bytes)
            items += own
            record.chunks[index] = BaseRecord.Chunk(
                row: chunk.row,
                key: key,
                checksum: chunk.checksum,
                bytes: []
            )
        }
        return try FeedImage.snapshot(outline: record.outline, items: items)
    }

    private func recoverState(_ database: Database) throws(DatabaseError) -> RecoveredState {
        var state = RecoveredState()
        let rows = try database.prepare(
            "SELECT id, time, owner, key, fingerprint, response FROM answer ORDER BY id"
        )
        while try rows.next() {
            let answer = JournalAnswer(
                owner: rows.blob(2),
                key: rows.blob(3),
                fingerprint: rows.blob(4),
                response: rows.blob(5),
                time: rows.real(1)
            )
            answers.add(answer, row: rows.integer(0))
            nextAnswer = rows.integer(0) + 1
            if answer.time > settings.wall() - JournalAnswer.lifetime {
                state.answers.append(answer)
            }
        }
        state.latestDeleted = max(latestDeleted ?? 0, adopted)
        // The last rows of a table may be gone: their numbers are not used again.
        nextChunk = max(
            nextChunk,
            1 + (Int(try database.value("SELECT max(id) FROM chunk") ?? "") ?? 0)
        )
        return state
    }
}
