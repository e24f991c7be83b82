/// What a ``TreeList`` holds.
package protocol TreeElement: Sendable {
    /// The most elements of a leaf.
    static var leafLimit: Int { get }

    /// The number of items that it stands for.
    var itemCount: Int { get }

    /// The bytes of their JSON.
    var byteCount: Int { get }

    /// About the bytes of memory that it takes, with its position in lists and indexes.
    var memoryByteCount: Int { get }

    /// The check on its part of the feed's order.
    var order: CRC32Part { get }

    /// Whether it is the very same, which costs nothing to see.
    func isIdentical(to other: Self) -> Bool

    /// The check on a leaf's part of the feed's order.
    static func order(of entries: ContiguousArray<TreeEntry<Self>>) -> CRC32Part
}

extension TreeElement {
    package static func order(of entries: ContiguousArray<TreeEntry<Self>>) -> CRC32Part {
        entries.reduce(.empty) { $0.followed(by: $1.element.order) }
    }
}

/// An element with its label: labels ascend along a list, and an element keeps its own while
/// others come and go, but for now and then.
package struct TreeEntry<Element: TreeElement>: Sendable {
    package var element: Element
    package var label: Int64
}

/// What is known of a part of a list without looking into it.
package struct TreeSummary: Equatable, Sendable {
    package var count = 0
    package var itemCount = 0
    package var byteCount = 0
    package var memoryByteCount = 0
    /// The bytes of the list's own arrays, down to the leaves.
    package var arrayByteCount = 0
    package var order = CRC32Part.empty
    /// The label of its first element.
    package var firstLabel: Int64 = 0
}

extension FeedItem: TreeElement {
    package static var leafLimit: Int { 32 }

    package var itemCount: Int { 1 }

    package var byteCount: Int { json.bytes.count }

    /// The object, the array of its JSON in steps of an allocator, and the entries of list and
    /// index with their share of what is not full.
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

    /// Its entries, its own members and its items.
    package var memoryByteCount: Int {
        320 + id.string.utf8.count + members.memoryByteCount + items.tree.summary.memoryByteCount
    }

    package var order: CRC32Part {
        var check = CRC32()
        FeedSection.addHead(of: id, to: &check)
        return CRC32Part(value: check.value, byteCount: FeedSection.headByteCount(of: id))
            .followed(by: items.tree.summary.order)
    }

    /// Adds what stands for a section in the feed's order before its items.
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
