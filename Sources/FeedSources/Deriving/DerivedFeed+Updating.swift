import FeedDiff
import FeedModel

/// Updates of a derived feed when a source changes.
extension DerivedFeed {
    /// The number of changed items up to which changes are applied one by one. If more change, and
    /// over a quarter of all items, making everything anew is cheaper.
    private static let rebuildLimit = 64

    /// Applies a source's new content to the derived feed.
    ///
    /// - Parameters:
    ///   - feed: The feed.
    ///   - new: The feed's current content; `nil`: the feed does not exist.
    mutating func update(_ feed: FeedName, to new: Snapshot?) {
        guard let place = derivation.place(of: feed, derived: derived) else { return }
        let old = sources[feed]?.snapshot
        guard new != nil || old != nil else { return }
        let changes = Changes(
            from: FeedView()(old ?? Snapshot()),
            to: FeedView()(new ?? Snapshot())
        )
        var gone = changes.removedItems
        gone += itemsOfRemovedSections(changes, old)
        let arrivals = new.map { positions(changes, $0) } ?? []
        if isMuch(gone.count + arrivals.count) {
            var current = sources.mapValues(\.snapshot)
            current[feed] = new
            return rebuild(current)
        }
        guard let new else {
            for id in gone { takeOut(DerivedFeed.id(id, of: feed)) }
            sources[feed] = nil
            return
        }
        let arrived = arrivals.map { new.list[$0] }
        gone += arrived.map(\.id)
        for id in gone { takeOut(DerivedFeed.id(id, of: feed)) }
        let source = updateOrder(of: feed, to: new, without: gone, with: arrivals, at: place)
        for item in arrived {
            if let entry = entry(item, of: feed, source) { putIn(entry) }
        }
        let isArrived = Set(arrived.lazy.map(\.id))
        for update in changes.updatedItems where !isArrived.contains(update.id) {
            guard let item = new.item(update.id) else { continue }
            replace(DerivedFeed.id(item.id, of: feed), by: entry(item, of: feed, source))
        }
        renewTitle(of: feed)
    }

    /// Applies a source's new content to the order of its items, and returns the source.
    private mutating func updateOrder(
        of feed: FeedName,
        to new: Snapshot,
        without gone: [ExactString],
        with arrivals: [ItemPosition],
        at place: Int
    ) -> Source {
        // Out of the dictionary, the labels have no second owner, so they are changed in place.
        var source =
            sources.removeValue(forKey: feed)
            ?? Source(snapshot: new, order: SourceOrder(Snapshot()), place: place)
        source.snapshot = new
        source.order.remove(gone)
        let isInPlace = source.order.insert(arrivals, in: new)
        if !isInPlace { relabel(feed, source.order) }
        sources[feed] = source
        return source
    }

    /// Whether making everything anew is cheaper than an update of so many items.
    private func isMuch(_ count: Int) -> Bool {
        guard count > DerivedFeed.rebuildLimit else { return false }
        return count > sources.values.reduce(0) { $0 + $1.snapshot.count } / 4
    }

    /// Returns the items that were removed with their sections and did not move to another section.
    private func itemsOfRemovedSections(_ changes: Changes, _ old: Snapshot?) -> [ExactString] {
        guard !changes.removedSections.isEmpty, let old else { return [] }
        let moved = Set(changes.movedItems.lazy.map(\.id))
        return changes.removedSections.flatMap { id in
            old.position(ofSection: id).map { old.list[$0].items.map(\.id) } ?? []
        }.filter { !moved.contains($0) }
    }

    /// Returns the positions of items that were inserted or moved, alone or with their section, in
    /// order.
    private func positions(_ changes: Changes, _ new: Snapshot) -> [ItemPosition] {
        var sections: [ExactString: Int] = [:]
        func position(_ section: ExactString, _ index: Int) -> ItemPosition? {
            guard let found = sections[section] ?? new.position(ofSection: section) else {
                return nil
            }
            sections[section] = found
            return ItemPosition(section: found, index: index)
        }
        let inserted = changes.insertedItems.compactMap { position($0.section, $0.index) }
        let moved = changes.movedItems.compactMap { position($0.section, $0.index) }
        let carried = changes.movedSections.flatMap { move in
            new.list[move.index].items.indices.map { ItemPosition(section: move.index, index: $0) }
        }
        guard !carried.isEmpty else { return (inserted + moved).sorted() }
        return Set(inserted + moved + carried).sorted()
    }

    /// Copies the new labels of a feed's items to their entries; the order of the items is the
    /// same.
    private mutating func relabel(_ feed: FeedName, _ order: SourceOrder) {
        for (id, label) in order.labels {
            entries[DerivedFeed.id(id, of: feed)]?.rank.label = label
        }
    }
}

/// Changes of single items.
extension DerivedFeed {
    private mutating func takeOut(_ id: ExactString) {
        guard let entry = entries[id] else { return }
        defer { entries[id] = nil }
        guard let limit = derivation.limit else { return hide(id) }
        let index = rank(of: entry)
        ranked.remove(at: index)
        guard index < limit else { return }
        hide(id)
        if ranked.count >= limit, let next = entries[ranked[limit - 1].id] { show(next) }
    }

    private mutating func putIn(_ entry: Entry) {
        entries[entry.item.id] = entry
        guard let limit = derivation.limit else { return show(entry) }
        let index = rank(of: entry)
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
        if derivation.limit != nil { ranked[rank(of: new)] = new.item }
        if let position = snapshot.position(ofItem: id) {
            snapshot.replaceItem(at: position, with: new.item)
        }
    }

    /// Returns the number of items before an entry's item.
    private func rank(of entry: Entry) -> Int { index(of: entry, in: ranked) }

    private func index(of entry: Entry, in items: ItemList) -> Int {
        var (lower, upper) = (0, items.count)
        while lower < upper {
            let middle = (lower + upper) / 2
            if let other = entries[items[middle].id], precedes(other.rank, entry.rank) {
                lower = middle + 1
            } else {
                upper = middle
            }
        }
        return lower
    }

    /// Inserts an item into its section, and makes the section if it is missing.
    private mutating func show(_ entry: Entry) {
        let section = snapshot.position(ofSection: entry.section) ?? makeSection(entry)
        let index = index(of: entry, in: snapshot.list[section].items)
        snapshot.insert([entry.item], at: ItemPosition(section: section, index: index))
    }

    private mutating func makeSection(_ entry: Entry) -> Int {
        let rank = sectionRank(entry.section)
        var (lower, upper) = (0, snapshot.list.count)
        while lower < upper {
            let middle = (lower + upper) / 2
            if sectionPrecedes(sectionRank(snapshot.list[middle].id), rank) {
                lower = middle + 1
            } else {
                upper = middle
            }
        }
        let members = sectionMembers(entry.section, entry.item)
        snapshot.insert(FeedSection(id: entry.section, members: members), at: lower)
        return lower
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
