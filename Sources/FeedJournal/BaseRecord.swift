import FeedModel
import FeedStore

/// The record of a version that a database keeps as a whole: its outline, which is the feed without
/// its items, and its items in chunks.
///
/// The chunks of a small feed are within the record; those of a larger one have rows of their own,
/// which later records of the feed use again.
struct BaseRecord {
    /// A chunk of items: the number of its row, or its bytes if the record itself holds them.
    struct Chunk {
        /// The number of the chunk's row; 0: the record holds the bytes; -1: the chunk still needs
        /// a row.
        var row: Int
        /// The key that tells chunks apart in this process; 0: unknown.
        var key: UInt64
        /// The check on the chunk's bytes.
        let checksum: UInt64
        /// The bytes; empty if they are in the chunk's row.
        var bytes: [UInt8]

        /// Parses the bytes of this chunk, and fails when they are damaged.
        func items(_ bytes: [UInt8]) throws -> (items: [FeedItem], key: UInt64) {
            guard Checksum.of(bytes) == checksum else { throw ByteReader.Failure() }
            return try FeedImage.items(ofChunk: bytes)
        }
    }

    /// The first byte of a record: its form.
    ///
    /// Form 1 has no ``VersionDetails``.
    static let form: UInt8 = 2
    private static let formWithoutDetails: UInt8 = 1

    /// The largest feed, in bytes, whose items are within the record.
    static let wholeByteLimit = 16 << 10

    let outline: [UInt8]
    var chunks: [Chunk]
    let times: [Double]
    let details: VersionDetails
    let byteCount: Int

    /// Whether the record holds all items itself.
    var isWhole: Bool { chunks.allSatisfy { $0.row == 0 } }

    /// Makes the record of a version.
    ///
    /// - Parameters:
    ///   - times: The times at which the last versions were published, in seconds since 1970.
    ///   - known: The chunks that have rows already; their bytes are not made again.
    init(
        _ image: FeedImage,
        times: [Double],
        details: VersionDetails,
        reusing known: [Chunk] = []
    ) {
        outline = image.outline
        self.times = times
        self.details = details
        byteCount = image.byteCount
        let isWhole = image.byteCount <= BaseRecord.wholeByteLimit
        var rows: [UInt64: Chunk] = [:]
        if !isWhole { for chunk in known { rows[chunk.key] = chunk } }
        chunks = image.chunks.map { chunk in
            if let known = rows[chunk.key] { return known }
            let bytes = chunk.bytes
            return Chunk(
                row: isWhole ? 0 : -1,
                key: chunk.key,
                checksum: Checksum.of(bytes),
                bytes: bytes
            )
        }
    }

    /// Makes the record of a feed's first version from the image of its content.
    init(_ image: FeedImage, of first: VersionContent) {
        self.init(image, times: [first.published], details: first.details)
    }

    /// Numbers the chunks that still need rows, after the highest number in use, and hands their
    /// numbers and bytes over.
    mutating func takeChunks(after last: Int) -> [(number: Int, bytes: [UInt8])] {
        var taken: [(Int, [UInt8])] = []
        for index in chunks.indices where chunks[index].row < 0 {
            chunks[index].row = last + 1 + taken.count
            taken.append((chunks[index].row, chunks[index].bytes))
            chunks[index].bytes = []
        }
        return taken
    }

    var bytes: [UInt8] {
        var writer = ByteWriter(capacity: outline.count + 24 * chunks.count + 64)
        writer.byte(BaseRecord.form)
        writer.number(byteCount)
        writer.number(times.count)
        for time in times { writer.word(time.bitPattern) }
        writer.details(details)
        writer.block(outline)
        writer.number(chunks.count)
        for chunk in chunks {
            writer.number(chunk.row)
            writer.word(chunk.checksum)
            if chunk.row == 0 { writer.block(chunk.bytes) }
        }
        return writer.bytes
    }

    /// Returns the values of a base's row in either database: the feed's number, the version, its
    /// check, the record's checksum, and the record.
    func values(of version: StoredVersion) -> [StatementValue] {
        let data = bytes
        return [
            .integer(version.id), .integer(version.version), .bits(version.hash),
            .bits(FeedChain.checksum(data, of: version)), .blob(data),
        ]
    }

    /// Reads a record.
    ///
    /// The keys of its chunks stay 0: a key is computed from a chunk's items.
    init(_ bytes: [UInt8]) throws(ByteReader.Failure) {
        var reader = ByteReader(bytes)
        let form = try reader.byte()
        guard [BaseRecord.form, BaseRecord.formWithoutDetails].contains(form) else {
            throw ByteReader.Failure()
        }
        byteCount = try reader.number()
        var times: [Double] = []
        for _ in 0..<(try reader.number()) {
            let time = Double(bitPattern: try reader.word())
            guard StoredNumber.times.contains(time) else { throw ByteReader.Failure() }
            times.append(time)
        }
        self.times = times
        details = form == BaseRecord.form ? try reader.details() : VersionDetails()
        outline = try reader.block()
        chunks = []
        for _ in 0..<(try reader.number()) {
            let row = try reader.number()
            let checksum = try reader.word()
            let bytes = row == 0 ? try reader.block() : []
            chunks.append(Chunk(row: row, key: 0, checksum: checksum, bytes: bytes))
        }
        guard reader.isAtEnd else { throw ByteReader.Failure() }
    }
}
