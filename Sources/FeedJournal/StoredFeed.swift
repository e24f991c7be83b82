import FeedModel
import FeedStore

/// A version of a feed, as the rows of a database name it.
struct StoredVersion: Sendable, Equatable {
    let name: FeedName
    /// The number of the feed's incarnation: a feed that is deleted and created again gets a new
    /// one.
    ///
    /// 0: there is no such feed.
    let id: Int
    let epoch: String
    var version: Int
    /// The check on all versions up to this one.
    var hash: UInt64

    /// The values of the version's columns: name, incarnation, epoch, version, check.
    var values: [StatementValue] {
        [.text(name.rawValue), .integer(id), .text(epoch), .integer(version), .bits(hash)]
    }
}

extension StoredVersion {
    /// Makes the version of a feed's first base.
    ///
    /// - Parameter seed: A number that tells incarnations apart; 0 where no other server writes.
    init(first record: BaseRecord, of name: FeedName, id: Int, _ token: Token, seed: UInt64 = 0) {
        self.name = name
        self.id = id
        (epoch, version) = (token.epoch, token.version)
        hash = FeedChain.hash(
            record.outline,
            version: version,
            published: record.times.last ?? 0,
            after: record.chunks.reduce(seed) { Checksum.adding($1.checksum, to: $0) }
        )
    }
}

/// The rows of a feed as read from a database; any thread can then parse and check them.
struct StoredFeed: Sendable {
    /// A row of the log: a version after the base, with the record of its changes.
    typealias LogRow = (row: FeedChain.Row, data: [UInt8])

    /// The damaged part of a feed: the record of a version, or the items of the base.
    struct Damage: Error {
        /// The feed and its part, for people.
        let words: String
    }

    private let base: StoredVersion
    /// The checksum of the base's record.
    private let checksum: UInt64
    /// The bytes of the base's record.
    private let data: [UInt8]
    private let record: BaseRecord
    /// The items of the chunks that have rows of their own, already parsed, so that all bytes of a
    /// long feed are never in memory at once.
    private let items: [[FeedItem]]
    private let rows: [LogRow]
    private let hasKept: Bool

    /// Takes the rows of a feed, and parses the record of its base and the chunks that have rows.
    ///
    /// - Parameters:
    ///   - rows: The rows of the log, all of versions after the base.
    ///   - hasKept: Whether the database has older versions (``KeptVersion``) beside these.
    ///   - chunk: Returns the bytes in a chunk's row; `nil`: there is no such row.
    init(
        _ base: StoredVersion,
        checksum: UInt64,
        data: [UInt8],
        rows: [LogRow],
        hasKept: Bool,
        chunk: (Int) throws -> [UInt8]?
    ) throws(Damage) {
        guard StoredNumber.versions.contains(base.version), var record = try? BaseRecord(data)
        else { throw Damage(base.name, version: base.version) }
        var items: [[FeedItem]] = []
        do {
            for (index, part) in record.chunks.enumerated() where part.row > 0 {
                guard let bytes = try chunk(part.row) else { throw ByteReader.Failure() }
                let (parsed, key) = try part.items(bytes)
                record.chunks[index].key = key
                items.append(parsed)
            }
        } catch {
            throw Damage(itemsOf: base)
        }
        self.base = base
        self.checksum = checksum
        self.data = data
        self.record = record
        self.items = items
        self.rows = rows
        self.hasKept = hasKept
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
    func recovered(
        latestDeleted: Double?,
        adopted: Double?,
        number: () -> Int? = { nil }
    ) throws(Damage) -> (chain: FeedChain, feed: RecoveredFeed) {
        guard FeedChain.checksum(data, of: base) == checksum else {
            throw Damage(base.name, version: base.version)
        }
        guard let snapshot = try? snapshot() else { throw Damage(itemsOf: base) }
        let start = FeedChain.Base(record, version: base.version)
        let content = VersionContent(
            token: Token(epoch: base.epoch, version: base.version),
            snapshot: snapshot.indexed(),
            published: start.times.last ?? 0,
            number: number(),
            details: record.details
        )
        var chain = FeedChain(base, start, content)
        chain.hasKept = hasKept
        var versions = [content]
        for entry in rows {
            do {
                versions.append(try chain.follow(entry.row, entry.data, number: number()))
            } catch {
                throw Damage(base.name, version: entry.row.version)
            }
        }
        let feed = RecoveredFeed(
            feed: base.name,
            versions: versions,
            times: chain.times(upTo: chain.version),
            floor: max(adopted ?? 0, base.version == 1 ? latestDeleted ?? 0 : 0)
        )
        return (chain, feed)
    }

    /// Returns the base's content.
    private func snapshot() throws -> Snapshot {
        var parsed = items.makeIterator()
        let all = try record.chunks.flatMap { chunk in
            chunk.row > 0 ? parsed.next() ?? [] : try chunk.items(chunk.bytes).items
        }
        return try FeedImage.snapshot(outline: record.outline, items: all)
    }
}

extension StoredFeed.Damage {
    init(_ feed: FeedName, version: Int) {
        words = "feed \"\(feed)\", version \(version)"
    }

    init(itemsOf base: StoredVersion) {
        words = "feed \"\(base.name)\", items of version \(base.version)"
    }
}
