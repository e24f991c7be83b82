/// A feed's whole state at one version: its own members, and sections of items.
///
/// A snapshot shares unchanged parts with those of other versions.
public struct Snapshot: Sendable {
    /// All members except those that belong to the protocol.
    public var members: Members

    /// The sections in order; their ids are unique, and so are the ids of all items.
    ///
    /// Setting the sections drops the index of ids, which `indexed()` makes again.
    public var sections: SectionList {
        get { list }
        _modify {
            index = nil
            yield &list
        }
    }

    /// The sections, which are set here without dropping ``index``: the index must still be right
    /// then.
    package var list: SectionList

    /// The index of ids; `nil`: it has not been made.
    var index: SnapshotIndex?

    /// Makes a snapshot.
    public init(
        members: Members = Members(),
        sections: some Sequence<FeedSection> = SectionList()
    ) {
        self.members = members
        list = SectionList(sections)
    }

    /// The number of items in all sections.
    public var count: Int { list.itemCount }

    /// The checksum of the order of the sections and items: the CRC-32 of their ids
    /// (docs/READING.md, "The snapshot").
    public var order: UInt32 { list.tree.summary.order.value }

    /// The number of bytes of the JSON of all items.
    package var itemByteCount: Int { list.tree.summary.byteCount }
}

/// The position of an item: its section's position in the feed, and its index in the section.
package struct ItemPosition: Hashable, Sendable {
    /// The index of the section in the feed.
    package var section: Int32
    /// The index of the item in the section.
    package var index: Int32

    /// Makes a position.
    package init(section: Int, index: Int) {
        self.section = Int32(section)
        self.index = Int32(index)
    }
}

extension ItemPosition: Comparable {
    package static func < (left: ItemPosition, right: ItemPosition) -> Bool {
        left.section == right.section ? left.index < right.index : left.section < right.section
    }
}

/// A section of a feed: an id, its own members (`title`, `index` …) and a list of items.
public struct FeedSection: Sendable {
    /// The id, in the form of an item's id; unique among the feed's sections.
    public let id: ExactString

    /// The members except `id`, `count` and `items`.
    public var members: Members

    /// The items in order.
    public var items: ItemList

    /// Makes a section.
    public init(
        id: ExactString,
        members: Members = Members(),
        items: some Sequence<FeedItem> = ItemList()
    ) {
        self.id = id
        self.members = members
        self.items = ItemList(items)
    }
}

extension Snapshot {
    /// The approximate number of bytes of memory that the snapshot takes if it shares nothing;
    /// computed without examining its items.
    package var memoryByteCount: Int {
        members.memoryByteCount + list.tree.summary.memoryByteCount
    }

    /// Returns the number of bytes of the index of ids that `next` does not share.
    package func indexByteCount(notIn next: Snapshot) -> Int {
        guard let index, let other = next.index else { return 0 }
        return index.byteCount(notIn: other)
    }
}

extension Snapshot {
    /// Parses a feed's document: `sections`, or `items` alone.
    ///
    /// Members that belong to the protocol are dropped.
    ///
    /// - Parameter known: An earlier version of the feed, if any; items that are equal to its items
    ///   byte for byte are shared with it, which saves time and memory.
    package init(
        parsing bytes: [UInt8],
        itemLimit: Int = .max,
        known: Snapshot? = nil
    ) throws(DocumentError) {
        var reader = SnapshotReader(itemLimit: itemLimit, known: known)
        try reader.read(bytes)
        self = reader.snapshot
    }
}

/// Searching and editing of snapshots: with an index, each operation takes time logarithmic in the
/// snapshot's size; without one, a search by id examines all sections and items.
extension Snapshot {
    /// Returns this snapshot with an index of all ids, which edits then keep up to date.
    package func indexed() -> Snapshot {
        guard index == nil else { return self }
        var snapshot = self
        snapshot.index = SnapshotIndex(of: list)
        return snapshot
    }

    /// Returns a snapshot of some of the sections, which shares the index of the items.
    package func keeping(_ sections: [FeedSection]) -> Snapshot {
        var snapshot = Snapshot(members: members, sections: sections)
        snapshot.index = index.map { SnapshotIndex(of: snapshot.list, items: $0.items) }
        return snapshot
    }

    /// Whether the snapshot has an index of ids.
    package var isIndexed: Bool { index != nil }

    /// Drops the index, before so many changes that making it again is cheaper.
    package mutating func forgetIndex() {
        index = nil
    }

    /// Returns the position of a section, or `nil`.
    package func position(ofSection id: ExactString) -> Int? {
        guard let index else { return list.firstIndex { $0.id == id } }
        return index.position(ofSection: id, in: list)
    }

    /// Returns the position of an item, or `nil`.
    package func position(ofItem id: ExactString) -> ItemPosition? {
        find(id)?.position
    }

    /// Returns the item with an id in any section, or `nil`.
    package func item(_ id: ExactString) -> FeedItem? {
        find(id)?.item
    }

    private func find(_ id: ExactString) -> (position: ItemPosition, item: FeedItem)? {
        if let index { return index.position(ofItem: id, in: list) }
        for (position, section) in list.enumerated() {
            for (index, item) in section.items.enumerated() where item.id == id {
                return (ItemPosition(section: position, index: index), item)
            }
        }
        return nil
    }
}

extension Snapshot {
    /// Inserts items whose ids are not in the feed.
    package mutating func insert(_ items: [FeedItem], at position: ItemPosition) {
        var relabelled: [TreePart<FeedItem>.Relabelling] = []
        let (id, entries) = list.tree.update(Int(position.section)) { section in
            let entries = section.items.tree.insert(
                items,
                at: Int(position.index),
                relabelled: &relabelled
            )
            return (section.id, entries)
        }
        guard index != nil else { return }
        index?.relabel(relabelled, section: id)
        for entry in entries { index?.insert(entry, section: id) }
        tidyIndex(entries.count)
    }

    /// Removes an item and returns it.
    @discardableResult
    package mutating func removeItem(at position: ItemPosition) -> FeedItem {
        let (item, row) = (list[position], Int(position.index))
        removeItems(row..<row + 1, section: Int(position.section))
        return item
    }

    /// Removes items of one section.
    package mutating func removeItems(_ rows: Range<Int>, section: Int) {
        let isIndexed = isIndexed
        let (id, entries) = list.tree.update(section) { section in
            let entries = isIndexed ? rows.map { section.items.tree.entry(at: $0) } : []
            section.items.tree.remove(rows)
            return (section.id, entries)
        }
        for entry in entries { index?.remove(entry, section: id) }
        tidyIndex()
    }

    /// Replaces an item with one that has the same id, or an id that is not in the feed.
    package mutating func replaceItem(at position: ItemPosition, with item: FeedItem) {
        let (id, entry) = list.tree.update(Int(position.section)) { section in
            let entry = section.items.tree.entry(at: Int(position.index))
            section.items.tree.update(Int(position.index)) { $0 = item }
            return (section.id, entry)
        }
        guard index != nil, entry.element.id != item.id else { return }
        index?.remove(entry, section: id)
        index?.insert(TreeEntry(element: item, label: entry.label), section: id)
    }
}

extension Snapshot {
    /// Inserts a section; neither its id nor those of its items may be in the feed.
    ///
    /// With an index, this costs at most as much as making the whole index.
    package mutating func insert(_ section: FeedSection, at position: Int) {
        insertAlone(section, at: position)
        guard isIndexed else { return }
        guard section.items.count <= (list.itemCount + list.count) / 16 else {
            index = SnapshotIndex(of: list)
            return
        }
        section.items.tree.forEachLeaf { leaf in
            for entry in leaf { index?.insert(entry, section: section.id) }
        }
        tidyIndex(section.items.count)
    }

    /// Removes a section with its items, however many they are.
    @discardableResult
    package mutating func removeSection(at position: Int) -> FeedSection {
        let section = removeAlone(at: position)
        guard index != nil else { return section }
        if section.items.count <= 64 {
            section.items.tree.forEachLeaf { leaf in
                for entry in leaf { index?.remove(entry, section: section.id) }
            }
        } else if list.itemCount + list.count <= section.items.count / 64 {
            index = SnapshotIndex(of: list)
        } else {
            index?.leaveItems()
        }
        tidyIndex()
        return section
    }

    /// Checks 16 buckets of the index, and one more for each added item, for stale entries of
    /// removed sections, and removes these; so their number does not grow.
    private mutating func tidyIndex(_ added: Int = 0) {
        index?.sweep(16 + added, in: list)
    }

    /// Moves a section so that its final position is `target`.
    package mutating func moveSection(at position: Int, to target: Int) {
        guard position != target else { return }
        insertAlone(removeAlone(at: position), at: target)
    }

    /// Replaces the members of a section.
    package mutating func setMembers(_ members: Members, ofSection position: Int) {
        list.tree.update(position) { $0.members = members }
    }

    /// Inserts a section, and adds it to the index but not its items, which are there already.
    mutating func insertAlone(_ section: FeedSection, at position: Int) {
        var relabelled: [TreePart<FeedSection>.Relabelling] = []
        let entries = list.tree.insert([section], at: position, relabelled: &relabelled)
        index?.relabel(relabelled)
        for entry in entries { index?.insert(entry) }
    }

    /// Removes a section that will be inserted again, and leaves its items in the index.
    mutating func removeAlone(at position: Int) -> FeedSection {
        let entry = list.tree.entry(at: position)
        list.tree.remove(position..<position + 1)
        index?.remove(entry)
        return entry.element
    }
}
