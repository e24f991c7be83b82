import FeedModel
import FeedStore

/// A feed as the rows of a database have it, before parsing, which any thread can do.
struct StoredFeed: Sendable {
    /// The log's row of a version.
    struct LogRow: Sendable {
        let row: FeedChain.Row
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
        let chunk: FeedChain.ChunkRecord

        /// - Throws: An error when the bytes are damaged.
        init(_ chunk: BaseRecord.Chunk, _ bytes: [UInt8]) throws {
            guard Checksum.of(bytes) == chunk.checksum else { throw ByteReader.Failure() }
            let (items, key) = try FeedImage.items(ofChunk: bytes)
            self.items = items
            self.chunk = FeedChain.ChunkRecord(row: chunk.row, key: key, checksum: chunk.checksum)
        }
    }

    /// The approximate number of bytes that are still to be parsed.
    var byteCount: Int { data.count + rows.reduce(0) { $0 + $1.data.count } }

    /// Puts the feed together, from its base and its changes since, and checks all of it.
    ///
    /// - Parameters:
    ///   - latestDeleted: The latest publish of a feed that is deleted now, in seconds since 1970.
    ///   - adopted: The time at which every feed last got a new epoch: versions up to then, which
    ///     readers saw, may be lost.
    ///   - number: Returns the number of the next version; `nil` for versions that have none.
    /// - Returns: The chain of the feed, and the feed.
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

    /// Returns the content of all chunks, in their order.
    private func contents() throws -> [Content] {
        var known = chunks.makeIterator()
        return try record.chunks.map { chunk in
            guard chunk.row > 0 else { return try Content(chunk, chunk.bytes) }
            guard let content = known.next() else { throw ByteReader.Failure() }
            return content
        }
    }
}
