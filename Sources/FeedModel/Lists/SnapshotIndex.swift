/// An index of the positions of a snapshot's sections and items by their ids.
///
/// An entry has the hash of an id, and the label of its element in the ``TreeList``. The entry of
/// an item also has the hash of the section's id. Unlike the index in a list, a label usually stays
/// when other elements are inserted or removed.
///
/// When a long section is removed, the entries of its items stay in the index. Later changes remove
/// these stale entries little by little (``sweep(_:in:)``). Stale entries do no harm, because every
/// lookup compares the ids.
struct SnapshotIndex: Sendable {
    private(set) var items: HashIndex
    private(set) var sections: HashIndex

    /// The number of hashes, of all 2³², that may have stale entries: from `swept` on, and after
    /// the largest from 0 on.
    private var unswept: UInt64 = 0
    /// The next hash to check for stale entries.
    private var swept: UInt32 = 0

    /// Makes an index of all sections and items; `known` is that of the items, perhaps with others.
    init(of list: SectionList, items known: HashIndex? = nil) {
        var items: [HashIndex.Entry] = []
        var sections: [HashIndex.Entry] = []
        items.reserveCapacity(known == nil ? list.itemCount : 0)
        sections.reserveCapacity(list.count)
        list.tree.forEachLeaf { leaf in
            for section in leaf {
                sections.append(Self.entry(section))
                guard known == nil else { continue }
                let key = section.element.id.indexHash
                section.element.items.tree.forEachLeaf { leaf in
                    let leaf = leaf.span
                    for index in leaf.indices { items.append(Self.entry(leaf[index], in: key)) }
                }
            }
        }
        self.items = known ?? HashIndex(items)
        self.sections = HashIndex(sections)
    }

    /// Returns the number of bytes in this index's arrays that `other` does not share.
    func byteCount(notIn other: SnapshotIndex) -> Int {
        items.byteCount(notIn: other.items) + sections.byteCount(notIn: other.sections)
    }

    private static func entry(_ section: TreeEntry<FeedSection>) -> HashIndex.Entry {
        HashIndex.Entry(hash: section.element.id.indexHash, section: 0, label: section.label)
    }

    private static func entry(_ item: TreeEntry<FeedItem>, in section: UInt32) -> HashIndex.Entry {
        HashIndex.Entry(hash: item.element.id.indexHash, section: section, label: item.label)
    }
}

extension SnapshotIndex {
    /// Returns the position of a section in `list`; `nil`: there is no such section.
    func position(ofSection id: ExactString, in list: SectionList) -> Int? {
        for entry in sections.entries(id.indexHash) {
            let found = list.tree.root.find(entry.label)
            if let found, found.element.id == id { return found.index }
        }
        return nil
    }

    /// Returns an item in `list` with its position; `nil`: there is no such item.
    func position(ofItem id: ExactString, in list: SectionList) -> (
        position: ItemPosition, item: FeedItem
    )? {
        for entry in items.entries(id.indexHash) {
            for section in sections.entries(entry.section) {
                guard let section = list.tree.root.find(section.label),
                    let found = section.element.items.tree.root.find(entry.label),
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

    /// Notes that a section was removed, but not the entries of its items.
    ///
    /// All hashes must then be checked for stale entries.
    mutating func leaveItems() {
        unswept = 1 << 32
    }

    /// Removes some stale entries, if there may be any, from at most `bucketCount` buckets, each of
    /// which takes about 3 microseconds to check.
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

    /// Returns whether the entry's label leads to an item with the entry's hash; otherwise it is
    /// stale.
    private func leadsSomewhere(_ entry: HashIndex.Entry, in list: SectionList) -> Bool {
        sections.entries(entry.section).contains { section in
            let items = list.tree.root.find(section.label)?.element.items
            return items?.tree.root.find(entry.label)?.element.id.indexHash == entry.hash
        }
    }

    /// Replaces the labels of items of a section.
    mutating func relabel(_ relabelled: [TreePart<FeedItem>.Relabelling], section: ExactString) {
        for item in relabelled {
            remove(item.old, section: section)
            insert(item.new, section: section)
        }
    }

    /// Adds a section without its items.
    mutating func insert(_ section: TreeEntry<FeedSection>) {
        sections.insert(Self.entry(section))
    }

    /// Removes a section without its items.
    mutating func remove(_ section: TreeEntry<FeedSection>) {
        sections.remove(Self.entry(section))
    }

    /// Replaces the labels of sections.
    mutating func relabel(_ relabelled: [TreePart<FeedSection>.Relabelling]) {
        for section in relabelled {
            remove(section.old)
            insert(section.new)
        }
    }
}

extension ExactString {
    /// The hash by which an index finds the id.
    var indexHash: UInt32 { UInt32(truncatingIfNeeded: keyedHash >> 32) }

    /// A hash of the string's bytes, keyed so that an attacker cannot prepare ids that collide.
    package var keyedHash: UInt64 { ValueHash.shared.string(self) }
}
