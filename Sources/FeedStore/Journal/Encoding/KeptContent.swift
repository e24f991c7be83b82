package import FeedModel

/// The content of a kept version as bytes: what leads to it from the version that followed, or all
/// of it.
package enum KeptContent {
    /// The first byte of a whole version; what changed begins with the form of a ``VersionDelta``.
    private static let wholeForm: UInt8 = 0

    static func isWhole(_ bytes: [UInt8]) -> Bool { bytes.first == wholeForm }

    /// Returns all of a version.
    package static func whole(_ snapshot: Snapshot) -> [UInt8] {
        let image = FeedImage(snapshot)
        var writer = ByteWriter(capacity: image.byteCount + 64)
        writer.byte(wholeForm)
        writer.block(image.outline)
        writer.number(image.chunks.count)
        for chunk in image.chunks { writer.block(chunk.bytes) }
        return writer.bytes
    }

    /// Makes a version's content from that of the one that followed it.
    ///
    /// - Parameters:
    ///   - version: The version.
    ///   - next: The content of the next version; a whole version needs none.
    /// - Throws: When something is damaged, or does not fit.
    package static func snapshot(of version: KeptVersion, from next: Snapshot?) throws -> Snapshot {
        guard isWhole(version.content) else {
            guard let next else { throw ByteReader.Failure() }
            return try DeltaRecord.apply(version.content, to: next, published: version.published)
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

/// A kept version as the row of a table.
extension KeptVersion {
    /// All but the version's number, when it was superseded, and its content.
    package var notes: [UInt8] {
        var writer = ByteWriter()
        writer.number(next)
        writer.word(published.bitPattern)
        writer.number(count)
        writer.details(details)
        return writer.bytes
    }

    /// The check on a row.
    package var checksum: UInt64 { KeptVersion.checksum(version, superseded, notes, content) }

    private static func checksum(
        _ version: Int,
        _ superseded: Double,
        _ notes: [UInt8],
        _ content: [UInt8]
    ) -> UInt64 {
        let start = Checksum.adding(superseded.bitPattern, to: UInt64(version))
        return Checksum.of(content, after: Checksum.of(notes, after: start))
    }

    /// Reads a row.
    ///
    /// - Parameters:
    ///   - checksum: The check that is kept with it.
    ///   - content: `nil`: it was not read, and nothing is checked.
    /// - Throws: When it is damaged.
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
        if let content,
            KeptVersion.checksum(version, superseded, notes, content) != checksum
        {
            throw ByteReader.Failure()
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
