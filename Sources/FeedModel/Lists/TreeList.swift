/// A list whose versions share unchanged parts, and whose changes take logarithmic time.
///
/// It stores its number of items, their bytes and the check of their order, so that they need not
/// be computed.
package struct TreeList<Element: TreeElement>: Sendable {
    package private(set) var root = TreePart<Element>.empty

    /// The levels of nodes above the leaves.
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

    /// Returns the index of the element that contains an item, and the number of that item in it.
    func position(ofItem offset: Int) -> (element: Int, item: Int) {
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

    /// Returns the position of the element with a label, or `nil`.
    func find(_ label: Int64) -> (index: Int, element: Element)? {
        root.find(label)
    }

    /// Makes a root above parts of equal depth.
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
    mutating func update<Result, Failure: Error>(
        _ index: Int,
        _ change: (inout Element) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try root.update(index, change)
    }

    /// Inserts elements.
    ///
    /// - Parameters:
    ///   - elements: The elements to insert.
    ///   - index: The index of the first of them after the insertion.
    ///   - relabelled: Receives the existing elements that have new labels now.
    /// - Returns: The new elements with their labels.
    @discardableResult
    mutating func insert(
        _ elements: some Collection<Element>,
        at index: Int,
        relabelled: inout [TreeRelabelling<Element>]
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

    private mutating func labels(
        _ number: Int,
        at index: Int,
        relabelled: inout [TreeRelabelling<Element>]
    ) -> [Int64] {
        typealias Part = TreePart<Element>
        let bounds = root.bounds(at: index, before: nil)
        if let labels = Part.labels(number, between: bounds.lower, and: bounds.upper) {
            return labels
        }
        let least = UInt64(number) + 1
        _ = root.relabel(around: index, before: nil, least: least, into: &relabelled)
        let (lower, upper) = root.bounds(at: index, before: nil)
        if let labels = Part.labels(number, between: lower, and: upper) { return labels }
        root.relabel(
            from: -Int64(count / 2) * Part.labelStep,
            step: Swift.max(Part.labelStep, Int64(least)),
            into: &relabelled
        )
        let (first, second) = root.bounds(at: index, before: nil)
        guard let labels = Part.labels(number, between: first, and: second) else {
            preconditionFailure("more elements than labels")
        }
        return labels
    }
}

extension TreeList: Sequence {
    /// An iterator that goes through the leaves.
    package struct Iterator: IteratorProtocol {
        private var parts: [(list: ContiguousArray<TreePart<Element>>, next: Int)] = []
        private var entries: ContiguousArray<TreeEntry<Element>> = []
        private var index = 0

        fileprivate init(_ node: TreeNode<Element>) {
            enter(node)
        }

        private mutating func enter(_ node: TreeNode<Element>) {
            switch node {
            case .leaf(let entries):
                self.entries = entries
                index = 0
            case .inner(let list): parts.append((list, 0))
            }
        }

        /// Returns the next leaf with all of its elements.
        fileprivate mutating func nextLeaf() -> ContiguousArray<TreeEntry<Element>>? {
            if index < entries.count {
                index = entries.count
                return entries
            }
            while let last = parts.last {
                guard last.next < last.list.count else {
                    parts.removeLast()
                    continue
                }
                parts[parts.count - 1].next += 1
                enter(last.list[last.next].node)
                if !entries.isEmpty, index == 0 {
                    index = entries.count
                    return entries
                }
            }
            return nil
        }

        /// Returns the next element.
        package mutating func next() -> Element? {
            if index == entries.count {
                guard let leaf = nextLeaf() else { return nil }
                entries = leaf
                index = 0
            }
            defer { index += 1 }
            return entries[index].element
        }
    }

    package func makeIterator() -> Iterator { Iterator(root.node) }

    /// Calls `body` with every leaf in order, until it returns false.
    func forEachLeaf<Failure: Error>(
        _ body: (ContiguousArray<TreeEntry<Element>>) throws(Failure) -> Bool
    ) throws(Failure) {
        var leaves = makeIterator()
        while let leaf = leaves.nextLeaf() {
            guard try body(leaf) else { return }
        }
    }

    package var underestimatedCount: Int { count }
}
