import FeedModel
import FeedStore

/// Reads feeds as a whole.
extension PostgresWorker {
    /// Reads feeds with all their versions, and remembers their chains; returns the feeds that
    /// exist.
    ///
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
        for row in bases {
            let base = try StoredVersion(row)
            do throws(StoredFeed.Damage) {
                let stored = try StoredFeed(
                    base,
                    checksum: row.bits(5),
                    data: row.blob(6),
                    rows: (logs[base.id] ?? []).filter { $0.row.version > base.version },
                    hasKept: row.flag(7)
                ) { number in
                    chunkRows[base.id]?[number]?.blob(2)
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
    private func rowsByChunk(_ chunks: PostgresRows) -> [Int: [Int: PostgresRow]] {
        var rows: [Int: [Int: PostgresRow]] = [:]
        for chunk in chunks { rows[chunk.integer(0), default: [:]][chunk.integer(1)] = chunk }
        return rows
    }

    /// Returns the rows of the log by the incarnation of their feed, in the order of versions.
    private func logRowsByFeed(
        _ rows: PostgresRows
    ) throws(PostgresError) -> [Int: [StoredFeed.LogRow]] {
        var logs: [Int: [StoredFeed.LogRow]] = [:]
        for row in rows {
            logs[row.integer(0), default: []].append(try row.logRow(from: 1, of: "freshet_log"))
        }
        return logs
    }

    /// Reads feeds, and skips damaged ones: readers here go on with the known versions of those.
    ///
    /// - Parameter remote: Gets a change for each feed that is sound, and the removals of feeds
    ///   that were deleted meanwhile.
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
