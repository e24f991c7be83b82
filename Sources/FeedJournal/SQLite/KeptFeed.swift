import FeedModel

/// A feed as the rows of the database have it, before parsing, which any thread can do.
struct KeptFeed: Sendable {
    /// The log's row of a version.
    struct LogRow: Sendable {
        let row: FeedHead.Row
        let data: [UInt8]
    }

    /// The part of a feed that cannot be read.
    enum Damage: Error {
        case version(FeedName, Int)
        case items(FeedName, version: Int)
    }

    let name: FeedName
    let id: Int
    let epoch: String
    /// The version of the base.
    let version: Int
    let hash: UInt64
    /// The check on the base.
    let checksum: UInt64
    /// The base as it is kept.
    let data: [UInt8]
    /// The base, taken apart.
    let record: BaseRecord
    /// The content of the chunks that have rows of their own, taken apart so that the bytes of a
    /// long feed are not held at once.
    let chunks: [Content]
    let rows: [LogRow]
    /// The number of older versions that are kept beside these.
    let keptCount: Int

    /// The content of a chunk.
    struct Content: Sendable {
        let items: [FeedItem]
        let chunk: FeedHead.ChunkRecord

        /// - Throws: An error when the bytes are damaged.
        init(_ chunk: BaseRecord.Chunk, _ bytes: [UInt8]) throws {
            guard Checksum.of(bytes) == chunk.checksum else { throw ByteReader.Failure() }
            let (items, key) = try FeedImage.items(ofChunk: bytes)
            self.items = items
            self.chunk = FeedHead.ChunkRecord(row: chunk.row, key: key, checksum: chunk.checksum)
        }
    }

    /// The approximate number of bytes that are still to be parsed.
    var byteCount: Int { data.count + rows.reduce(0) { $0 + $1.data.count } }

    /// Puts the feed together, from its base and its changes since, and checks all of it.
    ///
    /// - Parameters:
    ///   - adopted: The time at which the feeds got new epochs, in seconds since 1970.
    ///   - latestDeleted: The latest publish of a feed that is deleted now.
    /// - Returns: The head of the feed, and the feed.
    /// - Throws: The damaged part.
    func recovered(
        adopted: Double,
        latestDeleted: Double?
    ) throws(Damage) -> (head: FeedHead, feed: RecoveredFeed) {
        guard Checksum.of(data, after: hash ^ UInt64(bitPattern: Int64(version))) == checksum else {
            throw .version(name, version)
        }
        guard let contents = try? contents(),
            var snapshot = try? FeedImage.snapshot(
                outline: record.outline,
                items: contents.flatMap(\.items)
            )
        else { throw .items(name, version: version) }
        let base = FeedHead.Base(
            version: version,
            byteCount: record.byteCount,
            chunks: record.isWhole ? [] : contents.map(\.chunk),
            times: record.times
        )
        var head = FeedHead(id: id, epoch: epoch, version: version, hash: hash, base: base)
        var versions = [
            RecoveredFeed.Version(
                token: head.token,
                snapshot: snapshot.indexed(),
                published: record.times.last ?? 0,
                details: record.details
            )
        ]
        let content = RecoveredContent(versions[0].snapshot, record.details)
        head.recent = [
            FeedHead.Recent(version: version, source: WeakSource(nil), recovered: content)
        ]
        head.keptCount = keptCount
        for entry in rows {
            let content = try next(entry, after: snapshot, &head)
            snapshot = content.snapshot
            versions.append(
                RecoveredFeed.Version(
                    token: head.token,
                    snapshot: snapshot,
                    published: entry.row.published,
                    details: content.details
                )
            )
        }
        let feed = RecoveredFeed(
            feed: name,
            versions: versions,
            times: head.times(upTo: head.version),
            floor: max(adopted, versions[0].token.version == 1 ? latestDeleted ?? 0 : 0)
        )
        return (head, feed)
    }

    private func next(
        _ entry: LogRow,
        after snapshot: Snapshot,
        _ head: inout FeedHead
    ) throws(Damage) -> RecoveredContent {
        let row = entry.row
        let hash = FeedHead.hash(
            entry.data,
            version: row.version,
            published: row.published,
            after: head.hash
        )
        guard row.version > head.version, hash == row.hash,
            let next = try? DeltaRecord.apply(entry.data, to: snapshot, published: row.published)
        else { throw .version(name, row.version) }
        let content = RecoveredContent(next, DeltaRecord.details(entry.data))
        head.add(row, WeakSource(nil), recovered: content)
        return content
    }

    /// Returns the content of all chunks, in their order.
    private func contents() throws -> [Content] {
        var known = chunks.makeIterator()
        return try record.chunks.compactMap { chunk in
            chunk.row > 0 ? known.next() : try Content(chunk, chunk.bytes)
        }
    }
}
