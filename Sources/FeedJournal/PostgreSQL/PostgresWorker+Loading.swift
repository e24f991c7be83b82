import FeedModel
import FeedStore

/// Reads feeds as a whole.
extension PostgresWorker {
    /// Reads feeds with all their versions, and remembers their chains.
    ///
    /// - Returns: The feeds that exist.
    /// - Throws: An error, also when something is damaged.
    func load(_ names: [FeedName]) throws(PostgresError) -> [RecoveredFeed] {
        guard !names.isEmpty else { return [] }
        let (bases, chunks, log) = try rows(of: names)
        let (chunkRows, logs) = (rowsByChunk(chunks), try logRowsByFeed(log))
        let (deleted, adopted) = (try latestDeleted(), try adopted())
        var feeds: [RecoveredFeed] = []
        // No chain is remembered before all feeds are read: after an error the others would count
        // as known, and would not be read again.
        var found: [FeedName: FeedChain] = [:]
        for row in 0..<bases.count {
            let base = try StoredVersion(bases, row, from: 0)
            do throws(StoredFeed.Damage) {
                let stored = try StoredFeed(
                    base,
                    checksum: bases.bits(row, 5),
                    data: bases.bytes(row, 6),
                    rows: (logs[base.id] ?? []).filter { $0.row.version > base.version },
                    keptCount: bases.flag(row, 7) ? 1 : 0
                ) { number in
                    chunkRows[base.id]?[number].map { chunks.bytes($0, 2) }
                }
                let (chain, feed) = try stored.recovered(
                    latestDeleted: deleted,
                    adopted: adopted,
                    number: VersionNumber.next
                )
                feeds.append(feed)
                found[feed.feed] = chain
            } catch {
                throw .damaged(error.words)
            }
        }
        heads.merge(found) { $1 }
        return feeds
    }

    /// Reads the rows of feeds, all as of the same moment.
    private func rows(
        of names: [FeedName]
    ) throws(PostgresError) -> (bases: PostgresRows, chunks: PostgresRows, log: PostgresRows) {
        let list = StatementValue.texts(names.map(\.rawValue))
        do throws(PostgresError) {
            // This isolation level shows all queries the same moment.
            let results = try session.run([
                PostgresStatement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
                PostgresStatement(PostgresSchema.bases, [list]),
                PostgresStatement(PostgresSchema.chunks, [list]),
                PostgresStatement(PostgresSchema.logs, [list]), PostgresStatement("COMMIT"),
            ])
            return (results[1], results[2], results[3])
        } catch {
            if !error.isLost { try session.run("ROLLBACK") }
            throw error
        }
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
                dataByteCount: data.count
            )
            logs[rows.integer(row, 0), default: []].append((kept, data))
        }
        return logs
    }

    /// Reads feeds, and skips damaged ones: readers here go on with the known versions of those.
    ///
    /// - Parameters:
    ///   - names: The feeds.
    ///   - remote: Gets a change for each feed that is sound, and the removals of feeds that were
    ///     deleted meanwhile.
    func loadSound(_ names: [FeedName], _ remote: inout [RemoteChange]) throws(PostgresError) {
        do throws(PostgresError) {
            let feeds = try load(names)
            remote += feeds.map { .feed($0) }
            for name in Set(names).subtracting(feeds.map(\.feed)) { try remove(name, &remote) }
        } catch {
            guard error.isDamage else { throw error }
            guard names.count > 1 else {
                for name in names { damaged[name] = error }
                return settings.report("the database: \(error)")
            }
            for name in names { try loadSound([name], &remote) }
        }
    }
}
