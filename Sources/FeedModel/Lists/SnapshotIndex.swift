import Synchronization

/// An index of the positions of a snapshot's sections and items by their ids.
///
/// An entry has the hash of an id, and the label of its element in the ``TreeList``. The entry of
/// an item also has the hash of the section's id. Unlike the index in a list, a label usually stays
/// when other elements are inserted or removed.
///
/// When a long section is removed, the entries of its items stay in the index, until they may be
/// more than the others. Such stale entries do no harm, because every lookup compares the ids.
struct SnapshotIndex: Sendable {
    private var items: HashIndex
    private var sections: HashIndex

    /// The number of stale entries, at most.
    private var staleCount = 0

    /// A number that the index shares with all indexes that are made from it by changes.
    private let number = SnapshotIndex.count.add(1, ordering: .relaxed).newValue
    private static let count = Atomic(0)

    /// The approximate number of bytes of an item's entry, with its share of the arrays.
    static let entryByteCount = 24

    /// Makes an index of all sections and items.
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

    /// The numbers of entries of items and of sections, counted in linear time.
    var counts: [Int] { [items.count, sections.count] }

    /// Returns the number of bytes in this index's arrays that `other` does not share; `nil` if
    /// both were built separately.
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
    /// Returns the position of a section in `list`; `nil`: there is no such section.
    func position(ofSection id: ExactString, in list: SectionList) -> Int? {
        for entry in sections.entries(id.indexHash) {
            guard let found = list.tree.find(entry.label), found.element.id == id else { continue }
            return found.index
        }
        return nil
    }

    /// Returns an item in `list` with its position; `nil`: there is no such item.
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

    /// Removes the items of a section that was removed, or notes that the entries of so many stay.
    mutating func removeItems(of section: FeedSection) {
        guard section.items.count <= 64 else {
            staleCount += section.items.count
            return
        }
        section.items.tree.forEachLeaf { leaf in
            for entry in leaf { remove(entry, section: section.id) }
            return true
        }
    }

    /// Makes the index anew if more entries may be stale than others, so that a removed entry costs
    /// no more than a constant part of that.
    mutating func tidy(for list: SectionList) {
        if staleCount > list.itemCount { self = SnapshotIndex(of: list) }
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
    package var keyedHash: UInt64 {
        let hashes = ValueHash.shared
        return string.withUTF8Span { bytes in
            hashes.bytes(bytes, from: 0, to: bytes.count, seed: hashes.string)
        }
    }
}
