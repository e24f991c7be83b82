/// The items of a section, in order.
///
/// A list shares unchanged parts with its copies, and so with the lists of earlier versions of a
/// feed. Getting, setting, inserting and removing an item take time logarithmic in the length.
public struct ItemList: Sendable {
    package internal(set) var tree: TreeList<FeedItem>

    /// Makes an empty list.
    public init() {
        tree = TreeList()
    }

    /// Makes a list of items.
    public init(_ items: some Sequence<FeedItem>) {
        if let list = items as? ItemList {
            tree = list.tree
        } else if let array = items as? [FeedItem] {
            // Calls from other modules are not specialized for their type; this path is fast.
            tree = TreeList(array)
        } else {
            tree = TreeList(items)
        }
    }

    init(tree: TreeList<FeedItem>) {
        self.tree = tree
    }

    /// The number of bytes of the items' JSON.
    package var byteCount: Int { tree.summary.byteCount }

    /// Returns whether both are the same list, which takes constant time.
    package func isIdentical(to other: ItemList) -> Bool {
        tree.isIdentical(to: other.tree)
    }

    /// Returns the first `length` items as a list that shares storage with this one.
    package func prefix(list length: Int) -> ItemList {
        ItemList(tree: tree.prefix(Swift.min(length, count)))
    }

    /// Returns the items at some indices; a neighbour of the last one needs no search.
    package func elements(at indices: [Int]) -> [FeedItem] {
        var leaf = tree.leaf(around: 0)
        return indices.map { index in
            if !leaf.entries.indices.contains(index - leaf.start) {
                leaf = tree.leaf(around: index)
            }
            return leaf.entries[index - leaf.start].element
        }
    }

    /// Calls `body` with every item in order, which is faster than an iterator.
    package func forEachItem(_ body: (FeedItem) -> Void) {
        tree.forEachLeaf { entries in
            let entries = entries.span
            for index in entries.indices { body(entries[index].element) }
        }
    }
}

extension ItemList: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
    /// The index 0.
    public var startIndex: Int { 0 }

    /// The number of items.
    public var endIndex: Int { tree.count }

    /// The item at an index.
    public subscript(index: Int) -> FeedItem {
        get { tree[index] }
        set { tree.update(index) { $0 = newValue } }
    }

    /// Replaces some items by others.
    public mutating func replaceSubrange(
        _ range: Range<Int>,
        with items: some Collection<FeedItem>
    ) {
        tree.remove(range)
        var relabelled: [TreePart<FeedItem>.Relabelling] = []
        tree.insert(items, at: range.lowerBound, relabelled: &relabelled)
    }

    /// An iterator over the items.
    public struct Iterator: IteratorProtocol {
        fileprivate var base: TreeList<FeedItem>.Iterator

        /// Returns the next item.
        public mutating func next() -> FeedItem? { base.next() }
    }

    /// Returns an iterator over the items.
    public func makeIterator() -> Iterator { Iterator(base: tree.makeIterator()) }
}

extension ItemList: Equatable, ExpressibleByArrayLiteral {
    /// Returns whether both have equal items in the same order.
    public static func == (left: ItemList, right: ItemList) -> Bool {
        left.isIdentical(to: right) || left.count == right.count && left.elementsEqual(right)
    }

    /// Makes a list of items.
    public init(arrayLiteral items: FeedItem...) {
        self.init(items)
    }
}
