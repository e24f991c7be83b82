/// The sections of a feed, in order.
///
/// A list shares unchanged parts with its copies, like an ``ItemList``; its changes take time
/// logarithmic in its length.
public struct SectionList: Sendable {
    package internal(set) var tree: TreeList<FeedSection>

    /// Makes an empty list.
    public init() {
        tree = TreeList()
    }

    /// Makes a list of sections.
    public init(_ sections: some Sequence<FeedSection>) {
        tree = (sections as? SectionList)?.tree ?? TreeList(sections)
    }

    /// The number of items in all sections.
    package var itemCount: Int { tree.summary.itemCount }

    /// Returns the position of the item that has `offset` others before it in the feed; `nil` if
    /// the feed has no such item.
    package func position(ofItem offset: Int) -> (section: Int, index: Int)? {
        tree.position(ofItem: offset).map { ($0.element, $0.item) }
    }

    /// Returns the number of bytes of the JSON of all items before an item; the function examines
    /// only the tree's path to the item.
    package func byteCount(beforeItem index: Int, of section: Int) -> Int {
        let items = self[section].items
        return tree.root.byteCount(before: section) + items.tree.root.byteCount(before: index)
    }

    /// Returns the number of bytes of the JSON of all items of some sections, without examining the
    /// items.
    package func byteCount(of sections: Range<Int>) -> Int {
        tree.root.byteCount(before: sections.upperBound)
            - tree.root.byteCount(before: sections.lowerBound)
    }

    /// The item at a valid position.
    package subscript(position: ItemPosition) -> FeedItem {
        self[Int(position.section)].items[Int(position.index)]
    }
}

extension SectionList: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
    /// The index 0.
    public var startIndex: Int { 0 }

    /// The number of sections.
    public var endIndex: Int { tree.count }

    /// The section at an index.
    public subscript(index: Int) -> FeedSection {
        get { tree[index] }
        set { tree.update(index) { $0 = newValue } }
    }

    /// Replaces some sections by others.
    public mutating func replaceSubrange(
        _ range: Range<Int>,
        with sections: some Collection<FeedSection>
    ) {
        tree.remove(range)
        var relabelled: [TreePart<FeedSection>.Relabelling] = []
        tree.insert(sections, at: range.lowerBound, relabelled: &relabelled)
    }

    /// An iterator over the sections.
    public struct Iterator: IteratorProtocol {
        fileprivate var base: TreeList<FeedSection>.Iterator

        /// Returns the next section.
        public mutating func next() -> FeedSection? { base.next() }
    }

    /// Returns an iterator over the sections.
    public func makeIterator() -> Iterator { Iterator(base: tree.makeIterator()) }
}

extension SectionList: ExpressibleByArrayLiteral {
    /// Makes a list of sections.
    public init(arrayLiteral sections: FeedSection...) {
        self.init(sections)
    }
}

extension SectionList {
    /// Returns the checksum of the order (``Snapshot/order``) that the feed would have with all its
    /// sections but only its first `limit` items.
    ///
    /// The function does not examine the items of sections that are wholly within the limit or
    /// wholly past it.
    package func order(ofFirstItems limit: Int) -> UInt32 {
        var room = Swift.max(0, limit)
        var order = CRC32Part.empty
        // The texts for sections without shown items are joined before the next one's.
        var heads = CRC32()
        for section in self {
            FeedSection.addHead(of: section.id, to: &heads)
            guard room > 0, !section.items.isEmpty else { continue }
            let shown = section.items.prefix(list: room)
            room -= shown.count
            order = order.followed(by: heads.part).followed(by: shown.tree.summary.order)
            heads = CRC32()
        }
        return order.followed(by: heads.part).value
    }
}
