package import FeedModel

/// A whole version of a feed, encoded for a journal: an outline with the members and sections, and
/// the items in chunks.
///
/// Chunking is content-defined: the ends of a chunk depend only on the items near them. So similar
/// versions have most chunks in common, and the journal stores these only once (for files: A.
/// Muthitacharoen and others, "A Low-bandwidth Network File System", SOSP 2001).
package struct FeedImage: Sendable {
    /// A run of consecutive items.
    package struct Chunk: Sendable {
        /// A hash of the chunk that is valid in this process only: it tells chunks apart before
        /// they are encoded.
        package let key: UInt64
        let items: ArraySlice<FeedItem>

        init(_ items: ArraySlice<FeedItem>) {
            self.items = items
            key = items.reduce(0) { key, item in
                let seen = UInt64(item.seen.first) << 32 | UInt64(item.seen.changed)
                return Checksum.adding(seen, to: Checksum.adding(item.json.valueHash, to: key))
            }
        }

        /// The encoded items, with the times in seconds since 1970 at which the server first
        /// received and last changed each of them.
        package var bytes: [UInt8] {
            var writer = ByteWriter(capacity: items.reduce(64) { $0 + $1.json.bytes.count + 12 })
            writer.number(items.count)
            for item in items {
                let seen = item.seen
                writer.number(Int(seen.first))
                writer.number(Int(seen.changed))
            }
            for (index, item) in items.enumerated() {
                writer.raw(index == 0 ? Array("{\"items\":[".utf8) : [UInt8(ascii: ",")])
                writer.raw(item.json.bytes)
            }
            writer.raw(Array("]}".utf8))
            return writer.bytes
        }
    }

    /// The feed's members, and the sections with their members and numbers of items.
    package let outline: [UInt8]

    package let chunks: [Chunk]

    /// The approximate number of bytes of the whole image.
    package let byteCount: Int

    /// Makes the image of a version.
    package init(_ snapshot: Snapshot) {
        var writer = ByteWriter(capacity: 256)
        var items: [FeedItem] = []
        items.reserveCapacity(snapshot.count)
        writer.members(snapshot.members)
        writer.number(snapshot.sections.count)
        for section in snapshot.sections {
            writer.text(section.id.string)
            writer.members(section.members)
            writer.number(section.items.count)
            section.items.forEachItem { items.append($0) }
        }
        outline = writer.bytes
        byteCount = writer.bytes.count + snapshot.itemByteCount + 8 * items.count
        chunks = FeedImage.chunks(items)
    }

    /// The bits that are all zero in the hash of an id after which a chunk may end: every 256th
    /// item on average.
    private static let boundary: UInt64 = 255
    /// The fewest items of a chunk; only the last chunk may have fewer, or one that reaches the
    /// limit of bytes.
    private static let leastCount = 32
    /// The most items of a chunk.
    private static let countLimit = 1024
    /// The number of bytes of items from which on a chunk ends.
    private static let byteLimit = 256 << 10

    private static func chunks(_ items: [FeedItem]) -> [Chunk] {
        var chunks: [Chunk] = []
        var (start, byteCount) = (0, 0)
        for (index, item) in items.enumerated() {
            byteCount += item.json.bytes.count
            let count = index + 1 - start
            guard
                count >= leastCount && isBoundary(item.id) || count >= countLimit
                    || byteCount >= byteLimit || index == items.count - 1
            else { continue }
            chunks.append(Chunk(items[start...index]))
            (start, byteCount) = (index + 1, 0)
        }
        return chunks
    }

    /// Whether a chunk may end after the item with this id.
    ///
    /// The hash, FNV-1a with a final mix, is equal in all processes, unlike the hash of an item's
    /// value.
    private static func isBoundary(_ id: ExactString) -> Bool {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in id.string.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        // The last bytes have changed only some bits so far; this mixes them into the others.
        hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
        return (hash >> 40) & boundary == 0
    }
}

extension FeedImage {
    /// Decodes a version from its outline and its items, and fails when they do not fit each other.
    package static func snapshot(outline: [UInt8], items: [FeedItem]) throws -> Snapshot {
        var reader = ByteReader(outline)
        let members = try reader.members()
        var sections: [FeedSection] = []
        var next = 0
        for _ in 0..<(try reader.number()) {
            let id = ExactString(try reader.text())
            let members = try reader.members()
            let end = next + (try reader.number())
            guard end <= items.count else { throw ByteReader.Failure() }
            let own = Array(items[next..<end])
            sections.append(FeedSection(id: id, members: members, items: own))
            next = end
        }
        guard next == items.count, reader.isAtEnd else { throw ByteReader.Failure() }
        return Snapshot(members: members, sections: sections)
    }

    /// Decodes a chunk, and returns its items and its ``Chunk/key``.
    package static func items(ofChunk bytes: [UInt8]) throws -> (items: [FeedItem], key: UInt64) {
        var reader = ByteReader(bytes)
        let count = try reader.number()
        guard count <= bytes.count else { throw ByteReader.Failure() }
        var times: [(first: Int, changed: Int)] = []
        times.reserveCapacity(count)
        for _ in 0..<count { times.append((try reader.number(), try reader.number())) }
        let document = try Snapshot(parsing: reader.rest())
        guard let list = document.sections.first?.items, list.count == count else {
            throw ByteReader.Failure()
        }
        var items: [FeedItem] = []
        items.reserveCapacity(count)
        for (item, time) in zip(list, times) {
            let (first, changed) = (UInt32(clamping: time.first), UInt32(clamping: time.changed))
            item.setSeen(first: first, changed: changed)
            items.append(item)
        }
        return (items, Chunk(items[...]).key)
    }
}
