import FeedModel
import FeedStore

/// The chain of a feed's versions in a database, as far as a journal knows it without a look there:
/// a base, one version as a whole, and a log of the versions after it, each as its changes.
///
/// Each version has a check that follows from that of the version before it.
struct FeedChain {
    /// A reference to the kept bytes of a chunk of items.
    struct ChunkRecord {
        /// The chunk's row; 0: the bytes are in the base itself.
        let row: Int
        /// The key that tells chunks apart in this process; 0: it is not known.
        let key: UInt64
        /// The check on the chunk's bytes.
        let checksum: UInt64
    }

    /// The version that is kept as a whole.
    struct Base {
        let version: Int
        let byteCount: Int
        /// The base's chunks; none if the base holds its items itself.
        let chunks: [ChunkRecord]
        /// The times at which the last versions up to the base were published.
        let times: [Double]

        init(_ record: BaseRecord, version: Int) {
            self.version = version
            byteCount = record.byteCount
            chunks = record.isWhole ? [] : record.chunks.map(\.reference)
            times = record.times
        }
    }

    /// A later version, kept as its changes.
    struct Row {
        /// The number of the row; 0 where the feed and the version tell it from all others.
        var number = 0
        let version: Int
        /// The approximate number of bytes of the version in the database.
        let byteCount: Int
        let published: Double
        let hash: UInt64

        /// Makes the row of a version.
        ///
        /// - Parameter data: The record of its changes.
        init(number: Int = 0, version: Int, published: Double, hash: UInt64, data: [UInt8]) {
            self.number = number
            self.version = version
            self.published = published
            self.hash = hash
            byteCount = data.count + Row.overheadByteCount
        }

        /// Makes the row of a version whose changes have so many bytes.
        init(version: Int, published: Double, hash: UInt64, dataByteCount: Int) {
            self.version = version
            self.published = published
            self.hash = hash
            byteCount = dataByteCount + Row.overheadByteCount
        }

        private static let overheadByteCount = 64
    }

    /// A version whose content may still be held.
    struct Recent {
        let version: Int
        let source: WeakContent
        /// The content, where it is held here. It shares nearly all of its memory with the versions
        /// that readers have, and as many of those are remembered.
        var held: VersionContent?

        var content: VersionContent? { source.content ?? held }
    }

    /// The number of the feed's incarnation.
    let id: Int
    var epoch: String
    private(set) var version: Int
    /// The number of the newest version; `nil`: it was kept before the process began.
    var number: Int?
    /// The check on all versions up to the newest one.
    private(set) var hash: UInt64
    private(set) var base: Base
    /// The versions after the base, the oldest first.
    private(set) var rows: [Row] = []
    private var rowByteCount = 0
    /// The last versions, the oldest first; never empty.
    private(set) var recent: [Recent]
    /// The number of older versions that are kept beside the chain; where several servers write, 1
    /// if there may be any.
    var keptCount = 0
    var isCompacting = false

    /// The number of last versions that outlive a restart at least.
    static let recentLimit = 8

    /// The most times of publishes that are kept.
    static let timeLimit = 33

    /// Begins a chain with its base.
    init(id: Int, epoch: String, hash: UInt64, base: Base, number: Int?, _ first: Recent) {
        self.id = id
        self.epoch = epoch
        self.hash = hash
        self.base = base
        self.number = number
        version = base.version
        recent = [first]
    }

    var token: Token { Token(epoch: epoch, version: version) }

    /// The time at which the newest version was published.
    var published: Double { rows.last?.published ?? base.times.last ?? 0 }

    /// The content of the newest version, if it is still held.
    var content: VersionContent? { recent.last?.content }

    /// Returns the times at which the last versions up to one were published, the oldest first.
    func times(upTo version: Int) -> [Double] {
        let later = rows.lazy.filter { $0.version <= version }.map(\.published)
        return Array((base.times + later).suffix(FeedChain.timeLimit))
    }

    /// Adds a new version.
    mutating func add(_ row: Row, _ content: Recent, number: Int?) {
        rows.append(row)
        rowByteCount += row.byteCount
        (version, hash, self.number) = (row.version, row.hash, number)
        recent.append(content)
        if recent.count > FeedChain.recentLimit { recent.removeFirst() }
    }

    /// Takes note of the version that is kept as a whole now.
    ///
    /// - Parameters:
    ///   - base: The version.
    ///   - rows: The versions after it, if they were read anew; `nil`: the known ones.
    mutating func replaceBase(_ base: Base, rows: [Row]? = nil) {
        self.base = base
        self.rows = (rows ?? self.rows).filter { $0.version > base.version }
        rowByteCount = self.rows.reduce(0) { $0 + $1.byteCount }
        isCompacting = false
    }

    /// Takes the base as it was read, which may be later than the known one; for `rows` see
    /// ``replaceBase(_:rows:)``.
    mutating func refresh(_ read: BaseRecord, version: Int, rows: [Row]? = nil) {
        var record = read
        var known: [Int: ChunkRecord] = [:]
        for chunk in base.chunks { known[chunk.row] = chunk }
        for (place, chunk) in record.chunks.enumerated() {
            // A chunk whose key is not known is not used again.
            if let old = known[chunk.row], old.checksum == chunk.checksum {
                record.chunks[place].key = old.key
            }
        }
        replaceBase(Base(record, version: version), rows: rows)
    }

    /// Takes note that an older version is forgotten.
    mutating func forget(_ version: Int) {
        if version < self.version { recent.removeAll { $0.version == version } }
    }
}

/// The checks.
extension FeedChain {
    /// Returns the check on a version, given the check on the one before.
    static func hash(
        _ bytes: [UInt8],
        version: Int,
        published: Double,
        after hash: UInt64
    ) -> UInt64 {
        let place = Checksum.adding(UInt64(bitPattern: Int64(version)), to: hash)
        return Checksum.of(bytes, after: Checksum.adding(published.bitPattern, to: place))
    }

    /// Returns the check on a first version.
    ///
    /// - Parameter seed: A number that tells incarnations apart; 0 where nothing else writes.
    static func hash(
        _ record: BaseRecord,
        version: Int,
        published: Double,
        seed: UInt64 = 0
    ) -> UInt64 {
        hash(
            record.outline,
            version: version,
            published: published,
            after: record.chunks.reduce(seed) { Checksum.adding($1.checksum, to: $0) }
        )
    }

    /// Returns the check on the record of a base.
    static func checksum(_ data: [UInt8], version: Int, hash: UInt64) -> UInt64 {
        Checksum.of(data, after: hash ^ UInt64(bitPattern: Int64(version)))
    }

    /// Returns the row of a version that follows the newest one.
    func row(number: Int = 0, version: Int, published: Double, _ data: [UInt8]) -> Row {
        let hash = FeedChain.hash(data, version: version, published: published, after: hash)
        return Row(number: number, version: version, published: published, hash: hash, data: data)
    }
}

/// Reading.
extension FeedChain {
    /// Adds a version that was read.
    ///
    /// - Parameters:
    ///   - row: The version's row.
    ///   - data: The record of its changes.
    ///   - number: The number that the version gets; `nil`: none.
    /// - Returns: The version.
    /// - Throws: An error when it does not follow the newest one.
    mutating func follow(
        _ row: Row,
        _ data: [UInt8],
        number: Int?
    ) throws -> RecoveredFeed.Version {
        let own = self.row(version: row.version, published: row.published, data)
        guard row.version > version, own.hash == row.hash, let before = content?.snapshot else {
            throw ByteReader.Failure()
        }
        let next = try DeltaRecord.apply(data, to: before, published: row.published)
        let content = VersionContent(next, DeltaRecord.details(data))
        add(row, Recent(content, version: row.version), number: number)
        return newest(content)
    }

    /// Returns the newest version as it is handed over.
    func newest(_ content: VersionContent) -> RecoveredFeed.Version {
        RecoveredFeed.Version(
            token: token,
            snapshot: content.snapshot,
            published: published,
            number: number,
            details: content.details
        )
    }
}

extension FeedChain.Recent {
    /// Takes the content of a version that is held here.
    init(_ content: VersionContent, version: Int) {
        self.init(version: version, source: WeakContent(nil), held: content)
    }
}

/// A later version that is to be kept as a whole, in the place of the base and of all changes up to
/// it.
struct Compaction: Sendable {
    /// The state that a compaction starts from.
    struct Plan: Sendable {
        let feed: FeedName
        let id: Int
        let version: Int
        let hash: UInt64
        let content: VersionContent
        let times: [Double]
        /// The version that has been kept as a whole so far; the chunks are its.
        let oldVersion: Int
        var chunks: [FeedChain.ChunkRecord]
    }

    let plan: Plan
    /// The record of the version; only new chunks have bytes.
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
    /// Whether there are so many changes that a later version is to be kept as a whole.
    private var needsCompaction: Bool {
        !isCompacting && rows.count > 2 * FeedChain.recentLimit
            && (rowByteCount > byteLimit || rows.count > 512)
    }

    private var byteLimit: Int { max(16 << 10, base.byteCount / 2) }

    /// Returns the plan of a compaction, if one is due: to the oldest of the versions that outlive
    /// a restart, or, if there are far too many changes, to one after it that is still held.
    func compaction(of feed: FeedName) -> Compaction.Plan? {
        guard needsCompaction, recent.count == FeedChain.recentLimit else { return nil }
        for recent in recent where recent.version > base.version {
            if let content = recent.content {
                return rows.first { $0.version == recent.version }.map { row in
                    plan(feed, version: row.version, hash: row.hash, content)
                }
            }
            guard rowByteCount > 4 * byteLimit || rows.count > 1024 else { return nil }
        }
        return nil
    }

    /// Returns the plan that keeps the newest version as a whole; `nil`: it is not held any more.
    func compactionToNewest(of feed: FeedName) -> Compaction.Plan? {
        content.map { plan(feed, version: version, hash: hash, $0) }
    }

    private func plan(
        _ feed: FeedName,
        version: Int,
        hash: UInt64,
        _ content: VersionContent
    ) -> Compaction.Plan {
        Compaction.Plan(
            feed: feed,
            id: id,
            version: version,
            hash: hash,
            content: content,
            times: times(upTo: version),
            oldVersion: base.version,
            chunks: base.chunks
        )
    }
}

extension [FeedName: FeedChain] {
    /// Returns the plans of the compactions that are due for some feeds, and notes that they are
    /// under way.
    mutating func plans(of feeds: some Sequence<FeedName>) -> [Compaction.Plan] {
        feeds.compactMap { feed in
            guard let plan = self[feed]?.compaction(of: feed) else { return nil }
            self[feed]?.isCompacting = true
            return plan
        }
    }
}
