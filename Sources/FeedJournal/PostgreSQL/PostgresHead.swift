import FeedModel

/// The state of a feed in a database, as far as a server knows it without a look there.
struct PostgresHead {
    /// A version that may become the base.
    struct Recent {
        let version: Int
        let hash: UInt64
        let snapshot: Snapshot
        let details: VersionDetails
    }

    /// The version that is kept as a whole; another server may have replaced it.
    struct Base {
        let version: Int
        let byteCount: Int
        let chunks: [FeedHead.ChunkRecord]
    }

    /// A version that is kept as its changes.
    struct Row {
        let version: Int
        /// The approximate number of bytes of the version in the database.
        let byteCount: Int
    }

    /// The number of the feed's incarnation.
    let id: Int
    var epoch: String
    var version: Int
    var hash: UInt64
    /// The number of the newest version.
    var number: Int
    var base: Base
    /// The versions after the base, the oldest first.
    private(set) var rows: [Row] = []
    /// The last versions, the oldest first; never empty.
    var recent: [Recent]
    /// The times at which the last versions were published, the oldest first.
    var times: [Double]
    var isCompacting = false
    /// Whether older versions may be in `freshet_kept`.
    var hasKept = false

    var token: Token { Token(epoch: epoch, version: version) }

    var published: Double { times.last ?? 0 }

    /// The times at which the last versions up to the first of ``recent`` were published.
    var earlierTimes: [Double] {
        Array(times.dropLast(recent.count - 1).suffix(FeedHead.timeLimit))
    }

    var snapshot: Snapshot { recent.last?.snapshot ?? Snapshot() }

    /// Whether there are so many changes that a later version is to be kept as a whole.
    var needsCompaction: Bool {
        guard !isCompacting, rows.count > 2 * FeedHead.recentLimit else { return false }
        let byteCount = rows.reduce(0) { $0 + $1.byteCount }
        return byteCount > max(16 << 10, base.byteCount / 2) || rows.count > 512
    }

    /// Sets the version that is kept as a whole now, and the versions after it.
    ///
    /// - Parameters:
    ///   - base: The version.
    ///   - rows: The versions kept beside the base, if they were read anew; `nil`: the known ones.
    mutating func replaceBase(_ base: Base, rows: [Row]? = nil) {
        self.rows = (rows ?? self.rows).filter { $0.version > base.version }
        self.base = base
    }

    /// Takes note that an older version is forgotten.
    mutating func forget(_ version: Int) {
        guard let place = recent.firstIndex(where: { $0.version == version }), recent.count > 1
        else {
            return
        }
        // The times at the end are those of the recent versions.
        times.remove(at: times.count - recent.count + place)
        recent.remove(at: place)
    }

    /// Adds a new version.
    mutating func add(
        _ snapshot: Snapshot,
        details: VersionDetails,
        version: Int,
        hash: UInt64,
        published: Double,
        byteCount: Int,
        number: Int
    ) {
        self.version = version
        self.hash = hash
        self.number = number
        rows.append(Row(version: version, byteCount: byteCount + 64))
        times.append(published)
        if times.count > FeedHead.timeLimit + FeedHead.recentLimit { times.removeFirst() }
        recent.append(
            Recent(version: version, hash: hash, snapshot: snapshot, details: details)
        )
        if recent.count > FeedHead.recentLimit { recent.removeFirst() }
    }
}

/// The newest version of a feed, as the database has it.
struct PostgresHeadRow {
    let name: FeedName
    /// The number of the feed's incarnation; 0: there is no such feed.
    let id: Int
    let epoch: String
    let version: Int
    let hash: UInt64

    /// Reads a row of ``PostgresSchema/heads`` or a similar query; `nil`: the row names no feed.
    init?(_ rows: PostgresRows, _ row: Int) throws(PostgresError) {
        guard !rows.isNull(row, 2) else { return nil }
        guard let name = FeedName(rows.text(row, 2)) else {
            throw .lost("a feed has the name \"\(rows.text(row, 2))\"")
        }
        self.name = name
        id = rows.integer(row, 3)
        epoch = rows.text(row, 4)
        version = rows.integer(row, 5)
        hash = rows.bits(row, 6)
    }
}
