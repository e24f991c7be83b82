import FeedModel

/// The encoding of the content of an older version that a journal stores (``KeptVersion``): either
/// the changes that lead back to it from the next version, or the whole version.
enum KeptContent {
    /// The first byte of a whole version.
    ///
    /// Changes begin with the format byte of a ``DeltaRecord`` instead.
    static let wholeFormatByte: UInt8 = 0

    /// Returns the encoding of a whole version.
    static func whole(_ snapshot: Snapshot) -> [UInt8] {
        let image = FeedImage(snapshot)
        var writer = ByteWriter(capacity: image.byteCount + 64)
        writer.byte(wholeFormatByte)
        writer.block(image.outline)
        writer.number(image.chunks.count)
        for chunk in image.chunks { writer.block(chunk.bytes) }
        return writer.bytes
    }

    /// Decodes the content of a stored older version.
    ///
    /// - Parameter next: The content of the next version, from which changes lead back.
    /// - Throws: An error when the bytes are damaged, or do not fit the next version.
    static func snapshot(of version: KeptVersion, from next: Snapshot) throws -> Snapshot {
        guard version.isWhole else {
            let published = version.published
            return try DeltaRecord.apply(version.content, to: next, published: published).snapshot
        }
        var reader = ByteReader(version.content)
        _ = try reader.byte()
        let outline = try reader.block()
        var items: [FeedItem] = []
        for _ in 0..<(try reader.number()) {
            items += try FeedImage.items(ofChunk: try reader.block()).items
        }
        guard reader.isAtEnd else { throw ByteReader.Failure() }
        return try FeedImage.snapshot(outline: outline, items: items).indexed()
    }
}

/// Encodes a stored older version as a row of a table.
extension KeptVersion {
    /// The bytes of the column `notes`: the next version, the publish time, the number of items and
    /// the details.
    package var notes: [UInt8] {
        var writer = ByteWriter()
        writer.number(next)
        writer.word(published.bitPattern)
        writer.number(count)
        writer.details(details)
        return writer.bytes
    }

    /// The checksum of the row.
    package var checksum: UInt64 {
        KeptVersion.checksum(version, superseded: superseded, notes: notes, content)
    }

    private static func checksum(
        _ version: Int,
        superseded: Double,
        notes: [UInt8],
        _ content: [UInt8]
    ) -> UInt64 {
        let start = Checksum.adding(superseded.bitPattern, to: UInt64(version))
        return Checksum.of(content, after: Checksum.of(notes, after: start))
    }

    /// Reads a row, and fails when it is damaged.
    ///
    /// - Parameters:
    ///   - superseded: The time at which the next version was published, in seconds since 1970.
    ///   - content: The content; `nil`: it was not read, and the checksum is not checked.
    package init(
        version: Int,
        superseded: Double,
        notes: [UInt8],
        checksum: UInt64,
        content: [UInt8]?
    ) throws(ByteReader.Failure) {
        guard StoredNumber.versions.contains(version), StoredNumber.times.contains(superseded)
        else {
            throw ByteReader.Failure()
        }
        if let content {
            let sum = KeptVersion.checksum(version, superseded: superseded, notes: notes, content)
            guard sum == checksum else { throw ByteReader.Failure() }
        }
        var reader = ByteReader(notes)
        let next = try reader.version()
        let published = Double(bitPattern: try reader.word())
        guard StoredNumber.times.contains(published), next > version else {
            throw ByteReader.Failure()
        }
        self.init(
            version: version,
            next: next,
            published: published,
            superseded: superseded,
            count: try reader.number(),
            details: try reader.details(),
            content: content ?? []
        )
        guard reader.isAtEnd else { throw ByteReader.Failure() }
    }
}
