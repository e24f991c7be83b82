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
    func size(for patterns: [FeedPattern], of store: FeedStore) -> WorkSize {
        let searches = patterns.contains(where: \.isAll) ? 0 : searches(patterns).count
        guard searches > 0 else { return .small }
        return WorkSize(byteCount: store.feedCount * (FeedListQuery.nameCost + 16 * searches))
    }

    /// The cost of comparing a name, in the bytes that ``WorkSize`` counts.
    private static let nameCost = 100

    /// Returns the feeds of this page, and one more if there is a next page.
    ///
    /// Names are found by the prefixes of the patterns. Only a pattern with text behind its first
    /// star needs all names with its prefix compared, once for all such patterns.
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
        var found: [FeedName: Version] = [:]
        func add(_ start: [UInt8], atOnce count: Int, where isWanted: (FeedName) -> Bool) {
            for version in feeds(of: store, beginning: start, atOnce: count, where: isWanted) {
                found[version.feed] = version
            }
        }
        let isAll = patterns.contains(where: \.isAll)
        for pattern in isAll ? [.all] : Set(patterns) {
            if pattern.isPrefix { add(pattern.prefix, atOnce: limit + 1, where: mayRead) }
            if pattern.isExact, let name = FeedName(pattern.text), isListed(name), mayRead(name) {
                found[name] = store.current(name)
            }
        }
        let searches = isAll ? [] : searches(patterns)
        for prefix in FeedListQuery.prefixes(of: searches) {
            add(prefix, atOnce: FeedListQuery.namesAtOnce) { name in
                searches.names(name.rawValue.utf8.span) && mayRead(name)
            }
        }
        return found.values.sorted { $0.feed < $1.feed }.prefix(limit + 1).map { $0 }
    }

    /// Returns whether a feed has the query's prefix, and comes after ``after``.
    private func isListed(_ name: FeedName) -> Bool {
        let bytes = name.rawValue.utf8
        return bytes.starts(with: prefix) && after.lexicographicallyPrecedes(bytes)
    }

    /// Returns the patterns that are neither a whole name nor a prefix, and may match a feed of
    /// this page.
    private func searches(_ patterns: [FeedPattern]) -> [FeedPattern] {
        Set(patterns).filter { pattern in
            !pattern.isExact && !pattern.isPrefix && range(pattern.prefix) != nil
        }
    }

    /// Returns the beginnings of the names that these patterns can match; no beginning is a prefix
    /// of another.
    private static func prefixes(of patterns: [FeedPattern]) -> [[UInt8]] {
        var prefixes: [[UInt8]] = []
        let sorted = Set(patterns.map(\.prefix)).sorted { $0.lexicographicallyPrecedes($1) }
        for prefix in sorted where prefixes.last.map({ prefix.starts(with: $0) }) != true {
            prefixes.append(prefix)
        }
        return prefixes
    }

    /// Returns the prefix of all names that begin with both `start` and the query's prefix, which
    /// is the longer of the two; `nil`: no name does.
    private func range(_ start: [UInt8]) -> [UInt8]? {
        guard start.starts(with: prefix) || prefix.starts(with: start) else { return nil }
        return start.count > prefix.count ? start : prefix
    }

    /// Returns the wanted feeds of this page whose names begin with `start`, and one more if there
    /// is a next page; the store is asked for `count` names at a time.
    private func feeds(
        of store: FeedStore,
        beginning start: [UInt8],
        atOnce count: Int,
        where isWanted: (FeedName) -> Bool
    ) -> [Version] {
        guard let prefix = range(start) else { return [] }
        var feeds: [Version] = []
        var last = after
        while feeds.count <= limit {
            let names = store.names(after: last, prefix: prefix, limit: count)
            for name in names where isWanted(name) {
                if let version = store.current(name) { feeds.append(version) }
                if feeds.count > limit { break }
            }
            guard names.count == count, let name = names.last else { break }
            last = Array(name.rawValue.utf8)
        }
        return feeds
    }

    /// The number of names that a search takes from the store at a time.
    private static let namesAtOnce = 1024

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
