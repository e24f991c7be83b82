import FeedModel

/// The items of a feed's earlier version, met again while a new one is read: those that are byte
/// for byte the same are shared, so that nothing is kept of what did not change.
///
/// They are expected in their old order; an item that stands elsewhere is looked up.
struct KnownItems {
    private let snapshot: Snapshot

    /// Where the next one is expected.
    private var section = 0
    private var index = 0
    /// The part of the list around it, and where that begins.
    private var leaf: ContiguousArray<TreeEntry<FeedItem>> = []
    private var start = 0

    /// Items that were looked up, in vain or not, less those that were where they were expected.
    private var lookUps = 0

    /// With so many there is nothing in common.
    private static let lookUpLimit = 256

    /// Begins with the first item of an earlier version.
    init(of snapshot: Snapshot) {
        self.snapshot = snapshot
        enterLeaf()
    }

    /// The earlier item that is likely the same.
    ///
    /// - Parameters:
    ///   - hash: The hash of the new one's value.
    ///   - id: Its id.
    ///   - bytes: The document that it is in.
    /// - Returns: One of an equal hash, if there is one.
    mutating func item(hash: UInt64, id: StringToken, in bytes: ArraySlice<UInt8>) -> FeedItem? {
        guard lookUps < Self.lookUpLimit else { return nil }
        if let item = expected {
            if item.json.valueHash == hash {
                lookUps = max(0, lookUps - 1)
                advance()
                return item
            }
            if id.equals(item.id, in: bytes) {
                advance()
                return nil
            }
        }
        lookUps += 1
        guard snapshot.isIndexed,
            let position = snapshot.position(ofItem: ExactString(id.string(in: bytes)))
        else { return nil }
        (section, index) = (Int(position.section), Int(position.index))
        enterLeaf()
        let item = expected
        advance()
        return item?.json.valueHash == hash ? item : nil
    }

    private var expected: FeedItem? {
        let position = index - start
        return position < leaf.count ? leaf[position].element : nil
    }

    private mutating func advance() {
        index += 1
        if index - start >= leaf.count { enterLeaf() }
    }

    /// Finds the part of the list around the next item, which may be in a later section.
    private mutating func enterLeaf() {
        while section < snapshot.list.count {
            let items = snapshot.list[section].items
            if index < items.count {
                (leaf, start) = items.leaf(around: index)
                return
            }
            (section, index) = (section + 1, 0)
        }
        (leaf, start) = ([], index)
    }
}
