/// The content of a part of a list: a leaf with elements, or an inner node with smaller parts.
///
/// Versions of a list share the parts that did not change. Each part is one array, which is copied
/// if it is changed while another version holds it (D. Comer, "The Ubiquitous B-Tree", 1979, for
/// the form; J. R. Driscoll and others, "Making Data Structures Persistent", 1989, for the copying
/// of paths). All leaves have the same depth.
package enum TreeNode<Element: TreeElement>: Sendable {
    case leaf(ContiguousArray<TreeEntry<Element>>)
    case inner(ContiguousArray<TreePart<Element>>)
}

/// A part of a list: a node with the sums over its elements.
package struct TreePart<Element: TreeElement>: Sendable {
    package internal(set) var node: TreeNode<Element>
    package internal(set) var summary: TreeSummary

    /// The most parts of a node.
    static var partLimit: Int { 16 }

    /// A part without elements.
    static var empty: TreePart { TreePart(node: .leaf([]), summary: TreeSummary()) }

    /// Makes a leaf.
    init(_ entries: ContiguousArray<TreeEntry<Element>>) {
        self.init(node: .leaf(entries), summary: TreeSummary())
        summarize()
    }

    /// Makes a node.
    init(_ parts: ContiguousArray<TreePart>) {
        self.init(node: .inner(parts), summary: TreeSummary())
        summarize()
    }

    private init(node: TreeNode<Element>, summary: TreeSummary) {
        self.node = node
        self.summary = summary
    }

    /// The number of elements or parts directly in this one.
    var width: Int {
        switch node {
        case .leaf(let entries): entries.count
        case .inner(let parts): parts.count
        }
    }

    @inlinable package var isLeaf: Bool {
        if case .leaf = node { true } else { false }
    }

    /// The parts of an inner node; empty for a leaf.
    @inlinable package var parts: ContiguousArray<TreePart> {
        if case .inner(let parts) = node { parts } else { [] }
    }

    /// Computes the summary.
    mutating func summarize() {
        var summary = TreeSummary()
        switch node {
        case .leaf(let entries):
            summary.count = entries.count
            let span = entries.span
            for index in span.indices {
                summary.itemCount += span[index].element.itemCount
                summary.byteCount += span[index].element.byteCount
                summary.memoryByteCount += span[index].element.memoryByteCount
            }
            summary.firstLabel = entries.first?.label ?? 0
            summary.order = Element.order(of: entries)
        case .inner(let parts):
            let span = parts.span
            for index in span.indices { summary.add(span[index].summary) }
        }
        if summary.count > 0 { summary.arrayByteCount += arrayByteCount }
        self.summary = summary
    }

    /// Returns the bytes of the JSON of the elements before an index.
    func byteCount(before index: Int) -> Int {
        switch node {
        case .leaf(let entries):
            return entries.prefix(index).reduce(0) { $0 + $1.element.byteCount }
        case .inner(let parts):
            var (rest, byteCount) = (index, 0)
            for part in parts {
                guard rest >= part.summary.count else {
                    return byteCount + part.byteCount(before: rest)
                }
                rest -= part.summary.count
                byteCount += part.summary.byteCount
            }
            return byteCount
        }
    }

    /// Returns whether both are the same array.
    @inlinable package func isIdentical(to other: TreePart) -> Bool {
        switch (node, other.node) {
        case (.leaf(let left), .leaf(let right)): left.span.isIdentical(to: right.span)
        case (.inner(let left), .inner(let right)): left.span.isIdentical(to: right.span)
        default: false
        }
    }

    /// A number that no other part has that exists at the same time and is not empty.
    @inlinable package var identity: UInt {
        switch node {
        case .leaf(let entries):
            unsafe entries.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
        case .inner(let parts):
            unsafe parts.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
        }
    }

    /// The bytes of the array itself, without its content.
    @inlinable package var arrayByteCount: Int {
        switch node {
        case .leaf(let entries): 32 + entries.count * MemoryLayout<TreeEntry<Element>>.stride
        case .inner(let parts): 32 + parts.count * MemoryLayout<TreePart>.stride
        }
    }
}

extension TreeSummary {
    /// Adds the summary of the next part.
    mutating func add(_ next: TreeSummary) {
        guard next.count > 0 else { return }
        if count == 0 {
            self = next
            return
        }
        count += next.count
        itemCount += next.itemCount
        byteCount += next.byteCount
        memoryByteCount += next.memoryByteCount
        arrayByteCount += next.arrayByteCount
        order = order.followed(by: next.order)
    }
}

extension TreePart {
    /// Takes out the entries of this leaf, which becomes empty; `nil` for an inner node.
    ///
    /// The function is never inlined, so that after its return only the result holds the entries.
    /// Changing them then copies only arrays that another version holds.
    @inline(never)
    mutating func takeEntries() -> ContiguousArray<TreeEntry<Element>>? {
        guard case .leaf(let entries) = node else { return nil }
        node = .leaf([])
        return entries
    }

    /// Takes out the parts of this node, which becomes empty; never inlined, like
    /// ``takeEntries()``.
    @inline(never)
    mutating func takeParts() -> ContiguousArray<TreePart>? {
        guard case .inner(let parts) = node else { return nil }
        node = .inner([])
        return parts
    }
}
