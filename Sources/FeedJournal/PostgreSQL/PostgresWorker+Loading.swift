import FeedModel
import FeedStore

/// Reading feeds as a whole.
extension PostgresWorker {
    /// Reads feeds with all their versions, and remembers their chains.
    ///
    /// - Returns: The feeds that exist.
    /// - Throws: An error, also when something is damaged.
    func load(_ names: [FeedName]) throws(PostgresError) -> [RecoveredFeed] {
        guard !names.isEmpty else { return [] }
        let list = StatementValue.texts(names.map(\.rawValue))
        let results: [PostgresRows]
        do throws(PostgresError) {
            // This isolation level shows all queries the same moment.
            results = try session.run([
                PostgresStatement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
                PostgresStatement(PostgresSchema.bases, list),
                PostgresStatement(PostgresSchema.chunks, list),
                PostgresStatement(PostgresSchema.logs, list), PostgresStatement("COMMIT"),
            ])
        } catch {
            if !error.isLost { try session.run("ROLLBACK") }
            throw error
        }
        let (bases, chunks) = (results[1], results[2])
        let (chunkRows, logs) = (rowsByChunk(chunks), try logRowsByFeed(results[3]))
        let (deleted, adopted) = (try latestDeleted(), try adopted())
        var feeds: [RecoveredFeed] = []
        // No chain is remembered before all feeds are read: after an error the others would count
        // as known, and would not be read again.
        var found: [FeedName: FeedChain] = [:]
        for row in 0..<bases.count {
            let id = bases.integer(row, 1)
            let known = chunkRows[id] ?? [:]
            let stored = try stored(bases, row, logs[id] ?? []) { number in
                known[number].map { chunks.bytes($0, 2) }
            }
            let (chain, feed): (FeedChain, RecoveredFeed)
            do throws(StoredFeed.Damage) {
                (chain, feed) = try stored.recovered(
                    latestDeleted: deleted,
                    adopted: adopted,
                    number: VersionNumber.next
                )
            } catch {
                switch error {
                case .version(let name, let version), .items(let name, let version):
                    throw damaged(name.rawValue, version)
                }
            }
            feeds.append(feed)
            found[feed.feed] = chain
        }
        heads.merge(found) { $1 }
        return feeds
    }

    /// Returns the row of each chunk, by the incarnation of its feed and its number.
    private func rowsByChunk(_ chunks: PostgresRows) -> [Int: [Int: Int]] {
        var rows: [Int: [Int: Int]] = [:]
        for row in 0..<chunks.count {
            rows[chunks.integer(row, 0), default: [:]][chunks.integer(row, 1)] = row
        }
        return rows
    }

    /// Returns the rows of the log by the incarnation of their feed, in the order of versions.
    private func logRowsByFeed(
        _ rows: PostgresRows
    ) throws(PostgresError) -> [Int: [StoredFeed.LogRow]] {
        var logs: [Int: [StoredFeed.LogRow]] = [:]
        for row in 0..<rows.count {
            let data = rows.bytes(row, 4)
            let kept = FeedChain.Row(
                version: try rows.version(row, 1, of: "freshet_log"),
                published: try rows.time(row, 2, of: "freshet_log.published"),
                hash: rows.bits(row, 3),
                data: data
            )
            logs[rows.integer(row, 0), default: []].append(
                StoredFeed.LogRow(row: kept, data: data)
            )
        }
        return logs
    }

    /// Reads feeds, and skips damaged ones: readers here go on with the known versions of those.
    ///
    /// - Parameters:
    ///   - names: The feeds.
    ///   - steps: Gets a step for each feed that exists and is sound.
    func loadSound(_ names: [FeedName], _ steps: inout [FeedStep]) throws(PostgresError) {
        do throws(PostgresError) {
            steps += try load(names).map { .feed($0) }
        } catch {
            guard error.isDamage else { throw error }
            guard names.count > 1 else {
                for name in names { damaged[name] = error }
                return settings.report("the database: \(error)")
            }
            for name in names { try loadSound([name], &steps) }
        }
    }

    /// Puts the rows of one feed together.
    private func stored(
        _ bases: PostgresRows,
        _ row: Int,
        _ rows: [StoredFeed.LogRow],
        chunk: (Int) -> [UInt8]?
    ) throws(PostgresError) -> StoredFeed {
        let version = try bases.version(row, 3, of: "freshet_base")
        let data = bases.bytes(row, 6)
        guard let name = FeedName(bases.text(row, 0)), let record = try? BaseRecord(data),
            let contents = try? record.chunks.filter({ $0.row > 0 }).map({ kept in
                guard let bytes = chunk(kept.row) else { throw ByteReader.Failure() }
                return try StoredFeed.Content(kept, bytes)
            })
        else { throw damaged(bases.text(row, 0), version) }
        return StoredFeed(
            name: name,
            id: bases.integer(row, 1),
            epoch: bases.text(row, 2),
            version: version,
            hash: bases.bits(row, 4),
            checksum: bases.bits(row, 5),
            data: data,
            record: record,
            chunks: contents,
            rows: rows.filter { $0.row.version > version },
            keptCount: bases.flag(row, 7) ? 1 : 0
        )
    }

    private func damaged(_ name: String, _ version: Int) -> PostgresError {
        PostgresError(
            state: PostgresError.damage,
            message: "feed \"\(name)\", version \(version), is damaged. Restore a backup"
        )
    }
}
