import Dispatch
import FeedModel

/// Keeping a later version as a whole in place of changes.
extension PostgresWorker {
    /// The data of a compaction to be written; only the new chunks have bytes.
    struct Compaction: Sendable {
        let feed: FeedName
        let id: Int
        let version: Int
        let hash: UInt64
        /// The version that has been kept as a whole so far.
        let oldVersion: Int
        let oldChunks: [FeedHead.ChunkRecord]
        let record: BaseRecord
    }

    /// Has images made of feeds with many changes; the oldest of their last versions is the new
    /// start.
    func planCompactions(of feeds: some Sequence<FeedName>, _ journal: PostgresJournal) {
        for feed in Set(feeds) {
            guard let head = heads[feed], head.needsCompaction, let start = head.recent.first,
                start.version > head.base.version
            else { continue }
            heads[feed]?.isCompacting = true
            journal.compacting.async {
                let record = BaseRecord(
                    FeedImage(start.snapshot),
                    times: head.earlierTimes,
                    details: start.details,
                    reusing: head.base.chunks
                )
                let compaction = Compaction(
                    feed: feed,
                    id: head.id,
                    version: start.version,
                    hash: start.hash,
                    oldVersion: head.base.version,
                    oldChunks: head.base.chunks,
                    record: record
                )
                _ = journal.post { $0.compactions.append(compaction) }
            }
        }
    }

    /// Writes compactions, each in a transaction of its own.
    func write(_ compactions: [Compaction]) throws(PostgresError) {
        guard let connection else { return }
        for compaction in compactions where heads[compaction.feed]?.id == compaction.id {
            do throws(PostgresError) {
                try write(compaction, connection)
                heads[compaction.feed]?.isCompacting = false
            } catch {
                heads[compaction.feed]?.isCompacting = false
                guard !error.isLost, !error.endsConnection else { throw error }
                // The rows that were there stay valid.
                try connection.run("ROLLBACK")
                if !error.isConflict { settings.report("the database: \(error)") }
            }
        }
    }

    private func write(
        _ compaction: Compaction,
        _ connection: PostgresConnection
    ) throws(PostgresError) {
        let locked = try connection.run([
            PostgresStatement("BEGIN"),
            PostgresStatement(
                """
                SELECT version, EXISTS (SELECT FROM freshet_log WHERE feed = $1::bigint
                AND version = $2::bigint AND hash = $3::bigint)
                FROM freshet_base WHERE feed = $1::bigint FOR UPDATE
                """,
                .integer(compaction.id),
                .integer(compaction.version),
                .bits(compaction.hash)
            ),
        ])[1]
        guard locked.count > 0, locked.integer(0, 0) == compaction.oldVersion, locked.flag(0, 1)
        else {
            try connection.run("ROLLBACK")
            // Another server was first, or the database has lost that version meanwhile.
            if locked.count > 0 { try refreshBase(compaction.feed, connection) }
            return
        }
        var record = compaction.record
        let chunks = record.takeChunks(after: compaction.oldChunks.map(\.row).max() ?? 0)
        var statements = chunks.map { number, bytes in
            PostgresStatement(
                PostgresSchema.addChunk,
                .integer(compaction.id),
                .integer(number),
                .blob(bytes)
            )
        }
        statements += PostgresWorker.replacing(compaction, by: record)
        _ = try connection.run(statements)
        heads[compaction.feed]?.replaceBase(PostgresHead.Base(record, version: compaction.version))
    }

    /// Returns the statements that replace a base by another one, once its chunks are there.
    static func replacing(
        _ compaction: Compaction,
        by record: BaseRecord
    ) -> [PostgresStatement] {
        let data = record.bytes
        let kept = record.chunks.map(\.row).filter { $0 > 0 }
        return [
            PostgresStatement(
                """
                UPDATE freshet_base SET version = $2::bigint, hash = $3::bigint,
                checksum = $4::bigint, data = $5::bytea WHERE feed = $1::bigint
                """,
                .integer(compaction.id),
                .integer(compaction.version),
                .bits(compaction.hash),
                .bits(Checksum.of(data, after: compaction.hash ^ UInt64(compaction.version))),
                .blob(data)
            ),
            PostgresStatement(
                "DELETE FROM freshet_chunk WHERE feed = $1::bigint AND number <> ALL($2::bigint[])",
                .integer(compaction.id),
                .integers(kept)
            ),
            PostgresStatement(
                "DELETE FROM freshet_log WHERE feed = $1::bigint AND version <= $2::bigint",
                .integer(compaction.id),
                .integer(compaction.version)
            ),
            PostgresStatement("COMMIT"),
        ]
    }

    /// Reads the base and the later versions anew, after another server has replaced the base.
    private func refreshBase(
        _ feed: FeedName,
        _ connection: PostgresConnection
    ) throws(PostgresError) {
        guard let head = heads[feed] else { return }
        let rows = try connection.run([
            PostgresStatement(
                "SELECT version, data FROM freshet_base WHERE feed = $1::bigint",
                .integer(head.id)
            ),
            PostgresStatement(
                """
                SELECT version, (length(data) + 64)::bigint FROM freshet_log
                WHERE feed = $1::bigint ORDER BY version
                """,
                .integer(head.id)
            ),
        ])
        guard rows[0].count > 0, let record = try? BaseRecord(rows[0].bytes(0, 1)) else { return }
        // A chunk whose key is not known is not used again.
        var later: [PostgresHead.Row] = []
        for row in 0..<rows[1].count {
            let version = try rows[1].version(row, 0, of: "freshet_log")
            later.append(PostgresHead.Row(version: version, byteCount: rows[1].integer(row, 1)))
        }
        let version = try rows[0].version(0, 0, of: "freshet_base")
        heads[feed]?.replaceBase(PostgresHead.Base(record, version: version), rows: later)
    }
}

extension BaseRecord {
    /// Gives numbers to the chunks that need rows of their own.
    ///
    /// - Parameter last: The highest number in use.
    /// - Returns: The numbers and the bytes of the chunks.
    mutating func takeChunks(after last: Int) -> [(number: Int, bytes: [UInt8])] {
        var taken: [(Int, [UInt8])] = []
        for index in chunks.indices where chunks[index].row < 0 {
            chunks[index].row = last + 1 + taken.count
            taken.append((chunks[index].row, chunks[index].bytes))
            chunks[index].bytes = []
        }
        return taken
    }
}
