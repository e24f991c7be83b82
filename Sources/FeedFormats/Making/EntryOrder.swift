package import FeedModel

/// Tells the order of a list of entries by their times; `nil` is an entry without a time.
extension [FeedDate?] {
    /// Whether the times go from old to new: the last time is later than the first, and more than
    /// three times as many steps rise as fall.
    ///
    /// Without times of at least half of the entries, the result is `false`.
    var areOldestFirst: Bool {
        let known = compactMap(\.self)
        guard known.count > 1, 2 * known.count >= count, let first = known.first,
            let last = known.last, first < last
        else { return false }
        let falls = zip(known, known.dropFirst()).count { $0 > $1 }
        let rises = zip(known, known.dropFirst()).count { $0 < $1 }
        return rises > 3 * falls
    }
}

extension FeedItem {
    /// The time at which the item was published, as it states it; `nil`: it states none.
    var published: FeedDate? { date(["published", "date_published"]) }

    /// Returns the time in the first of some members that the item has; `nil`: it states none.
    func date(_ names: [ExactString]) -> FeedDate? {
        let values = values(of: names)
        return names.lazy.compactMap { values[$0] }.first?.stringValue
            .flatMap { FeedDate(parsing: $0) }
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
        return (0..<count).map { items[$0 * (items.count - 1) / (count - 1)].published }
            .areOldestFirst
    }
}
