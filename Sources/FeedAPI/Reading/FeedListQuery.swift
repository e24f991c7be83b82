import FeedModel
import FeedStore

/// The query of `GET /feeds` and of other lists of feeds, for one page of the list.
struct FeedListQuery: Sendable {
    /// The beginning of the names of all listed feeds.
    let prefix: [UInt8]
    /// The most feeds of the page.
    let limit: Int
    /// The name after which the page begins; empty for the first page.
    let after: [UInt8]
    private let query: Query

    /// Reads the parameters `prefix`, `after` and `limit`.
    ///
    /// - Throws: `400` for a parameter that is malformed or repeated.
    init(_ query: Query, defaultLimit: Int = RowQuery.defaultLimit) throws(Problem) {
        self.query = query
        prefix = Array((try query.value(.prefix) ?? "").utf8)
        after = Array((try query.value(.after) ?? "").utf8)
        limit = try query.number(.limit, in: 1...RowQuery.maximumLimit) ?? defaultLimit
    }

    /// Returns the size of the work of finding the feeds of this page, for a caller who may read
    /// the feeds that the patterns match.
    ///
    /// Every name with a pattern's prefix matches the pattern, unless text follows the prefix or
    /// the pattern is a whole name; then all names may have to be compared.
    func size(for patterns: [FeedPattern], of store: FeedStore) -> WorkSize {
        let count = patterns.count { !$0.isPrefix }
        if count == 0 || patterns.contains(where: \.isAll) { return .small }
        return WorkSize(byteCount: store.feedCount * (FeedListQuery.nameCost + 16 * count))
    }

    /// The cost of comparing a name, in the bytes that ``WorkSize`` counts.
    private static let nameCost = 100

    /// Returns the feeds of this page, and one more if there is a next page.
    ///
    /// - Parameters:
    ///   - store: The feeds.
    ///   - patterns: The patterns that match all feeds that the caller may read.
    ///   - mayRead: Returns whether the caller may read a feed.
    func feeds(
        of store: FeedStore,
        matching patterns: [FeedPattern],
        where mayRead: (FeedName) -> Bool
    ) -> [Version] {
        var found: [Version] = []
        let count = max(limit + 1, FeedListQuery.namesAtOnce)
        for start in starts(of: patterns) {
            var names: [FeedName] = []
            repeat {
                let last = names.last.map { Array($0.rawValue.utf8) } ?? after
                names = store.names(after: last, prefix: start, limit: count)
                for name in names where mayRead(name) {
                    if let version = store.current(name) { found.append(version) }
                    if found.count > limit { return found }
                }
            } while names.count == count
        }
        return found
    }

    /// The fewest names that are taken from the store at a time.
    private static let namesAtOnce = 256

    /// Returns the beginnings of the names that both the patterns and the query's prefix match, in
    /// order; no beginning is a prefix of another.
    private func starts(of patterns: [FeedPattern]) -> [[UInt8]] {
        let all = patterns.map(\.prefix).compactMap { start -> [UInt8]? in
            if start.starts(with: prefix) { return start }
            return prefix.starts(with: start) ? prefix : nil
        }
        var starts: [[UInt8]] = []
        for start in all.sorted(by: { $0.lexicographicallyPrecedes($1) })
        where starts.last.map({ start.starts(with: $0) }) != true {
            starts.append(start)
        }
        return starts
    }

    /// Returns this page of the results, and the reference to the next page, if there is one.
    ///
    /// - Parameters:
    ///   - found: The entries of the page, and one more if there is a next page.
    ///   - feed: Returns the feed of an entry.
    func page<Found>(
        of found: [Found],
        _ feed: (Found) -> FeedName
    ) -> (ArraySlice<Found>, next: String?) {
        let page = found.prefix(limit)
        guard found.count > page.count, let last = page.last else { return (page, nil) }
        let name = feed(last).rawValue
        return (page, query.reference(without: [.after], adding: [(.after, name)]))
    }
}
