extension Snapshot {
    /// A function that finds an item of an earlier version that is likely equal to the one being
    /// parsed.
    ///
    /// Its parameters are the hash of the new item's value, its id, and the document that contains
    /// both. It returns an item with an equal hash, or `nil`.
    package typealias KnownItem = (UInt64, StringToken, ArraySlice<UInt8>) -> FeedItem?

    /// Parses a feed's document: `sections`, or `items` alone.
    ///
    /// Members that belong to the protocol are dropped.
    ///
    /// - Parameters:
    ///   - bytes: JSON in UTF-8.
    ///   - itemLimit: The most items.
    ///   - known: Finds items of an earlier version; if they are equal byte for byte, they are used
    ///     instead of new ones.
    /// - Throws: The reason for the refusal, and the position.
    package init(
        parsing bytes: [UInt8],
        itemLimit: Int = .max,
        known: KnownItem = { _, _, _ in nil }
    ) throws(DocumentError) {
        var counts: [ExactString: Int] = [:]
        try self.init(parsing: bytes, itemLimit: itemLimit, counts: &counts, known: known)
    }

    /// Parses a feed's document, and stores the numbers of items that its sections state in
    /// `counts`.
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
