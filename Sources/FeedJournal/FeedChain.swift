import FeedModel
import FeedStore

/// A journal's knowledge, in memory, of the versions of one feed in its database: the base, which
/// is one version kept as a whole, and the log, which has each later version as its changes.
///
/// Each version has a check (a hash) that is computed from its record and from the check of the
/// version before it. Equal checks mean equal chains.
struct FeedChain {
    /// The version that is kept as a whole.
    struct Base {
        let version: Int
        let byteCount: Int
        /// The base's chunks; none if the base holds its items itself.
        let chunks: [BaseRecord.Chunk]
        /// The times at which the last versions up to the base were published, in seconds since
        /// 1970.
        let times: [Double]

        init(_ record: BaseRecord, version: Int) {
            self.version = version
            byteCount = record.byteCount
            chunks = record.isWhole ? [] : record.chunks
            times = record.times
        }
    }

    /// A version after the base: a row of the log, without the record of its changes.
    struct Row {
        /// The row's number in SQLite; 0 in PostgreSQL, whose rows are found by feed and version.
        var number = 0
        let version: Int
        /// The approximate number of bytes that the row takes in the database.
        let byteCount: Int
        let published: Double
        let hash: UInt64

        /// Makes the row of a version.
        ///
        /// - Parameter dataByteCount: The length of the record of its changes.
        init(number: Int = 0, version: Int, published: Double, hash: UInt64, dataByteCount: Int) {
            self.number = number
            self.version = version
            self.published = published
            self.hash = hash
            byteCount = dataByteCount + Row.overheadByteCount
        }

        private static let overheadByteCount = 64
    }

    /// A recent version, with its content for as long as the store has it.
    ///
    /// The weak reference is to the content and not to the ``FeedStore/Version``, which every read
    /// retains and releases: Swift does so more slowly once there has been a weak reference to an
    /// object.
    struct Recent {
        let version: Int
        weak let content: VersionContent?
    }

    private(set) var newest: StoredVersion
    /// The content of the newest version.
    private(set) var content: VersionContent
    private(set) var base: Base
    /// The versions after the base, the oldest first.
    private(set) var rows: [Row] = []
    private var rowByteCount = 0
    /// The last versions, the oldest first.
    private(set) var recent: [Recent]
    /// Whether the database may have older versions (``KeptVersion``) beside the chain.
    var hasKept = false
    var isCompacting = false

    /// The least number of last versions that survive a restart.
    static let recentLimit = 8

    /// The most publish times that are kept.
    static let timeLimit = 33

    /// Begins a chain with its base.
    init(_ first: StoredVersion, _ base: Base, _ content: VersionContent) {
        newest = first
        self.base = base
        self.content = content
        recent = [Recent(version: first.version, content: content)]
    }

    var id: Int { newest.id }
    var version: Int { newest.version }
    var token: Token { Token(epoch: newest.epoch, version: version) }

    /// The number of the newest version in this process (``VersionNumber``); `nil`: the version was
    /// kept before the process began.
    var number: Int? { content.number }

    /// The time at which the newest version was published, in seconds since 1970.
    var published: Double { rows.last?.published ?? base.times.last ?? 0 }

    /// Returns the times at which the last versions up to one were published, the oldest first.
    func times(upTo version: Int) -> [Double] {
        let later = rows.lazy.filter { $0.version <= version }.map(\.published)
        return Array((base.times + later).suffix(FeedChain.timeLimit))
    }

    /// Adds a new version.
    mutating func add(_ row: Row, _ content: VersionContent) {
        rows.append(row)
        rowByteCount += row.byteCount
        (newest.version, newest.hash) = (row.version, row.hash)
        self.content = content
        recent.append(Recent(version: row.version, content: content))
        if recent.count > FeedChain.recentLimit { recent.removeFirst() }
    }

    /// Records that the database now keeps another version as a whole.
    ///
    /// - Parameters:
    ///   - base: The new base.
    ///   - rows: The rows of the log, if they were read anew; `nil`: the known rows are kept. Rows
    ///     up to the base are dropped.
    mutating func replaceBase(_ base: Base, rows: [Row]? = nil) {
        self.base = base
        self.rows = (rows ?? self.rows).filter { $0.version > base.version }
        rowByteCount = self.rows.reduce(0) { $0 + $1.byteCount }
        isCompacting = false
    }

    /// Replaces the base by a record that was read from the database and may be newer.
    ///
    /// - Parameters:
    ///   - read: The record.
    ///   - version: The record's version.
    ///   - rows: See ``replaceBase(_:rows:)``.
    mutating func refresh(_ read: BaseRecord, version: Int, rows: [Row]? = nil) {
        var record = read
        var known: [Int: BaseRecord.Chunk] = [:]
        for chunk in base.chunks { known[chunk.row] = chunk }
        for (place, chunk) in record.chunks.enumerated() {
            // A chunk whose key is not known is not used again.
            if let old = known[chunk.row], old.checksum == chunk.checksum {
                record.chunks[place].key = old.key
            }
        }
        replaceBase(Base(record, version: version), rows: rows)
    }

    /// Drops the content of an older version.
    mutating func forget(_ version: Int) {
        if version < self.version { recent.removeAll { $0.version == version } }
    }
}

/// Computes the checks.
extension FeedChain {
    /// Returns the check of a version.
    ///
    /// - Parameters:
    ///   - bytes: The record of the version's changes.
    ///   - version: The version.
    ///   - published: The time at which it was published, in seconds since 1970.
    ///   - hash: The check of the version before it.
    static func hash(
        _ bytes: [UInt8],
        version: Int,
        published: Double,
        after hash: UInt64
    ) -> UInt64 {
        let place = Checksum.adding(UInt64(bitPattern: Int64(version)), to: hash)
        return Checksum.of(bytes, after: Checksum.adding(published.bitPattern, to: place))
    }

    /// Returns the checksum of a base's record, which tells whether the record is damaged.
    static func checksum(_ data: [UInt8], of version: StoredVersion) -> UInt64 {
        Checksum.of(data, after: version.hash ^ UInt64(bitPattern: Int64(version.version)))
    }

    /// Returns the row of a version that follows the newest one.
    func row(number: Int = 0, version: Int, published: Double, _ data: [UInt8]) -> Row {
        let hash = FeedChain.hash(data, version: version, published: published, after: newest.hash)
        return Row(
            number: number,
            version: version,
            published: published,
            hash: hash,
            dataByteCount: data.count
        )
    }
}

/// Reads a feed from the database.
extension FeedChain {
    /// Checks and adds the next version of the log.
    ///
    /// - Parameters:
    ///   - row: The version's row.
    ///   - data: The record of its changes.
    ///   - number: The version's number in this process; `nil`: none.
    /// - Returns: The version.
    /// - Throws: An error when the row is damaged or does not follow the newest version.
    mutating func follow(
        _ row: Row,
        _ data: [UInt8],
        number: Int?
    ) throws -> VersionContent {
        let own = self.row(version: row.version, published: row.published, data)
        guard row.version > version, own.hash == row.hash else { throw ByteReader.Failure() }
        let (snapshot, details) = try DeltaRecord.apply(
            data,
            to: content.snapshot,
            published: row.published
        )
        let next = VersionContent(
            token: Token(epoch: newest.epoch, version: row.version),
            snapshot: snapshot,
            published: row.published,
            number: number,
            details: details
        )
        add(row, next)
        return next
    }
}

/// A version that becomes the new base: it replaces the old base and the changes up to it, so that
/// the log stays short.
struct Compaction: Sendable {
    /// The input of a compaction: the version, and the base that it replaces.
    struct Plan: Sendable {
        /// The version.
        let target: StoredVersion
        let content: VersionContent
        let times: [Double]
        /// The version of the old base.
        let oldVersion: Int
        /// The chunks of the old base, which the new one uses again.
        var chunks: [BaseRecord.Chunk]
    }

    let plan: Plan
    /// The record of the new base; only its new chunks have bytes.
    let record: BaseRecord

    init(_ plan: Plan) {
        self.plan = plan
        record = BaseRecord(
            FeedImage(plan.content.snapshot),
            times: plan.times,
            details: plan.content.details,
            reusing: plan.chunks
        )
    }
}

extension FeedChain {
    /// Returns the plan of a compaction, if the log is so long that a later version should become
    /// the base.
    ///
    /// The new base is the oldest of the last ``recentLimit`` versions that is still in memory.
    func compaction() -> Compaction.Plan? {
        let limit = max(16 << 10, base.byteCount / 2)
        guard !isCompacting, recent.count == FeedChain.recentLimit,
            rows.count > 2 * FeedChain.recentLimit, rowByteCount > limit || rows.count > 512
        else { return nil }
        for recent in recent where recent.version > base.version {
            guard let content = recent.content,
                let row = rows.first(where: { $0.version == recent.version })
            else { continue }
            return plan(version: row.version, hash: row.hash, content)
        }
        return nil
    }

    /// Returns the plan that makes the newest version the base.
    func compactionToNewest() -> Compaction.Plan {
        plan(version: version, hash: newest.hash, content)
    }

    private func plan(
        version: Int,
        hash: UInt64,
        _ content: VersionContent
    ) -> Compaction.Plan {
        var target = newest
        (target.version, target.hash) = (version, hash)
        return Compaction.Plan(
            target: target,
            content: content,
            times: times(upTo: version),
            oldVersion: base.version,
            chunks: base.chunks
        )
    }
}

extension [FeedName: FeedChain] {
    /// Returns the plans of all compactions that are due for these feeds, and marks those feeds as
    /// compacting.
    mutating func plans(of feeds: some Sequence<FeedName>) -> [Compaction.Plan] {
        feeds.compactMap { feed in
            guard let plan = self[feed]?.compaction() else { return nil }
            self[feed]?.isCompacting = true
            return plan
        }
    }

    /// Lets compactions that have ended be planned again.
    mutating func end(_ compactions: [Compaction]) {
        for compaction in compactions { self[compaction.plan.target.name]?.isCompacting = false }
    }
}
