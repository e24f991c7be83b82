import FeedDiff
import FeedFormats
import FeedModel

/// The content of a derived feed, updated when the feeds that it is made of change.
///
/// It is a value without a store. The time of an update grows with the number of changes.
struct DerivedFeed {
    /// A feed that the derived feed is made of.
    struct Source {
        var snapshot: Snapshot
        var order: SourceOrder
        let place: Int
    }

    /// The rank of an item: by the sorting member, then by the order of its own feed.
    struct Rank {
        var key: SortKey
        /// The index of the item's feed in `from`.
        var place: Int
        var feed: FeedName
        var label: Int64
    }

    /// An item that meets the derivation's condition.
    struct Entry {
        var rank: Rank
        /// The id of the item's section.
        var section: ExactString
        var item: FeedItem
    }

    let derivation: Derivation
    /// The names of all derived feeds, which patterns do not match.
    let derived: Set<FeedName>
    /// The content to be published, with an index of its ids.
    var snapshot = Snapshot().indexed()
    var sources: [FeedName: Source] = [:]
    /// The items that meet the condition, by their ids in the derived feed.
    var entries: [ExactString: Entry] = [:]
    /// The items of ``entries`` in order; empty if the derivation has no limit.
    var ranked = ItemList()
    /// The names of the members that the condition, the sorting and the sections read.
    private let names: [ExactString]

    init(_ derivation: Derivation, derived: Set<FeedName>) {
        self.derivation = derivation
        self.derived = derived
        var names = derivation.condition?.names ?? []
        if let sort = derivation.sort { names.append(sort.name) }
        switch derivation.sections {
        case .one, .bySource: break
        case .byDay(let path), .byMember(let path): names.append(path.name)
        }
        self.names = Array(Set(names))
    }

    /// Replaces ``snapshot`` with an equal one that was published, so that the next one shares
    /// memory with it.
    mutating func adopt(_ published: Snapshot) { snapshot = published.indexed() }

    /// Returns the id that an item of a feed has in the derived feed.
    static func id(_ id: ExactString, of feed: FeedName) -> ExactString {
        let name = feed.rawValue + "/"
        let isShort = name.utf8.count + id.string.utf8.count <= 256
        return ExactString(name + (isShort ? id.string : EntryID.digest(id.string)))
    }

    /// Returns the entry of an item; `nil`: the item does not meet the condition.
    func entry(_ item: FeedItem, of feed: FeedName, _ source: Source) -> Entry? {
        let values = ItemValues(item, names)
        if let condition = derivation.condition, !condition.holds(for: values) { return nil }
        return Entry(
            rank: Rank(
                key: derivation.sort.map { SortKey($0.value(in: values)) } ?? .none,
                place: source.place,
                feed: feed,
                label: source.order[item.id] ?? 0
            ),
            section: section(values, feed),
            item: item.renamed(DerivedFeed.id(item.id, of: feed))
        )
    }

    func precedes(_ left: Rank, _ right: Rank) -> Bool {
        let isFirst = left.key.precedes(right.key, isDescending: derivation.isDescending)
        if let isFirst { return isFirst }
        if left.place != right.place { return left.place < right.place }
        if left.feed != right.feed { return left.feed < right.feed }
        return left.label < right.label
    }
}

/// Making the whole feed.
extension DerivedFeed {
    /// Makes the derived feed from the current content of its sources.
    mutating func rebuild(_ current: [FeedName: Snapshot]) {
        sources = [:]
        entries = [:]
        for (feed, snapshot) in current {
            guard let place = derivation.place(of: feed, derived: derived) else { continue }
            let source = Source(snapshot: snapshot, order: SourceOrder(snapshot), place: place)
            sources[feed] = source
            for section in snapshot.list {
                section.items.forEachItem { item in
                    guard let entry = entry(item, of: feed, source) else { return }
                    entries[entry.item.id] = entry
                }
            }
        }
        let sorted = entries.values.sorted { precedes($0.rank, $1.rank) }
        ranked = derivation.limit == nil ? ItemList() : ItemList(sorted.map(\.item))
        var groups: [ExactString: [FeedItem]] = [:]
        for entry in sorted.prefix(derivation.limit ?? .max) {
            groups[entry.section, default: []].append(entry.item)
        }
        if derivation.sections == .one { groups["main", default: []] += [] }
        let ids = groups.keys.map { ($0, sectionRank($0)) }
            .sorted { sectionPrecedes($0.1, $1.1) }.map(\.0)
        let sections = ids.map { id in
            let items = groups[id] ?? []
            return FeedSection(id: id, members: sectionMembers(id, items.first), items: items)
        }
        snapshot = Snapshot(members: members, sections: sections)
    }

    private var members: Members {
        guard let title = derivation.title else { return Members() }
        return Members([Member(name: "title", value: JSONText(string: title))])
    }
}
