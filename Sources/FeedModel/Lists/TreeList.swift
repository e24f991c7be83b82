/// A list whose versions share unchanged parts, and whose changes take logarithmic time.
///
/// Every part of the tree stores the number of its items, of their bytes and the checksum of their
/// order, so that these need not be computed for the whole list.
package struct TreeList<Element: TreeElement>: Sendable {
    package private(set) var root = TreePart<Element>.empty

    /// The number of levels of nodes above the leaves.
    package private(set) var height = 0

    /// Makes an empty list.
    init() {}

    /// Makes a list of elements, with labels at equal distances.
    init(_ elements: some Sequence<Element>) {
        let step = TreePart<Element>.labelStep
        var label = -step
        var entries: ContiguousArray<TreeEntry<Element>> = []
        entries.reserveCapacity(elements.underestimatedCount)
        for element in elements {
            label += step
            entries.append(TreeEntry(element: element, label: label))
        }
        // The leaves are not quite full, so that the first insertions need no new leaf.
        let limit = Swift.max(1, Element.leafLimit * 7 / 8)
        grow(TreePart<Element>.leaves(entries, limit: limit))
    }

    /// The summary of the whole list.
    @inlinable package var summary: TreeSummary { root.summary }

    /// The number of elements.
    @inlinable package var count: Int { root.summary.count }

    /// Returns whether both are the same list, which takes constant time.
    @inlinable package func isIdentical(to other: TreeList) -> Bool {
        root.isIdentical(to: other.root)
    }

    /// Returns the element at an index.
    subscript(index: Int) -> Element { entry(at: index).element }

    /// Returns the element at an index, with its label.
    func entry(at index: Int) -> TreeEntry<Element> {
        let leaf = leaf(around: index)
        return leaf.entries[index - leaf.start]
    }

    /// Returns the leaf that contains an index, and the index of its first element.
    func leaf(around index: Int) -> (entries: ContiguousArray<TreeEntry<Element>>, start: Int) {
        var part = root.node
        var rest = index
        while true {
            switch part {
            case .leaf(let entries): return (entries, index - rest)
            case .inner(let parts):
                let (position, start) = TreePart.position(of: rest, in: parts)
                rest -= start
                part = parts[position].node
            }
        }
    }

    /// Returns the index of the element that contains an item, and the number of that item in it;
    /// `nil` if `offset` is past the last item.
    func position(ofItem offset: Int) -> (element: Int, item: Int)? {
        guard offset < summary.itemCount else { return nil }
        var node = root.node
        var position = 0
        var rest = offset
        while case .inner(let parts) = node {
            let part = parts.firstIndex { part in
                guard rest >= part.summary.itemCount else { return true }
                rest -= part.summary.itemCount
                position += part.summary.count
                return false
            }
            node = parts[part ?? parts.count - 1].node
        }
        guard case .leaf(let entries) = node else { return (position, rest) }
        for entry in entries {
            guard rest >= entry.element.itemCount else { break }
            rest -= entry.element.itemCount
            position += 1
        }
        return (position, rest)
    }

    /// Makes a root above parts of equal depth, with as many levels of nodes as these need.
    private mutating func grow(_ parts: ContiguousArray<TreePart<Element>>) {
        var parts = parts
        while parts.count > 1 {
            parts = TreePart<Element>.nodes(parts, limit: TreePart<Element>.partLimit)
            height += 1
        }
        root = parts.first ?? .empty
    }
}

extension TreeList {
    /// Changes an element in place; its label stays.
    mutating func update<Result>(_ index: Int, _ change: (inout Element) -> Result) -> Result {
        root.update(index, change)
    }

    /// Inserts elements, and returns them with their labels; existing elements that get new labels
    /// are appended to `relabelled`.
    @discardableResult
    mutating func insert(
        _ elements: some Collection<Element>,
        at index: Int,
        relabelled: inout [TreePart<Element>.Relabelling]
    ) -> ContiguousArray<TreeEntry<Element>> {
        guard !elements.isEmpty else { return [] }
        let labels = labels(elements.count, at: index, relabelled: &relabelled)
        var entries = ContiguousArray<TreeEntry<Element>>()
        entries.reserveCapacity(labels.count)
        for (element, label) in zip(elements, labels) {
            entries.append(TreeEntry(element: element, label: label))
        }
        var part = TreePart<Element>.empty
        swap(&part, &root)
        grow(part.inserting(entries, at: index))
        return entries
    }

    /// Removes elements.
    mutating func remove(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        guard range.count < count else {
            self = TreeList()
            return
        }
        root.remove(range)
        while case .inner(let parts) = root.node, parts.count == 1 {
            root = parts[0]
            height -= 1
        }
    }

    /// Returns the first `length` elements as a list.
    func prefix(_ length: Int) -> TreeList {
        var list = self
        list.remove(length..<count)
        return list
    }

    /// Returns labels for elements to insert, and gives others new labels if there is no room.
    private mutating func labels(
        _ number: Int,
        at index: Int,
        relabelled: inout [TreePart<Element>.Relabelling]
    ) -> [Int64] {
        if let labels = labels(number, at: index) { return labels }
        let least = UInt64(number) + 1
        _ = root.relabel(around: index, before: nil, least: least, into: &relabelled)
        if let labels = labels(number, at: index) { return labels }
        let step = TreePart<Element>.labelStep
        root.relabel(
            from: -Int64(count / 2) * step,
            step: Swift.max(step, Int64(least)),
            into: &relabelled
        )
        guard let labels = labels(number, at: index) else {
            preconditionFailure("more elements than labels")
        }
        return labels
    }

    /// Returns labels for elements to insert; `nil` if there is no room for them.
    private func labels(_ number: Int, at index: Int) -> [Int64]? {
        let lower = index > 0 ? entry(at: index - 1).label : nil
        let upper = index < count ? entry(at: index).label : nil
        return TreePart<Element>.labels(number, between: lower, and: upper)
    }
}

extension TreeList: Sequence {
    /// An iterator that goes from leaf to leaf.
    package struct Iterator: IteratorProtocol {
        private let list: TreeList
        private var leaf: ContiguousArray<TreeEntry<Element>> = []
        /// The position in ``leaf`` of the next element.
        private var position = 0
        /// The index in the list of the first element after ``leaf``.
        private var end = 0

        fileprivate init(_ list: TreeList) {
            self.list = list
        }

        /// Returns the next element.
        package mutating func next() -> Element? {
            if position == leaf.count {
                guard end < list.count else { return nil }
                leaf = list.leaf(around: end).entries
                end += leaf.count
                position = 0
            }
            defer { position += 1 }
            return leaf[position].element
        }
    }

    package func makeIterator() -> Iterator { Iterator(self) }

    /// Calls `body` with every leaf in order.
    package func forEachLeaf(_ body: (ContiguousArray<TreeEntry<Element>>) -> Void) {
        root.forEachLeaf(body)
    }

    package var underestimatedCount: Int { count }
}

/// An element of a ``TreeList``.
package protocol TreeElement: Sendable {
    /// The most elements of a leaf.
    static var leafLimit: Int { get }

    /// The number of items in the element.
    var itemCount: Int { get }

    /// The number of bytes of the JSON of these items.
    var byteCount: Int { get }

    /// The approximate number of bytes of memory, including those in lists and indexes.
    var memoryByteCount: Int { get }

    /// The CRC-32 of the element's part of the text whose CRC-32 is ``Snapshot/order``.
    var order: CRC32Part { get }

    /// Returns whether both are the same object, which takes constant time.
    func isIdentical(to other: Self) -> Bool

    /// Returns the CRC-32 of a leaf's part of the text whose CRC-32 is ``Snapshot/order``.
    static func order(of entries: ContiguousArray<TreeEntry<Self>>) -> CRC32Part
}

extension TreeElement {
    package static func order(of entries: ContiguousArray<TreeEntry<Self>>) -> CRC32Part {
        entries.reduce(.empty) { $0.followed(by: $1.element.order) }
    }
}

/// An element of a list with its label, a number that increases along the list.
///
/// An element usually keeps its label when other elements are inserted or removed.
package struct TreeEntry<Element: TreeElement>: Sendable {
    package var element: Element
    package var label: Int64
}

/// The sums over the elements of a part of a list, which are stored with the part.
package struct TreeSummary: Equatable, Sendable {
    /// The number of elements.
    package var count = 0
    /// The number of items in the elements.
    package var itemCount = 0
    /// The number of bytes of the items' JSON.
    package var byteCount = 0
    /// The approximate number of bytes of memory of the elements.
    package var memoryByteCount = 0
    /// The number of bytes of the tree's own arrays, down to the leaves.
    package var arrayByteCount = 0
    /// The CRC-32 of the part's text in the feed's order.
    package var order = CRC32Part.empty
    /// The label of the first element.
    package var firstLabel: Int64 = 0
}

extension FeedItem: TreeElement {
    package static var leafLimit: Int { 32 }

    package var itemCount: Int { 1 }

    package var byteCount: Int { json.bytes.count }

    /// The approximate number of bytes of memory: of the object, of the array with its JSON,
    /// rounded up as an allocator does, and of its entries in list and index with their share of
    /// unused capacity.
    package var memoryByteCount: Int {
        let idByteCount = id.string.utf8.count
        let array = (json.bytes.count + 55) & ~15
        return 64 + array + (idByteCount > 15 ? (idByteCount + 55) & ~15 : 0) + 64
    }

    package var order: CRC32Part {
        var check = CRC32()
        addOrder(to: &check)
        return check.part
    }

    @inlinable package func isIdentical(to other: FeedItem) -> Bool { self === other }

    package static func order(of entries: ContiguousArray<TreeEntry<FeedItem>>) -> CRC32Part {
        var check = CRC32()
        let entries = entries.span
        for index in entries.indices { entries[index].element.addOrder(to: &check) }
        return check.part
    }

    private func addOrder(to check: inout CRC32) {
        check.update(UInt8(ascii: " "))
        id.string.withUTF8Span { check.update($0) }
        check.update(UInt8(ascii: "\n"))
    }
}

extension FeedSection: TreeElement {
    package static var leafLimit: Int { 16 }

    package var itemCount: Int { items.count }

    package var byteCount: Int { items.tree.summary.byteCount }

    /// The approximate number of bytes of memory of the section's entries, members and items.
    package var memoryByteCount: Int {
        320 + id.string.utf8.count + members.memoryByteCount + items.tree.summary.memoryByteCount
    }

    package var order: CRC32Part {
        var check = CRC32()
        FeedSection.addHead(of: id, to: &check)
        return check.part.followed(by: items.tree.summary.order)
    }

    /// Adds the text for a section in the feed's order, which precedes that of its items, to a
    /// CRC-32.
    static func addHead(of id: ExactString, to check: inout CRC32) {
        check.update(UInt8(ascii: "#"))
        id.string.withUTF8Span { check.update($0) }
        check.update(UInt8(ascii: "\n"))
    }

    package func isIdentical(to other: FeedSection) -> Bool {
        items.tree.isIdentical(to: other.items.tree)
            && members.list.isIdentical(to: other.members.list) && id == other.id
    }
}
