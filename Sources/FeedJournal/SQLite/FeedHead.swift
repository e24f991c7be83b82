import FeedModel

/// The state of a feed in the database, as far as the journal knows it without a look there.
struct FeedHead {
    /// A reference to the kept bytes of a chunk of items.
    struct ChunkRecord {
        /// The chunk's row; 0: the bytes are in the base itself.
        let row: Int
        /// The key that tells chunks apart in this process.
        let key: UInt64
        /// The check on the chunk's bytes.
        let checksum: UInt64
    }

    /// The version that is kept as a whole.
    struct Base {
        var version: Int
        var byteCount: Int
        /// The base's chunks; none if the base holds its items itself.
        var chunks: [ChunkRecord] = []
        /// The times at which the last versions up to the base were published.
        var times: [Double]
    }

    /// A later version, kept as its changes.
    struct Row {
        let number: Int
        let version: Int
        let byteCount: Int
        let published: Double
        let hash: UInt64
    }

    /// A version whose content may still be held elsewhere.
    struct Recent {
        let version: Int
        let source: WeakSource
        /// The content of a version that was kept before the process began. It shares nearly all of
        /// its memory with the versions that readers have, and as many of those are remembered.
        var recovered: RecoveredContent?

        var content: (any SnapshotSource)? { source.version ?? recovered }
    }

    /// The number of the feed's row.
    let id: Int
    let epoch: String
    var version: Int
    /// The number of the newest version; `nil`: it was kept before the process began.
    var number: Int?
    /// The check on all versions up to the newest one.
    var hash: UInt64
    var base: Base
    var rows: [Row] = []
    var rowByteCount = 0
    /// The last versions, the oldest first.
    var recent: [Recent] = []
    /// The number of older versions in the table `kept`.
    var keptCount = 0
    var isCompacting = false

    /// The number of last versions that outlive a restart at least.
    static let recentLimit = 8

    /// The most times of publishes that are kept.
    static let timeLimit = 33

    var token: Token { Token(epoch: epoch, version: version) }

    /// The time at which the newest version was published.
    var published: Double { rows.last?.published ?? base.times.last ?? 0 }

    /// Returns the times at which the last versions up to one were published, the oldest first.
    func times(upTo version: Int) -> [Double] {
        let later = rows.lazy.filter { $0.version <= version }.map(\.published)
        return Array((base.times + later).suffix(FeedHead.timeLimit))
    }

    /// Whether there are so many changes that a later version is to be kept as a whole.
    var needsCompaction: Bool {
        !isCompacting && rows.count > 2 * FeedHead.recentLimit
            && (rowByteCount > byteLimit || rows.count > 512)
    }

    private var byteLimit: Int { max(16 << 10, base.byteCount / 2) }

    /// The version to keep as a whole next: the oldest of the versions that outlive a restart, or,
    /// if there are far too many changes, one after it that is still held.
    var newBase: (version: Int, content: any SnapshotSource)? {
        guard recent.count == FeedHead.recentLimit else { return nil }
        for recent in recent where recent.version > base.version {
            if let content = recent.content { return (recent.version, content) }
            guard rowByteCount > 4 * byteLimit || rows.count > 1024 else { return nil }
        }
        return nil
    }

    /// Adds a new version, with its content if it was kept before.
    mutating func add(_ row: Row, _ source: WeakSource, recovered: RecoveredContent? = nil) {
        rows.append(row)
        rowByteCount += row.byteCount
        version = row.version
        hash = row.hash
        recent.append(Recent(version: row.version, source: source, recovered: recovered))
        if recent.count > FeedHead.recentLimit { recent.removeFirst() }
    }

    /// Takes the kept base, which may be later than the known one.
    mutating func refresh(_ record: BaseRecord, version: Int) {
        var keys: [Int: UInt64] = [:]
        for chunk in base.chunks { keys[chunk.row] = chunk.key }
        base = Base(
            version: version,
            byteCount: record.byteCount,
            // A chunk whose key is not known is not used again.
            chunks: record.isWhole
                ? []
                : record.chunks.map { chunk in
                    ChunkRecord(row: chunk.row, key: keys[chunk.row] ?? 0, checksum: chunk.checksum)
                },
            times: record.times
        )
        rows.removeAll { $0.version <= version }
        rowByteCount = rows.reduce(0) { $0 + $1.byteCount }
        isCompacting = false
    }

    /// Returns the check on a version, given the check on the one before.
    static func hash(_ bytes: [UInt8], version: Int, published: Double, after hash: UInt64)
        -> UInt64
    {
        let place = Checksum.adding(UInt64(bitPattern: Int64(version)), to: hash)
        return Checksum.of(bytes, after: Checksum.adding(published.bitPattern, to: place))
    }
}
