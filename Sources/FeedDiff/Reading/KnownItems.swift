import FeedModel

/// The items of a feed's earlier version, which are shared with a new version while it is parsed if
/// they are equal byte for byte.
///
/// The items are expected in their old order; an item at another position is looked up.
struct KnownItems {
    private let snapshot: Snapshot

    /// The position at which the next item is expected.
    private var section = 0
    private var index = 0
    /// The part of the list around that position, and the index at which the part begins.
    private var leaf: ContiguousArray<TreeEntry<FeedItem>> = []
    private var start = 0

    /// The number of lookups, successful or not, less the number of items found where expected.
    private var lookUps = 0

    /// The number of lookups after which the versions are taken to have nothing in common.
    private static let lookUpLimit = 256

    /// Starts with the first item of an earlier version.
    init(of snapshot: Snapshot) {
        self.snapshot = snapshot
        enterLeaf()
    }

    /// Returns the earlier item that is likely equal to a new one.
    ///
    /// - Parameters:
    ///   - hash: The hash of the new item's value.
    ///   - id: The new item's id.
    ///   - bytes: The document that contains the new item.
    /// - Returns: An item with an equal hash, if there is one.
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
