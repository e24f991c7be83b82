extension Snapshot {
    /// Finds the item of an earlier version that is likely the same as one that is being read.
    ///
    /// It gets the hash of the new item's value, its id, and the document that both are in; it
    /// returns an item of an equal hash, or `nil`.
    package typealias KnownItem = (UInt64, StringToken, ArraySlice<UInt8>) -> FeedItem?

    /// Reads the document of a feed: `sections`, or `items` alone.
    ///
    /// Members that belong to the protocol are dropped.
    ///
    /// - Parameters:
    ///   - bytes: JSON in UTF-8.
    ///   - itemLimit: The most items.
    ///   - known: Finds items of an earlier version; those that are byte for byte the same are
    ///     kept instead.
    /// - Throws: What is wrong, and where.
    package init(
        parsing bytes: [UInt8],
        itemLimit: Int = .max,
        known: KnownItem = { _, _, _ in nil }
    ) throws(DocumentError) {
        var counts: [ExactString: Int] = [:]
        try self.init(parsing: bytes, itemLimit: itemLimit, counts: &counts, known: known)
    }

    /// The same, and what sections say of their numbers of items.
    init(
        parsing bytes: [UInt8],
        itemLimit: Int = .max,
        counts: inout [ExactString: Int],
        known: KnownItem = { _, _, _ in nil }
    ) throws(DocumentError) {
        let bytes = bytes[...]
        var reader = SnapshotReader(itemLimit: itemLimit)
        do throws(JSONFault) {
            self = try reader.snapshot(in: bytes, known: known)
            counts = reader.counts
        } catch {
            throw error.documentError(in: bytes)
        }
    }
}
