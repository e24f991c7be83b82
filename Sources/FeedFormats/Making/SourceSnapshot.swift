package import FeedModel

/// The next content of a feed, made of what its source shows and of what it had.
package struct SourceSnapshot {
    /// What the operator has said about the feed.
    package struct Options: Sendable, Equatable {
        /// In place of the source's own title.
        package var title: String?
        package var keeping = SourceKeeping.nothing
        /// Whether a document without entries is believed, so that without `keep` everything goes.
        package var believesEmpty = true

        package init() {}
    }

    /// Makes it.
    ///
    /// An item that the source shows no more is kept (``SourceKeeping``) if it is older than all
    /// that it shows, but for single old ones among newer ones; any other one was removed by its
    /// publisher.
    ///
    /// - Parameters:
    ///   - feed: What the source shows.
    ///   - current: What the feed holds, if it is there.
    ///   - now: No item is from later.
    ///   - isWanted: Whether an item is taken; what is not counts as shown all the same.
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
            // What is odd may be read wrongly, so that it does not take most of the items.
            || feed.isDoubtful && 2 * shown.count < items.count
            || shown.isEmpty && (options.keeping != .nothing || !options.believesEmpty)
        let wanted = shown.filter(isWanted)
        let kept = kept(
            items.filter(isWanted),
            shown,
            options.keeping,
            taken: wanted.count,
            isPartial: isPartial,
            now
        )
        let members = SourceItem.members(feed, title: options.title)
        // The publisher's order goes on in what the source shows no more.
        let all = isOldestFirst(shown) ? kept + wanted : wanted + kept
        return Snapshot(members: members, sections: [FeedSection(id: "main", items: all)])
    }

    private static func isOldestFirst(_ shown: [FeedItem]) -> Bool {
        EntryOrder.isOldestFirst(shown.map(EntryOrder.date))
    }

    /// The items of a document's entries, in its order.
    ///
    /// - Parameter items: Those of the version before.
    private static func shown(
        _ entries: [SourceEntry],
        _ items: [FeedItem],
        now: FeedDate
    ) -> [FeedItem] {
        let known = Dictionary(items.map { ($0.id, $0) }) { first, _ in first }
        let unchanged = UnchangedEntries(entries, known: known, now: now)
        let compared = unchanged.compared(entries)
        let settled = compared.map { unchanged.states[$0].article?.id }
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
            if let item = unchanged.states[index].article { return item }
            guard let id = ids[index] else { return nil }
            let old = known[ExactString(id)]
            let item = SourceItem.item(entries[index], id: id, after: old, now: now)
            return old == item ? old : item
        }
    }

    /// - Parameters:
    ///   - taken: How many of what is shown are taken.
    ///   - isPartial: Whether what is not shown may be there all the same, so that nothing is
    ///     removed for that; a feed does not grow by it.
    private static func kept(
        _ old: [FeedItem],
        _ shown: [FeedItem],
        _ keeping: SourceKeeping,
        taken: Int,
        isPartial: Bool,
        _ now: FeedDate
    ) -> [FeedItem] {
        guard keeping != .nothing || isPartial else { return [] }
        let ids = Set(shown.map(\.id))
        let oldest = oldest(shown.compactMap(published))
        let isRising = isOldestFirst(shown)
        let known = isRising ? last(of: shown.reversed(), in: old) : last(of: shown, in: old)
        let end = isRising && known < 0 ? old.count : known
        var kept: [FeedItem] = []
        for (index, item) in old.enumerated() where !ids.contains(item.id) {
            let isOlder: Bool
            if let oldest, let date = published(item) {
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
                let date = published(item)?.milliseconds ?? Int(item.seen.first) * 1000
                return date == 0 || date >= limit
            }
        }
    }

    /// Back to which a document shows all that there is.
    ///
    /// Where it goes from the new to the old, an old one in its first half is pinned there, or was
    /// edited: it says nothing of those between.
    private static func oldest(_ dates: [FeedDate]) -> FeedDate? {
        let falls = zip(dates, dates.dropFirst()).count { $0 >= $1 }
        guard dates.count > 1, 2 * falls >= dates.count - 1 else { return dates.min() }
        return dates.suffix((dates.count + 1) / 2).min()
    }

    /// The place that the last article shown which is not new had before; -1: all are new.
    private static func last(of shown: [FeedItem], in old: [FeedItem]) -> Int {
        let places = Dictionary(zip(old.map(\.id), 0...)) { first, _ in first }
        return shown.reversed().lazy.compactMap { places[$0.id] }.first ?? -1
    }

    private static func published(_ item: FeedItem) -> FeedDate? { EntryOrder.date(item) }
}
