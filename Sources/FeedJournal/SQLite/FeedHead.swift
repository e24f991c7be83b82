import FeedModel

/// The state of a feed in the database, as far as the journal knows it without a look there.
struct FeedHead {
    /// Where some items are kept.
    struct ChunkRecord {
        /// The row; 0 when the bytes are in the base itself.
        let row: Int
        /// Tells chunks apart in this process.
        let key: UInt64
        /// The check on its bytes.
        let checksum: UInt64
    }

    /// The version that is kept as a whole.
    struct Base {
        var version: Int
        var byteCount: Int
        /// Of a feed whose base holds its items itself, none.
        var chunks: [ChunkRecord] = []
        /// When the last versions up to it were published.
        var times: [Double]
    }

    /// A later version, kept as what changed.
    struct Row {
        let number: Int
        let version: Int
        let byteCount: Int
        let published: Double
        let hash: UInt64
    }

    /// A version that somebody may still hold.
    struct Recent {
        let version: Int
        let source: WeakSource
        /// The content of one that was kept before the process began. It shares nearly all of its
        /// memory with the versions that readers have, and as many of those are remembered.
        var recovered: RecoveredContent?

        var content: (any SnapshotSource)? { source.version ?? recovered }
    }

    /// The row of the feed.
    let id: Int
    let epoch: String
    var version: Int
    /// Of the newest version; `nil`: it was kept before the process began.
    var number: Int?
    /// The check on all versions up to this one.
    var hash: UInt64
    var base: Base
    var rows: [Row] = []
    var rowByteCount = 0
    /// The last versions, the oldest first.
    var recent: [Recent] = []
    /// The number of older versions in the table `kept`.
    var keptCount = 0
    var isCompacting = false

    /// How many of the last versions outlive a restart at least.
    static let recentLimit = 8

    /// How many times of publishes are kept.
    static let timeLimit = 33

    var token: Token { Token(epoch: epoch, version: version) }

    /// When the newest version was published.
    var published: Double { rows.last?.published ?? base.times.last ?? 0 }

    /// When the last versions were published, the oldest first.
    func times(upTo version: Int) -> [Double] {
        let later = rows.lazy.filter { $0.version <= version }.map(\.published)
        return Array((base.times + later).suffix(FeedHead.timeLimit))
    }

    /// Whether the changes have come to so much that a later version is to be kept as a whole.
    var needsCompaction: Bool {
        !isCompacting && rows.count > 2 * FeedHead.recentLimit
            && (rowByteCount > byteLimit || rows.count > 512)
    }

    private var byteLimit: Int { max(16 << 10, base.byteCount / 2) }

    /// The version to keep as a whole next: the oldest of those that outlive a restart, or one
    /// after it that is still held where the changes have come to far too much.
    var newBase: (version: Int, content: any SnapshotSource)? {
        guard recent.count == FeedHead.recentLimit else { return nil }
        for recent in recent where recent.version > base.version {
            if let content = recent.content { return (recent.version, content) }
            guard rowByteCount > 4 * byteLimit || rows.count > 1024 else { return nil }
        }
        return nil
    }

    /// Takes note of one more version; with its content if it is one that was kept before.
    mutating func add(_ row: Row, _ source: WeakSource, recovered: RecoveredContent? = nil) {
        rows.append(row)
        rowByteCount += row.byteCount
        version = row.version
        hash = row.hash
        recent.append(Recent(version: row.version, source: source, recovered: recovered))
        if recent.count > FeedHead.recentLimit { recent.removeFirst() }
    }

    /// Takes the base that is kept, which may be later than the one that was known.
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

    /// The check on a version, after that on the one before.
    static func hash(_ bytes: [UInt8], version: Int, published: Double, after hash: UInt64)
        -> UInt64
    {
        let place = Checksum.adding(UInt64(bitPattern: Int64(version)), to: hash)
        return Checksum.of(bytes, after: Checksum.adding(published.bitPattern, to: place))
    }
}
