package import FeedModel

/// Makes the next content of a feed from its source's document and its current content.
package struct SourceSnapshot {
    /// The operator's options for the feed.
    package struct Options: Sendable, Equatable {
        /// The feed's title in place of the source's own.
        package var title: String?
        package var keeping = SourceKeeping.nothing
        /// Whether a document without entries removes items: all, unless ``keeping`` keeps some.
        package var believesEmpty = true

        package init() {}
    }

    /// Returns the next content of a feed.
    ///
    /// The source may have dropped an item because it is old, or removed it. An item that is older
    /// than all items that the source shows counts as dropped, and is kept by ``SourceKeeping``;
    /// single old items among newer ones are not compared. Any other missing item was removed by
    /// its publisher.
    ///
    /// - Parameters:
    ///   - now: The current time; no item has a later one.
    ///   - isWanted: Whether an item is taken; an item that is not taken still counts as shown.
    package static func make(
        _ feed: SourceFeed,
        current: Snapshot?,
        options: Options,
        now: FeedDate,
        isWanted: (FeedItem) -> Bool = { _ in true }
    ) -> Snapshot {
        let items = current.map { $0.sections.flatMap { Array($0.items) } } ?? []
        let shown = shown(feed.entries, items, now: now)
        let isPartial =
            feed.isCutOff
            // An odd document may be read wrongly, so it must not remove most of the items.
            || feed.isDoubtful && 2 * shown.count < items.count
            || shown.isEmpty && (options.keeping != .nothing || !options.believesEmpty)
        let wanted = shown.filter(isWanted)
        let members = SourceItem.members(feed, title: options.title)
        var all = wanted
        if options.keeping != .nothing || isPartial {
            let dates = shown.map(\.published)
            let kept = kept(
                items.filter(isWanted),
                notIn: shown,
                dates: dates,
                by: options.keeping,
                taken: wanted.count,
                isPartial: isPartial,
                now: now
            )
            // Items that the source does not show any more continue the publisher's order.
            all = dates.areOldestFirst ? kept + wanted : wanted + kept
        }
        return Snapshot(members: members, sections: [FeedSection(id: "main", items: all)])
    }

    /// Returns the items of a document's entries, in its order; `items` are of the version before.
    private static func shown(
        _ entries: [SourceEntry],
        _ items: [FeedItem],
        now: FeedDate
    ) -> [FeedItem] {
        let known = Dictionary(items.map { ($0.id, $0) }) { first, _ in first }
        let unchanged = UnchangedEntries(entries, known: known, now: now)
        let compared = unchanged.compared(entries)
        let settled = compared.map { unchanged.articles[$0]?.id }
        let settledIDs = Set(settled.compactMap(\.self))
        var matching = EntryMatching(
            items.lazy.filter { !unchanged.ids.contains($0.id) || settledIDs.contains($0.id) },
            taken: unchanged.ids
        )
        let isAll = compared.count == entries.count
        let found = matching.ids(
            of: isAll ? entries : compared.map { entries[$0] },
            settled: settled
        )
        var ids = [String?](repeating: nil, count: entries.count)
        for (index, id) in zip(compared, found) { ids[index] = id }
        return entries.indices.compactMap { index in
            if let item = unchanged.articles[index] { return item }
            guard let id = ids[index] else { return nil }
            let old = known[ExactString(id)]
            let item = SourceItem.item(entries[index], id: id, after: old, now: now)
            return old == item ? old : item
        }
    }

    /// Returns the old items that stay though the source does not show them.
    ///
    /// - Parameters:
    ///   - dates: The times of publishing of the shown items.
    ///   - taken: The number of shown items that are taken.
    ///   - isPartial: Whether the document may lack items that still exist: none is then removed
    ///     for being absent, and without a rule the feed does not grow.
    private static func kept(
        _ old: [FeedItem],
        notIn shown: [FeedItem],
        dates: [FeedDate?],
        by keeping: SourceKeeping,
        taken: Int,
        isPartial: Bool,
        now: FeedDate
    ) -> [FeedItem] {
        let ids = Set(shown.map(\.id))
        let oldest = oldest(dates.compactMap(\.self))
        let isRising = dates.areOldestFirst
        let known = isRising ? last(of: shown.reversed(), in: old) : last(of: shown, in: old)
        let end = isRising && known < 0 ? old.count : known
        var kept: [FeedItem] = []
        for (index, item) in old.enumerated() where !ids.contains(item.id) {
            let isOlder: Bool
            if let oldest, let date = item.published {
                isOlder = date <= oldest
            } else {
                isOlder = isRising ? index < end : index > end
            }
            if isOlder || isPartial { kept.append(item) }
        }
        func newest(_ count: Int) -> [FeedItem] {
            let count = max(0, count)
            return isRising ? kept.suffix(count) : Array(kept.prefix(count))
        }
        switch keeping {
        case .nothing: return newest(old.count - taken)
        case .count(let count): return newest(count - taken)
        case .age(let seconds):
            let limit = now.milliseconds - seconds * 1000
            return kept.filter { item in
                let date = item.published?.milliseconds ?? Int(item.seen.first) * 1000
                return date == 0 || date >= limit
            }
        }
    }

    /// Returns the time since which a document shows all items.
    ///
    /// If the document goes from new to old, an old item in its first half is pinned there, or was
    /// edited: its time says nothing of the items between.
    private static func oldest(_ dates: [FeedDate]) -> FeedDate? {
        let falls = zip(dates, dates.dropFirst()).count { $0 >= $1 }
        guard dates.count > 1, 2 * falls >= dates.count - 1 else { return dates.min() }
        return dates.suffix((dates.count + 1) / 2).min()
    }

    /// Returns the old index of the last shown article that is not new; -1: all are new.
    private static func last(of shown: [FeedItem], in old: [FeedItem]) -> Int {
        let indices = Dictionary(zip(old.map(\.id), 0...)) { first, _ in first }
        return shown.reversed().lazy.compactMap { indices[$0.id] }.first ?? -1
    }
}

/// The rule for how long items stay after the source has dropped them.
package enum SourceKeeping: Sendable, Equatable {
    /// All such items are removed at once.
    case nothing
    /// Items are kept up to this number, including the items that the source shows.
    case count(Int)
    /// Items are kept if they were published, or else first seen, within so many seconds.
    case age(Int)
}
