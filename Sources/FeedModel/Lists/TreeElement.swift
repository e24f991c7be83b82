/// An element of a ``TreeList``.
package protocol TreeElement: Sendable {
    /// The most elements of a leaf.
    static var leafLimit: Int { get }

    /// The number of items in the element.
    var itemCount: Int { get }

    /// The bytes of the JSON of these items.
    var byteCount: Int { get }

    /// The approximate number of bytes of memory, including those in lists and indexes.
    var memoryByteCount: Int { get }

    /// The check of the element's part of the feed's order.
    var order: CRC32Part { get }

    /// Returns whether both are the same object, which takes constant time.
    func isIdentical(to other: Self) -> Bool

    /// Returns the check of a leaf's part of the feed's order.
    static func order(of entries: ContiguousArray<TreeEntry<Self>>) -> CRC32Part
}

extension TreeElement {
    package static func order(of entries: ContiguousArray<TreeEntry<Self>>) -> CRC32Part {
        entries.reduce(.empty) { $0.followed(by: $1.element.order) }
    }
}

/// An element with its label.
///
/// Labels ascend along a list. An element usually keeps its label while other elements come and go.
package struct TreeEntry<Element: TreeElement>: Sendable {
    package var element: Element
    package var label: Int64
}

/// The facts about a part of a list that are known without reading its elements.
package struct TreeSummary: Equatable, Sendable {
    package var count = 0
    package var itemCount = 0
    package var byteCount = 0
    package var memoryByteCount = 0
    /// The bytes of the list's own arrays, down to the leaves.
    package var arrayByteCount = 0
    package var order = CRC32Part.empty
    /// The label of the first element.
    package var firstLabel: Int64 = 0
}

extension FeedItem: TreeElement {
    package static var leafLimit: Int { 32 }

    package var itemCount: Int { 1 }

    package var byteCount: Int { json.bytes.count }

    /// The bytes of the object, of the array of its JSON in steps of an allocator, and of the
    /// entries in list and index with their share of unused capacity.
    package var memoryByteCount: Int {
        let idByteCount = id.string.utf8.count
        let array = (json.bytes.count + 55) & ~15
        return 64 + array + (idByteCount > 15 ? (idByteCount + 55) & ~15 : 0) + 64
    }

    package var order: CRC32Part {
        var check = CRC32()
        addOrder(to: &check)
        return CRC32Part(value: check.value, byteCount: id.string.utf8.count + 2)
    }

    @inlinable package func isIdentical(to other: FeedItem) -> Bool { self === other }

    package static func order(of entries: ContiguousArray<TreeEntry<FeedItem>>) -> CRC32Part {
        var check = CRC32()
        var byteCount = 0
        let entries = entries.span
        for index in entries.indices {
            entries[index].element.addOrder(to: &check)
            byteCount += entries[index].element.id.string.utf8.count + 2
        }
        return CRC32Part(value: check.value, byteCount: byteCount)
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

    /// The bytes of the section's entries, its own members and its items.
    package var memoryByteCount: Int {
        320 + id.string.utf8.count + members.memoryByteCount + items.tree.summary.memoryByteCount
    }

    package var order: CRC32Part {
        var check = CRC32()
        FeedSection.addHead(of: id, to: &check)
        return CRC32Part(value: check.value, byteCount: FeedSection.headByteCount(of: id))
            .followed(by: items.tree.summary.order)
    }

    /// Adds to a check the text for a section in the feed's order, which stands before its items.
    static func addHead(of id: ExactString, to check: inout CRC32) {
        check.update(UInt8(ascii: "#"))
        id.string.withUTF8Span { check.update($0) }
        check.update(UInt8(ascii: "\n"))
    }

    static func headByteCount(of id: ExactString) -> Int { id.string.utf8.count + 2 }

    package func isIdentical(to other: FeedSection) -> Bool {
        items.tree.isIdentical(to: other.items.tree)
            && members.list.isIdentical(to: other.members.list) && id == other.id
    }
}
