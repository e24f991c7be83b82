package import FeedModel

/// Finds out in which order a publisher lists the entries of a feed.
enum EntryOrder {
    /// Returns whether times go from old to new: the last time is later than the first, and more
    /// than three times as many steps rise as fall.
    ///
    /// - Parameter dates: The times of the entries; `nil` for an entry without one. Without times
    ///   of at least half of the entries, the result is `false`.
    static func isOldestFirst(_ dates: [FeedDate?]) -> Bool {
        let known = dates.compactMap(\.self)
        guard known.count > 1, 2 * known.count >= dates.count, let first = known.first,
            let last = known.last, first < last
        else { return false }
        let falls = zip(known, known.dropFirst()).count { $0 > $1 }
        let rises = zip(known, known.dropFirst()).count { $0 < $1 }
        return rises > 3 * falls
    }

    /// Returns the time at which an item was published, as the item states it; `nil`: it states
    /// none.
    static func date(_ item: FeedItem) -> FeedDate? {
        let values = item.values(of: ["published", "date_published"])
        guard let value = values["published"] ?? values["date_published"],
            case .string(let text) = JSONValue(value)
        else { return nil }
        return FeedDate(parsing: text.string)
    }
}

extension Snapshot {
    /// The most items that are read to find the order of a feed.
    private static let orderSampleCount = 32
    /// The fewest items from which an order can be told.
    private static let orderMinimum = 16

    /// Whether the feed has a single section, whose items go from old to new.
    package var isOldestFirst: Bool {
        guard sections.count == 1, let items = sections.first?.items,
            items.count >= Snapshot.orderMinimum
        else { return false }
        let count = min(items.count, Snapshot.orderSampleCount)
        let dates = (0..<count).map { EntryOrder.date(items[$0 * (items.count - 1) / (count - 1)]) }
        return EntryOrder.isOldestFirst(dates)
    }
}
