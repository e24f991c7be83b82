import Synchronization

/// Where the sections and items of a snapshot are, by their ids.
///
/// An item is found by its section's id and its label there, a section by its label; both stay
/// when something comes or goes before them.
///
/// The entries of items that go with a long section are left behind, and taken out little by little
/// with later changes (``sweep(_:in:)``): whoever looks an id up compares, so that they are in
/// nobody's way.
struct SnapshotIndex: Sendable {
    private var items: HashIndex
    private var sections: HashIndex

    /// How many of the hashes of items may still have entries that were left behind, from `swept`
    /// on, around the end.
    private var unswept: UInt64 = 0
    private var swept: UInt32 = 0

    /// Tells it and what was made of it by changes from every other.
    private let number = SnapshotIndex.count.add(1, ordering: .relaxed).newValue
    private static let count = Atomic(0)

    /// About the bytes that an item's entry takes with its share of the arrays.
    static let entryByteCount = 24

    /// Finds out where everything is.
    init(of list: SectionList) {
        var items: [HashIndex.Entry] = []
        var sections: [HashIndex.Entry] = []
        items.reserveCapacity(list.itemCount)
        sections.reserveCapacity(list.count)
        list.tree.forEachLeaf { leaf in
            for section in leaf {
                sections.append(Self.entry(section))
                let key = section.element.id.indexHash
                section.element.items.tree.forEachLeaf { leaf in
                    let leaf = leaf.span
                    for index in leaf.indices { items.append(Self.entry(leaf[index], in: key)) }
                    return true
                }
            }
            return true
        }
        self.items = HashIndex(items)
        self.sections = HashIndex(sections)
    }

    /// The numbers of items and sections that it knows, counted one by one.
    var counts: [Int] { [items.count, sections.count] }

    /// The bytes of this index's arrays that `other` does not share; `nil` where it has nothing
    /// in common with it.
    func byteCount(notIn other: SnapshotIndex) -> Int? {
        guard number == other.number else { return nil }
        return items.byteCount(notIn: other.items) + sections.byteCount(notIn: other.sections)
    }

    private static func entry(_ section: TreeEntry<FeedSection>) -> HashIndex.Entry {
        HashIndex.Entry(hash: section.element.id.indexHash, section: 0, label: section.label)
    }

    private static func entry(_ item: TreeEntry<FeedItem>, in section: UInt32) -> HashIndex.Entry {
        HashIndex.Entry(hash: item.element.id.indexHash, section: section, label: item.label)
    }
}

extension SnapshotIndex {
    /// The position of a section in `list`, or `nil`.
    func position(ofSection id: ExactString, in list: SectionList) -> Int? {
        for entry in sections.entries(id.indexHash) {
            guard let found = list.tree.find(entry.label), found.element.id == id else { continue }
            return found.index
        }
        return nil
    }

    /// The position of an item in `list`, or `nil`.
    func position(ofItem id: ExactString, in list: SectionList) -> (
        position: ItemPosition, item: FeedItem
    )? {
        for entry in items.entries(id.indexHash) {
            for section in sections.entries(entry.section) {
                guard let section = list.tree.find(section.label),
                    let found = section.element.items.tree.find(entry.label),
                    found.element.id == id
                else { continue }
                return (ItemPosition(section: section.index, index: found.index), found.element)
            }
        }
        return nil
    }

    mutating func insert(_ item: TreeEntry<FeedItem>, section: ExactString) {
        items.insert(Self.entry(item, in: section.indexHash))
    }

    mutating func remove(_ item: TreeEntry<FeedItem>, section: ExactString) {
        items.remove(Self.entry(item, in: section.indexHash))
    }

    /// Leaves the items behind of a section that was taken out.
    mutating func leaveItems() {
        unswept = 1 << 32
    }

    /// Takes out some of what was left behind, if there is any.
    ///
    /// - Parameters:
    ///   - bucketCount: How many buckets to look at, each in about 3 microseconds.
    ///   - list: Where everything is.
    mutating func sweep(_ bucketCount: Int, in list: SectionList) {
        var rest = bucketCount
        while unswept > 0, rest > 0 {
            let (entries, end) = items.bucket(around: swept)
            for (position, entry) in entries.enumerated()
            where entries[..<position].contains(entry) || !leadsSomewhere(entry, in: list) {
                items.remove(entry)
            }
            unswept -= min(unswept, end - UInt64(swept))
            swept = UInt32(truncatingIfNeeded: end)
            rest -= 1
        }
    }

    private func leadsSomewhere(_ entry: HashIndex.Entry, in list: SectionList) -> Bool {
        sections.entries(entry.section).contains { section in
            let items = list.tree.find(section.label)?.element.items
            return items?.tree.find(entry.label)?.element.id.indexHash == entry.hash
        }
    }

    mutating func relabel(_ relabelled: [TreeRelabelling<FeedItem>], section: ExactString) {
        for item in relabelled {
            remove(TreeEntry(element: item.element, label: item.old), section: section)
            insert(TreeEntry(element: item.element, label: item.new), section: section)
        }
    }

    /// Takes in a section without its items.
    mutating func insert(_ section: TreeEntry<FeedSection>) {
        sections.insert(Self.entry(section))
    }

    /// Takes out a section without its items.
    mutating func remove(_ section: TreeEntry<FeedSection>) {
        sections.remove(Self.entry(section))
    }

    mutating func relabel(_ relabelled: [TreeRelabelling<FeedSection>]) {
        for section in relabelled {
            remove(TreeEntry(element: section.element, label: section.old))
            insert(TreeEntry(element: section.element, label: section.new))
        }
    }
}

extension ExactString {
    /// What an index knows it by.
    var indexHash: UInt32 { UInt32(truncatingIfNeeded: keyedHash >> 32) }

    /// A hash of its bytes: keyed, so that nobody outside can prepare ids that collide.
    package var keyedHash: UInt64 {
        let hashes = ValueHash.shared
        return string.withUTF8Span { bytes in
            hashes.bytes(bytes, from: 0, to: bytes.count, seed: hashes.string)
        }
    }
}
