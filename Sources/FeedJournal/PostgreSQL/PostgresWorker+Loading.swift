import FeedModel

/// Reading feeds as a whole.
extension PostgresWorker {
    private struct Row {
        let version: Int
        let published: Double
        let hash: UInt64
        let data: [UInt8]
    }

    /// Reads feeds, and keeps their heads.
    ///
    /// - Returns: The feeds that are there.
    /// - Throws: Also when something is damaged.
    func load(_ names: [FeedName]) throws(PostgresError) -> [RecoveredFeed] {
        guard let connection, !names.isEmpty else { return [] }
        let list = PostgresStatement.Parameter.texts(names.map(\.rawValue))
        let results: [PostgresRows]
        do throws(PostgresError) {
            // All rows are read as of one moment.
            results = try connection.run([
                PostgresStatement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
                PostgresStatement(PostgresSchema.bases, list),
                PostgresStatement(PostgresSchema.chunks, list),
                PostgresStatement(PostgresSchema.logs, list), PostgresStatement("COMMIT"),
            ])
        } catch {
            if !error.isLost { try connection.run("ROLLBACK") }
            throw error
        }
        let (bases, chunks, logs) = (results[1], results[2], results[3])
        var chunkRows: [Int: [Int: Int]] = [:]
        for row in 0..<chunks.count {
            chunkRows[chunks.integer(row, 0), default: [:]][chunks.integer(row, 1)] = row
        }
        var rows: [Int: [Row]] = [:]
        for row in 0..<logs.count {
            let kept = Row(
                version: try logs.version(row, 1, of: "freshet_log"),
                published: try logs.time(row, 2, of: "freshet_log.published"),
                hash: logs.bits(row, 3),
                data: logs.bytes(row, 4)
            )
            rows[logs.integer(row, 0), default: []].append(kept)
        }
        let (deleted, adopted) = (try latestDeleted() ?? 0, try adopted() ?? 0)
        var feeds: [RecoveredFeed] = []
        // No head is kept before all feeds are read: an error of one feed would hide the others.
        var found: [FeedName: PostgresHead] = [:]
        for row in 0..<bases.count {
            let id = bases.integer(row, 1)
            let known = chunkRows[id] ?? [:]
            let floor = max(adopted, bases.integer(row, 3) == 1 ? deleted : 0)
            let (feed, head) = try feed(bases, row, rows[id] ?? [], floor: floor) { number in
                known[number].map { chunks.bytes($0, 2) }
            }
            feeds.append(feed)
            found[feed.feed] = head
        }
        heads.merge(found) { $1 }
        return feeds
    }

    /// Reads feeds, some of them perhaps damaged; the damaged ones stay as they are known here.
    ///
    /// - Parameters:
    ///   - names: The feeds.
    ///   - steps: Gets the feeds that are there and sound.
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

    /// Puts one feed together, from its base and its changes since.
    private func feed(
        _ bases: PostgresRows,
        _ row: Int,
        _ rows: [Row],
        floor: Double,
        _ chunk: (Int) -> [UInt8]?
    ) throws(PostgresError) -> (feed: RecoveredFeed, head: PostgresHead) {
        let name = FeedName(bases.text(row, 0))
        let version = try bases.version(row, 3, of: "freshet_base")
        let (hash, data) = (bases.bits(row, 4), bases.bytes(row, 6))
        guard let name, Checksum.of(data, after: hash ^ UInt64(version)) == bases.bits(row, 5),
            var record = try? BaseRecord(data),
            let snapshot = try? PostgresWorker.content(&record, chunk)
        else { throw damaged(bases.text(row, 0), version) }
        let first = PostgresHead.Recent(
            version: version,
            hash: hash,
            snapshot: snapshot.indexed(),
            details: record.details
        )
        var head = PostgresHead(
            id: bases.integer(row, 1),
            epoch: bases.text(row, 2),
            version: version,
            hash: hash,
            number: VersionNumber.next(),
            base: PostgresHead.Base(record, version: version),
            recent: [first],
            times: record.times
        )
        head.hasKept = bases.flag(row, 7)
        var versions = [head.recovered(published: record.times.last ?? 0)]
        for entry in rows where entry.version > version {
            let hash = FeedHead.hash(
                entry.data,
                version: entry.version,
                published: entry.published,
                after: head.hash
            )
            guard entry.version > head.version, hash == entry.hash,
                let next = try? DeltaRecord.apply(
                    entry.data,
                    to: head.snapshot,
                    published: entry.published
                )
            else { throw damaged(name.rawValue, entry.version) }
            head.add(
                next,
                details: DeltaRecord.details(entry.data),
                version: entry.version,
                hash: hash,
                published: entry.published,
                byteCount: entry.data.count,
                number: VersionNumber.next()
            )
            versions.append(head.recovered(published: entry.published))
        }
        let times = Array((record.times + rows.map(\.published)).suffix(FeedHead.timeLimit))
        return (RecoveredFeed(feed: name, versions: versions, times: times, floor: floor), head)
    }

    private func damaged(_ name: String, _ version: Int) -> PostgresError {
        PostgresError(
            state: PostgresError.damage,
            message: "feed \"\(name)\", version \(version), is damaged. Restore a backup"
        )
    }

    /// Returns the version that a base holds, and sets the keys of its chunks.
    private static func content(
        _ record: inout BaseRecord,
        _ chunk: (Int) -> [UInt8]?
    ) throws -> Snapshot {
        var items: [FeedItem] = []
        for index in record.chunks.indices {
            let kept = record.chunks[index]
            guard let bytes = kept.row > 0 ? chunk(kept.row) : kept.bytes,
                Checksum.of(bytes) == kept.checksum
            else { throw ByteReader.Failure() }
            let (own, key) = try FeedImage.items(ofChunk: bytes)
            items += own
            record.chunks[index] = BaseRecord.Chunk(
                row: kept.row,
                key: key,
                checksum: kept.checksum,
                bytes: []
            )
        }
        return try FeedImage.snapshot(outline: record.outline, items: items)
    }
}

extension PostgresHead {
    /// Returns the newest version as it is handed over.
    fileprivate func recovered(published: Double) -> RecoveredFeed.Version {
        RecoveredFeed.Version(
            token: token,
            snapshot: snapshot,
            published: published,
            number: number,
            details: recent.last?.details ?? VersionDetails()
        )
    }
}

extension PostgresHead.Base {
    init(_ record: BaseRecord, version: Int) {
        self.init(
            version: version,
            byteCount: record.byteCount,
            chunks: record.isWhole ? [] : record.chunks.map(\.reference)
        )
    }
}
