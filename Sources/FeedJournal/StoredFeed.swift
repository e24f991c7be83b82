import FeedModel
import FeedStore

/// The rows of a feed as read from a database; any thread can then parse and check them.
struct StoredFeed: Sendable {
    /// A row of the log: a version after the base, with the record of its changes.
    struct LogRow: Sendable {
        let row: FeedChain.Row
        let data: [UInt8]
    }

    /// The damaged part of a feed: the record of a version, or the items of the base.
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
    /// The checksum of the base's record.
    let checksum: UInt64
    /// The bytes of the base's record.
    let data: [UInt8]
    /// The base's record, parsed.
    let record: BaseRecord
    /// The chunks that have rows of their own, already parsed, so that all bytes of a long feed are
    /// never in memory at once.
    let chunks: [Content]
    let rows: [LogRow]
    /// The number of older versions (``KeptVersion``) that the database has beside these.
    let keptCount: Int

    /// The items of a chunk.
    struct Content: Sendable {
        let items: [FeedItem]
        let chunk: FeedChain.ChunkRecord

        /// Parses a chunk.
        ///
        /// - Throws: An error when the bytes are damaged.
        init(_ chunk: BaseRecord.Chunk, _ bytes: [UInt8]) throws {
            guard Checksum.of(bytes) == chunk.checksum else { throw ByteReader.Failure() }
            let (items, key) = try FeedImage.items(ofChunk: bytes)
            self.items = items
            self.chunk = FeedChain.ChunkRecord(row: chunk.row, key: key, checksum: chunk.checksum)
        }
    }

    /// The approximate number of bytes that are not parsed yet.
    var byteCount: Int { data.count + rows.reduce(0) { $0 + $1.data.count } }

    /// Rebuilds the feed's versions from the base and the log, and checks all of them.
    ///
    /// - Parameters:
    ///   - latestDeleted: The latest publish of a feed that is deleted now, in seconds since 1970.
    ///   - adopted: The time at which every feed last got a new epoch, in seconds since 1970:
    ///     versions that readers saw before then may be lost.
    ///   - number: Returns a new number for a version (``VersionNumber``), or `nil`.
    /// - Returns: The feed's chain, and the feed for the store.
    /// - Throws: The damaged part.
    func recovered(
        latestDeleted: Double?,
        adopted: Double?,
        number: () -> Int? = { nil }
    ) throws(Damage) -> (chain: FeedChain, feed: RecoveredFeed) {
        guard FeedChain.checksum(data, version: version, hash: hash) == checksum else {
            throw .version(name, version)
        }
        guard let contents = try? contents(),
            let snapshot = try? FeedImage.snapshot(
                outline: record.outline,
                items: contents.flatMap(\.items)
            )
        else { throw .items(name, version: version) }
        var record = record
        for (place, content) in contents.enumerated() {
            record.chunks[place].key = content.chunk.key
        }
        let content = VersionContent(snapshot.indexed(), record.details)
        var chain = FeedChain(
            id: id,
            epoch: epoch,
            hash: hash,
            base: FeedChain.Base(record, version: version),
            number: number(),
            FeedChain.Recent(content, version: version)
        )
        chain.keptCount = keptCount
        var versions = [chain.newest(content)]
        for entry in rows {
            do {
                versions.append(try chain.follow(entry.row, entry.data, number: number()))
            } catch {
                throw Damage.version(name, entry.row.version)
            }
        }
        let feed = RecoveredFeed(
            feed: name,
            versions: versions,
            times: chain.times(upTo: chain.version),
            floor: max(adopted ?? 0, version == 1 ? latestDeleted ?? 0 : 0)
        )
        return (chain, feed)
    }

    /// Returns the items of all chunks, in order.
    private func contents() throws -> [Content] {
        var known = chunks.makeIterator()
        return try record.chunks.map { chunk in
            guard chunk.row > 0 else { return try Content(chunk, chunk.bytes) }
            guard let content = known.next() else { throw ByteReader.Failure() }
            return content
        }
    }
}
