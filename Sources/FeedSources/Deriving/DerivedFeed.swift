import FeedDiff
import FeedFormats
import FeedModel

/// The content of a derived feed, updated when the feeds that it is made of change.
///
/// It is a value without a store. The time of an update grows with the number of changes.
struct DerivedFeed {
    /// A feed that the derived feed is made of.
    struct Source {
        /// The feed's content, with an index of its ids.
        let snapshot: Snapshot
        /// The index of the feed in ``Derivation/from``.
        let index: Int
    }

    /// The rank of an item: by the sorting member, then by the order of its own feed.
    struct Rank {
        var key: SortKey
        /// The index of the item's feed in ``Derivation/from``.
        var index: Int
        var feed: FeedName
        /// The item's id in its own feed.
        var id: ExactString
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
    /// The content to be published.
    var snapshot = Snapshot()
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
    mutating func adopt(_ published: Snapshot) { snapshot = published }

    /// The number of items in all sources.
    var sourceItemCount: Int { sources.values.reduce(0) { $0 + $1.snapshot.count } }

    private func index(of feed: FeedName) -> Int? {
        derivation.index(of: feed, isDerived: derived.contains(feed))
    }

    /// Returns the id that an item of a feed has in the derived feed.
    static func id(_ id: ExactString, of feed: FeedName) -> ExactString {
        let name = feed.rawValue + "/"
        let isShort = name.utf8.count + id.string.utf8.count <= 256
        return ExactString(name + (isShort ? id.string : EntryID.digest(id.string)))
    }

    /// Returns the entry of an item; `nil`: the item does not meet the condition.
    func entry(_ item: FeedItem, of feed: FeedName, at index: Int) -> Entry? {
        let values = names.isEmpty ? [:] : item.values(of: names)
        if let condition = derivation.condition, !condition.holds(for: values) { return nil }
        return Entry(
            rank: Rank(
                key: derivation.sort.map { SortKey($0.value(in: values)) } ?? .none,
                index: index,
                feed: feed,
                id: item.id
            ),
            section: section(values, feed),
            item: item.renamed(DerivedFeed.id(item.id, of: feed))
        )
    }

    func precedes(_ left: Rank, _ right: Rank) -> Bool {
        let isFirst = left.key.precedes(right.key, isDescending: derivation.isDescending)
        if let isFirst { return isFirst }
        if left.index != right.index { return left.index < right.index }
        if left.feed != right.feed { return left.feed < right.feed }
        guard let snapshot = sources[left.feed]?.snapshot,
            let leftPosition = snapshot.position(ofItem: left.id),
            let rightPosition = snapshot.position(ofItem: right.id)
        else { return false }
        return leftPosition < rightPosition
    }
}

/// Makes the whole feed.
extension DerivedFeed {
    /// Makes the derived feed from the current content of its sources.
    mutating func rebuild(_ current: [FeedName: Snapshot]) {
        sources = [:]
        for (feed, snapshot) in current {
            guard let index = index(of: feed) else { continue }
            sources[feed] = Source(snapshot: snapshot.indexed(), index: index)
        }
        let sorted = takeAllEntries()
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

    /// Makes ``entries`` of all sources, and returns them in order.
    private mutating func takeAllEntries() -> [Entry] {
        entries = [:]
        var found: [Entry] = []
        let feeds = sources.sorted { ($0.value.index, $0.key) < ($1.value.index, $1.key) }
        for (feed, source) in feeds {
            for section in source.snapshot.list {
                section.items.forEachItem { item in
                    guard let entry = entry(item, of: feed, at: source.index),
                        entries[entry.item.id] == nil
                    else { return }
                    entries[entry.item.id] = entry
                    found.append(entry)
                }
            }
        }
        // All that is found with the same key is in order already.
        return found.enumerated().sorted { left, right in
            let (leftKey, rightKey) = (left.element.rank.key, right.element.rank.key)
            return leftKey.precedes(rightKey, isDescending: derivation.isDescending)
                ?? (left.offset < right.offset)
        }.map(\.element)
    }

    private var members: Members {
        DerivedFeed.members(title: derivation.title.map { JSONText(string: $0) })
    }

    private static func members(title: JSONText?) -> Members {
        Members(title.map { [Member(name: "title", value: $0)] } ?? [])
    }
}

/// Updates of a derived feed when a source changes.
extension DerivedFeed {
    /// The number of removed, inserted and moved items up to which they are applied one by one.
    ///
    /// If there are more, and over a quarter of all items, making everything anew is cheaper.
    private static let rebuildLimit = 64

    /// Applies a source's new content to the derived feed, or `nil` if the source does not exist.
    mutating func update(_ feed: FeedName, to new: Snapshot?) {
        guard let index = index(of: feed) else { return }
        let (old, new) = (sources[feed]?.snapshot, new?.indexed())
        guard new != nil || old != nil else { return }
        let changes = Changes(from: old ?? Snapshot(), to: new ?? Snapshot())
        var gone = changes.removedItems
        gone += itemsOfRemovedSections(changes, old)
        let arrivals = new.map { arrivingIDs(changes, in: $0) } ?? []
        if isMuch(gone.count + arrivals.count) {
            var current = sources.mapValues(\.snapshot)
            current[feed] = new
            return rebuild(current)
        }
        snapshot = snapshot.indexed()
        // Items that stay have the same order before and after, so both snapshots can tell it.
        gone += arrivals
        for id in gone { takeOut(DerivedFeed.id(id, of: feed)) }
        sources[feed] = new.map { Source(snapshot: $0, index: index) }
        guard let new else { return }
        for id in arrivals {
            guard let item = new.item(id) else { continue }
            if let entry = entry(item, of: feed, at: index) { putIn(entry) }
        }
        for update in changes.updatedItems where !arrivals.contains(update.id) {
            guard let item = new.item(update.id) else { continue }
            replace(DerivedFeed.id(item.id, of: feed), by: entry(item, of: feed, at: index))
        }
        renewTitle(of: feed)
    }

    /// Returns whether making everything anew is cheaper than an update of so many items.
    private func isMuch(_ count: Int) -> Bool {
        count > DerivedFeed.rebuildLimit && count > sourceItemCount / 4
    }

    /// Returns the items that were removed with their sections and did not move to another section.
    private func itemsOfRemovedSections(_ changes: Changes, _ old: Snapshot?) -> [ExactString] {
        guard !changes.removedSections.isEmpty, let old else { return [] }
        let moved = Set(changes.movedItems.lazy.map(\.id))
        return changes.removedSections.flatMap { id in
            old.position(ofSection: id).map { old.list[$0].items.map(\.id) } ?? []
        }.filter { !moved.contains($0) }
    }

    /// Returns the ids of the items that were inserted or moved, alone or with their section.
    private func arrivingIDs(_ changes: Changes, in new: Snapshot) -> Set<ExactString> {
        var ids = Set(changes.insertedItems.map(\.item.id))
        ids.formUnion(changes.movedItems.map(\.id))
        for move in changes.movedSections { ids.formUnion(new.list[move.index].items.map(\.id)) }
        return ids
    }
}

/// Changes of single items.
extension DerivedFeed {
    private mutating func takeOut(_ id: ExactString) {
        guard let entry = entries[id] else { return }
        defer { entries[id] = nil }
        guard let limit = derivation.limit else { return hide(id) }
        let index = index(of: entry, in: ranked)
        ranked.remove(at: index)
        guard index < limit else { return }
        hide(id)
        if ranked.count >= limit, let next = entries[ranked[limit - 1].id] { show(next) }
    }

    private mutating func putIn(_ entry: Entry) {
        entries[entry.item.id] = entry
        guard let limit = derivation.limit else { return show(entry) }
        let index = index(of: entry, in: ranked)
        ranked.insert(entry.item, at: index)
        guard index < limit else { return }
        if ranked.count > limit { hide(ranked[limit].id) }
        show(entry)
    }

    private mutating func replace(_ id: ExactString, by new: Entry?) {
        guard let old = entries[id] else {
            if let new { putIn(new) }
            return
        }
        guard let new, new.section == old.section, new.rank.key == old.rank.key else {
            takeOut(id)
            if let new { putIn(new) }
            return
        }
        entries[id] = new
        if derivation.limit != nil { ranked[index(of: new, in: ranked)] = new.item }
        if let position = snapshot.position(ofItem: id) {
            snapshot.replaceItem(at: position, with: new.item)
        }
    }

    /// Returns the number of items in a list before an entry's item.
    private func index(of entry: Entry, in items: ItemList) -> Int {
        items.partitionPoint { item in
            entries[item.id].map { precedes($0.rank, entry.rank) } ?? false
        }
    }

    /// Inserts an item into its section, and makes the section if it is missing.
    private mutating func show(_ entry: Entry) {
        let section = snapshot.position(ofSection: entry.section) ?? makeSection(entry)
        let index = index(of: entry, in: snapshot.list[section].items)
        snapshot.insert([entry.item], at: ItemPosition(section: section, index: index))
    }

    private mutating func makeSection(_ entry: Entry) -> Int {
        let rank = sectionRank(entry.section)
        let index = snapshot.list.partitionPoint { sectionPrecedes(sectionRank($0.id), rank) }
        let members = sectionMembers(entry.section, entry.item)
        snapshot.insert(FeedSection(id: entry.section, members: members), at: index)
        return index
    }

    /// Removes an item from its section, and a section with its last item.
    private mutating func hide(_ id: ExactString) {
        guard let position = snapshot.position(ofItem: id) else { return }
        snapshot.removeItem(at: position)
        let section = Int(position.section)
        if derivation.sections != .one, snapshot.list[section].items.isEmpty {
            snapshot.removeSection(at: section)
        }
    }
}

/// Makes the sections of a derived feed.
extension DerivedFeed {
    /// The key that sections are sorted by.
    struct SectionRank {
        var key: SortKey
        var index: Int
        var id: ExactString
    }

    /// The id of the last section, for items without the member that sections are made by.
    static let otherSection: ExactString = "#"

    /// Returns the id of the section that an item belongs to.
    func section(_ values: [ExactString: JSONText], _ feed: FeedName) -> ExactString {
        switch derivation.sections {
        case .one: return "main"
        case .bySource: return ExactString(feed.rawValue)
        case .byDay(let path):
            guard case .string(let text) = path.value(in: values),
                let date = SortKey.date(text.string)
            else { return DerivedFeed.otherSection }
            return ExactString(String(date.text.prefix(10)))
        case .byMember(let path):
            guard let text = DerivedFeed.text(path.value(in: values)) else {
                return DerivedFeed.otherSection
            }
            return ExactString(EntryID.id(text))
        }
    }

    /// Returns the text of a value that sections can be made of; `nil`: no section can be.
    private static func text(_ value: JSONValue?) -> String? {
        value?.scalar.flatMap { $0.isEmpty ? nil : $0 }
    }

    func sectionRank(_ id: ExactString) -> SectionRank {
        switch derivation.sections {
        case .one: return SectionRank(key: .none, index: 0, id: id)
        case .bySource:
            let index = FeedName(id.string).flatMap { sources[$0]?.index }
            return SectionRank(key: .none, index: index ?? .max, id: id)
        case .byDay, .byMember:
            let key = id == DerivedFeed.otherSection ? SortKey.none : .text(id)
            return SectionRank(key: key, index: 0, id: id)
        }
    }

    func sectionPrecedes(_ left: SectionRank, _ right: SectionRank) -> Bool {
        var isDescending = false
        if case .byDay = derivation.sections { isDescending = derivation.isDescending }
        let isFirst = left.key.precedes(right.key, isDescending: isDescending)
        return isFirst
            ?? (left.index == right.index ? left.id < right.id : left.index < right.index)
    }

    /// Returns the members of a section.
    ///
    /// - Parameter item: An item of the section.
    func sectionMembers(_ id: ExactString, _ item: FeedItem?) -> Members {
        var title: JSONText?
        switch derivation.sections {
        case .one: break
        case .bySource:
            title = FeedName(id.string).flatMap { sources[$0]?.snapshot.members["title"] }
        case .byDay: title = JSONText(string: id.string)
        case .byMember(let path):
            // The item has another id here than in its own feed, by which the section is made.
            let value =
                path.name == "id"
                ? .string(id) : item.flatMap { path.value(in: $0.values(of: [path.name])) }
            title = DerivedFeed.text(value).map { JSONText(string: $0) }
            if id == DerivedFeed.otherSection { title = JSONText(string: id.string) }
        }
        return DerivedFeed.members(title: title)
    }

    /// Gives a feed's section the title that the feed has now.
    mutating func renewTitle(of feed: FeedName) {
        guard derivation.sections == .bySource else { return }
        let id = ExactString(feed.rawValue)
        guard let position = snapshot.position(ofSection: id) else { return }
        let members = sectionMembers(id, nil)
        guard members != snapshot.list[position].members else { return }
        snapshot.setMembers(members, ofSection: position)
    }
}
